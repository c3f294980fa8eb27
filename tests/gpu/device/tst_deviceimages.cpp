// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The contract of Device with OpenGL ES: images, fences and waits, for every device of this machine that supports them.
#include "tests/support/gpufixture.h"

#include "core/recording/tracer.h"
#include "gpu/base/livecount.h"
#include "gpu/device/device.h"
#include "gpu/gl/texture.h"
#include "gpu/glqueue/glqueue.h"
#include "tests/support/testprogram.h"
#include "tests/support/workgate.h"

#include <vector>

using namespace jetscope;

class TestDeviceImages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data();
    void init();
    void cleanup();
    void glReadsWhatTheDeviceWrote();
    void theDeviceReadsWhatGlWrote();
    void aStreamWaitsForAGlFence();
    void glWaitsForADeviceEvent();
    void anEventOfAFenceCannotBeRecorded();
    void aGlWaitNeedsARecordedEvent();
    void aTooLargeTextureIsRefused();

private:
    static constexpr int kWidth = 97;
    static constexpr int kHeight = 33;

    struct Surface {
        std::unique_ptr<GlTexture> texture;
        std::unique_ptr<GlFramebuffer> framebuffer;
        std::unique_ptr<EglImage> eglImage;
        std::unique_ptr<Image> image;
    };
    Surface makeExternalBuffer(int width, int height);
    void destroy(Surface &surface);
    std::vector<std::byte> read(const Surface &surface);

    Tracer m_tracer;
    std::unique_ptr<GlQueue> m_queue;
    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    std::size_t m_handlesBefore = 0;
};

void TestDeviceImages::initTestCase_data()
{
    testing::addDeviceRows(testing::usableDevices());
}

void TestDeviceImages::init()
{
    QFETCH_GLOBAL(QString, device);
    QString why;
    const std::shared_ptr<EglDisplay> display = testing::displayOf(device.toStdString(), &why);
    QVERIFY2(display, qPrintable(why));
    m_handlesBefore = LiveCount::handles;
    Result<std::unique_ptr<Device>> opened = openDevice(device.toStdString(), display);
    JETSCOPE_VERIFY(opened);
    m_device = std::move(opened).value();
    const GlQueue::Execution execution =
        m_device->facts().software ? GlQueue::Execution::Threaded : GlQueue::Execution::Inline;
    Result<std::unique_ptr<GlQueue>> queue = GlQueue::create(display, execution, nullptr, m_tracer);
    JETSCOPE_VERIFY(queue);
    m_queue = std::move(queue).value();
    Result<std::unique_ptr<Stream>> stream = m_device->createStream();
    JETSCOPE_VERIFY(stream);
    m_stream = std::move(stream).value();
}

void TestDeviceImages::cleanup()
{
    m_stream.reset();
    if (m_queue) // After a failed assertion its thread may still use the device.
        static_cast<void>(m_queue->finish(*m_device));
    m_device.reset();
    m_queue.reset();
    QCOMPARE(LiveCount::handles.load(), m_handlesBefore);
}

TestDeviceImages::Surface TestDeviceImages::makeExternalBuffer(int width, int height)
{
    Surface surface;
    const Status made = m_queue->run([&]() -> Status {
        Result<std::unique_ptr<GlTexture>> texture = GlTexture::create(width, height);
        if (!texture.ok())
            return texture.error();
        surface.texture = std::move(texture).value();
        Result<std::unique_ptr<GlFramebuffer>> framebuffer =
            GlFramebuffer::create(surface.texture->id(), width, height);
        if (!framebuffer.ok())
            return framebuffer.error();
        surface.framebuffer = std::move(framebuffer).value();
        Result<std::unique_ptr<EglImage>> image =
            EglImage::create(m_queue->display(), m_queue->nativeContext(), surface.texture->id());
        if (!image.ok())
            return image.error();
        surface.eglImage = std::move(image).value();
        return {};
    });
    if (!made.ok())
        return surface;
    Result<std::unique_ptr<Image>> image = m_device->registerEglImage(surface.eglImage->native(), width, height);
    if (image.ok())
        surface.image = std::move(image).value();
    return surface;
}

void TestDeviceImages::destroy(Surface &surface)
{
    surface.image.reset();
    JETSCOPE_VERIFY(m_queue->run([&] {
        surface.eglImage.reset();
        surface.framebuffer.reset();
        surface.texture.reset();
        return Status();
    }));
}

std::vector<std::byte> TestDeviceImages::read(const Surface &surface)
{
    std::vector<std::byte> pixels(static_cast<std::size_t>(surface.texture->width() * surface.texture->height()) * 4);
    const Status status = m_queue->run([&] {
        return surface.framebuffer->read(pixels.data(), static_cast<std::size_t>(surface.texture->width()) * 4);
    });
    return status.ok() ? pixels : std::vector<std::byte>();
}

void TestDeviceImages::glReadsWhatTheDeviceWrote()
{
    Surface surface = makeExternalBuffer(kWidth, kHeight);
    QVERIFY(surface.image);
    const ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, kWidth, kHeight);
    Result<std::unique_ptr<Buffer>> input = m_device->allocate(Allocation::PinnedMapped, layout.bytes);
    JETSCOPE_VERIFY(input);
    std::vector<std::byte> expected;
    for (int y = 0; y < kHeight; ++y)
        for (std::size_t x = 0; x < layout.planes[0].rowBytes; ++x) {
            const auto value = static_cast<std::byte>(x * 7 + static_cast<std::size_t>(y) * 31);
            input.value()->host()[static_cast<std::size_t>(y) * layout.planes[0].pitch + x] = value;
            expected.push_back(value);
        }
    ChainLaunch launch;
    launch.inputLayout = layout;
    launch.input = wholeOf(*input.value());
    launch.filters = {Filter::Identity};
    launch.outputImage = surface.image.get();
    JETSCOPE_VERIFY(m_device->launch(launch, *m_stream));
    JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
    QVERIFY(read(surface) == expected);
    QCOMPARE(m_device->emulationBytes() > 0, m_device->facts().software);
    destroy(surface);
}

void TestDeviceImages::theDeviceReadsWhatGlWrote()
{
    // A grey frame whose padded lines are stored in a texture of a quarter of their width.
    const ImageLayout layout = makeImageLayout(PixelFormat::Grey8, kWidth, kHeight);
    const ImageLayout rgba = makeImageLayout(PixelFormat::Rgba8, kWidth, kHeight);
    Surface surface = makeExternalBuffer(static_cast<int>(layout.planes[0].pitch / 4), kHeight);
    QVERIFY(surface.image);
    std::vector<std::byte> frame(layout.bytes);
    for (std::size_t i = 0; i < frame.size(); ++i)
        frame[i] = static_cast<std::byte>(i * 13);
    JETSCOPE_VERIFY(m_queue->run([&] { return surface.texture->upload(frame.data(), layout.planes[0].pitch); }));
    JETSCOPE_VERIFY(m_queue->finish(*m_device));
    Result<std::unique_ptr<Buffer>> output = m_device->allocate(Allocation::PinnedMapped, rgba.bytes);
    JETSCOPE_VERIFY(output);
    ChainLaunch launch;
    launch.inputLayout = layout;
    launch.inputImage = surface.image.get();
    launch.output = wholeOf(*output.value());
    launch.outputPitch = rgba.planes[0].pitch;
    JETSCOPE_VERIFY(m_device->launch(launch, *m_stream));
    JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const std::byte *pixel = output.value()->host() + static_cast<std::size_t>(y) * launch.outputPitch
                + static_cast<std::size_t>(x) * 4;
            const std::byte wanted =
                frame[static_cast<std::size_t>(y) * layout.planes[0].pitch + static_cast<std::size_t>(x)];
            QVERIFY(pixel[0] == wanted && pixel[1] == wanted && pixel[2] == wanted && pixel[3] == std::byte{255});
        }
    destroy(surface);
}

void TestDeviceImages::aStreamWaitsForAGlFence()
{
    if (!m_device->facts().eglSync.available)
        QSKIP(m_device->facts().eglSync.reason.c_str());
    testing::WorkGate gate;
    if (m_queue->isThreaded())
        m_queue->submit([hold = gate.work()]() -> Status {
            hold();
            return {};
        });
    const GlFence fence = m_queue->fence(*m_device);
    Result<std::unique_ptr<Event>> event = m_device->eventFromFence(fence);
    JETSCOPE_VERIFY(event);
    JETSCOPE_VERIFY(m_device->wait(*m_stream, *event.value()));
    event.value().reset(); // The wait does not depend on the event.
    Result<std::unique_ptr<Event>> after = m_device->createEvent(Device::Timing::Off);
    JETSCOPE_VERIFY(after);
    JETSCOPE_VERIFY(m_device->record(*after.value(), *m_stream));
    if (m_queue->isThreaded()) {
        const Result<bool> early = m_device->query(*after.value());
        JETSCOPE_VERIFY(early);
        QVERIFY(!early.value());
    }
    gate.open();
    JETSCOPE_VERIFY(m_device->synchronize(*after.value()));
    QVERIFY(fence.signalled());
}

void TestDeviceImages::glWaitsForADeviceEvent()
{
    if (!m_device->facts().eglSync.available)
        QSKIP(m_device->facts().eglSync.reason.c_str());
    testing::WorkGate gate;
    JETSCOPE_VERIFY(m_device->launchHost(*m_stream, gate.work()));
    Result<std::unique_ptr<Event>> event = m_device->createEvent(Device::Timing::Off);
    JETSCOPE_VERIFY(event);
    JETSCOPE_VERIFY(m_device->record(*event.value(), *m_stream));
    Result<std::unique_ptr<GlWait>> wait = m_device->glWaitFor(*event.value());
    JETSCOPE_VERIFY(wait);
    m_queue->wait(*m_device, std::move(wait).value(), 0); // Does not wait here: the gate is still closed.
    const GlFence behind = m_queue->fence(*m_device);
    QVERIFY(!behind.signalled());
    gate.open();
    JETSCOPE_VERIFY(behind.clientWait());
    const Result<bool> done = m_device->query(*event.value());
    JETSCOPE_VERIFY(done);
    QVERIFY(done.value());
}

void TestDeviceImages::anEventOfAFenceCannotBeRecorded()
{
    if (!m_device->facts().eglSync.available)
        QSKIP(m_device->facts().eglSync.reason.c_str());
    Result<std::unique_ptr<Event>> event = m_device->eventFromFence(m_queue->fence(*m_device));
    JETSCOPE_VERIFY(event);
    QVERIFY(!m_device->record(*event.value(), *m_stream).ok());
    QVERIFY(!m_device->elapsedNs(*event.value(), *event.value()).ok());
}

void TestDeviceImages::aGlWaitNeedsARecordedEvent()
{
    if (!m_device->facts().eglSync.available)
        QSKIP(m_device->facts().eglSync.reason.c_str());
    Result<std::unique_ptr<Event>> event = m_device->createEvent(Device::Timing::Off);
    JETSCOPE_VERIFY(event);
    QVERIFY(!m_device->glWaitFor(*event.value()).ok());
}

void TestDeviceImages::aTooLargeTextureIsRefused()
{
    const Status status = m_queue->run([]() -> Status {
        Result<std::unique_ptr<GlTexture>> texture = GlTexture::create(1 << 20, 4);
        return texture.ok() ? Status() : Status(texture.error());
    });
    QVERIFY(!status.ok());
    QVERIFY(QString::fromStdString(status.error().text).contains("smaller"));
}

JETSCOPE_TEST(TestDeviceImages)
#include "tst_deviceimages.moc"
