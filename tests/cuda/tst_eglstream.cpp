// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Frames of every memory kind from a CUDA device through an EGLStream to GL and back, on every CUDA device whose driver
// supports it.
#include "tests/cuda/cudatests.h"
#include "tests/support/gpufixture.h"

#include "core/recording/tracer.h"
#include "gpu/base/livecount.h"
#include "gpu/device/device.h"
#include "gpu/gl/externaldraw.h"
#include "gpu/gl/streamconsumer.h"
#include "gpu/gl/texture.h"
#include "gpu/glqueue/glqueue.h"

#include <vector>

using namespace jetscope;

class TestEglStream : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void initTestCase_data();
    void init();
    void cleanup();
    void everyFrameArrivesAndComesBack_data();
    void everyFrameArrivesAndComesBack();

private:
    static constexpr int kWidth = 131;
    static constexpr int kHeight = 37;
    static constexpr std::size_t kFrames = 4;

    /// Writes a picture to a frame and presents the frame to the stream.
    Status present(FrameProducer &producer, Image &frame, const std::vector<std::byte> &picture);
    Result<std::vector<std::byte>> look(EglStreamConsumer &consumer);

    Tracer m_tracer;
    std::unique_ptr<GlQueue> m_queue;
    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<Buffer> m_input;
    std::unique_ptr<ExternalDraw> m_draw;
    std::unique_ptr<GlTexture> m_texture;
    std::unique_ptr<GlFramebuffer> m_target;
    std::size_t m_handlesBefore = 0;
};

namespace {

const ImageLayout &layout()
{
    static const ImageLayout all = makeImageLayout(PixelFormat::Rgba8, 131, 37);
    return all;
}

std::vector<std::byte> withoutPadding(const std::vector<std::byte> &picture, int width, int height)
{
    std::vector<std::byte> rows;
    for (int y = 0; y < height; ++y) {
        const auto row = picture.begin() + static_cast<std::ptrdiff_t>(layout().planes[0].pitch) * y;
        rows.insert(rows.end(), row, row + 4 * width);
    }
    return rows;
}

} // namespace

void TestEglStream::initTestCase()
{
    if (testing::cudaDevices().empty())
        QSKIP("this machine has no CUDA device");
}

void TestEglStream::initTestCase_data()
{
    testing::addCudaRows();
}

void TestEglStream::init()
{
    QFETCH_GLOBAL(QString, device);
    m_handlesBefore = LiveCount::handles;
    QString why;
    const std::shared_ptr<EglDisplay> display = testing::displayOf(device.toStdString(), &why);
    QVERIFY2(display, qPrintable(why));
    auto opened = openDevice(device.toStdString(), display);
    JETSCOPE_VERIFY(opened);
    m_device = std::move(opened).value();
    if (!m_device->facts().eglStream.available)
        QSKIP(m_device->facts().eglStream.reason.c_str());
    auto queue = GlQueue::create(display, GlQueue::Execution::Inline, nullptr, m_tracer);
    JETSCOPE_VERIFY(queue);
    m_queue = std::move(queue).value();
    m_stream = m_device->createStream().value();
    m_input = m_device->allocate(Allocation::PinnedMapped, layout().bytes).value();
    m_draw = ExternalDraw::create().value();
    m_texture = GlTexture::create(kWidth, kHeight).value();
    m_target = GlFramebuffer::create(m_texture->id(), kWidth, kHeight).value();
}

void TestEglStream::cleanup()
{
    m_target.reset();
    m_texture.reset();
    m_draw.reset();
    m_input.reset();
    m_stream.reset();
    m_queue.reset();
    m_device.reset();
    QCOMPARE(LiveCount::handles.load(), m_handlesBefore);
}

Status TestEglStream::present(FrameProducer &producer, Image &frame, const std::vector<std::byte> &picture)
{
    std::copy(picture.begin(), picture.end(), m_input->host());
    ChainLaunch launch;
    launch.inputLayout = layout();
    launch.input = wholeOf(*m_input);
    launch.outputImage = &frame;
    JETSCOPE_TRY(m_device->launch(launch, *m_stream));
    JETSCOPE_TRY(m_device->present(producer, frame, *m_stream));
    return m_device->synchronize(*m_stream);
}

Result<std::vector<std::byte>> TestEglStream::look(EglStreamConsumer &consumer)
{
    const Result<EglStreamConsumer::Acquired> acquired = consumer.acquire();
    if (!acquired.ok())
        return acquired.error();
    if (acquired.value() != EglStreamConsumer::Acquired::NewFrame)
        return Error{"eglStreamConsumerAcquireKHR", 0, "no new frame"};
    JETSCOPE_TRY(m_draw->draw(consumer.texture(), *m_target));
    JETSCOPE_TRY(consumer.release());
    std::vector<std::byte> seen(static_cast<std::size_t>(kWidth * kHeight) * 4);
    JETSCOPE_TRY(m_target->read(seen.data(), static_cast<std::size_t>(kWidth) * 4));
    return seen;
}

void TestEglStream::everyFrameArrivesAndComesBack_data()
{
    QTest::addColumn<bool>("arrays");
    QTest::newRow("array") << true;
    QTest::newRow("pitch") << false;
}

void TestEglStream::everyFrameArrivesAndComesBack()
{
    QFETCH(bool, arrays);
    auto consumer = EglStreamConsumer::create(m_queue->display(), static_cast<int>(kFrames), realEglStreamApi());
    JETSCOPE_VERIFY(consumer);
    auto producer = m_device->connectProducer(consumer.value()->native(), kWidth, kHeight,
                                              arrays ? FrameMemory::Array : FrameMemory::Pitch);
    JETSCOPE_VERIFY(producer);
    std::vector<std::unique_ptr<Image>> frames;
    for (std::size_t i = 0; i < kFrames; ++i)
        frames.push_back(m_device->makeFrame(*producer.value()).value());

    // Nothing was presented: nothing comes back, and that is no error.
    const auto early = m_device->takeBack(*producer.value(), *m_stream);
    QVERIFY(!early.ok() || early.value() == nullptr);
    for (std::size_t number = 0; number < 3 * kFrames; ++number) {
        Image &frame = *frames[number % kFrames];
        if (number >= kFrames) {
            Image *returned = nullptr;
            QVERIFY(QTest::qWaitFor([&] {
                const auto taken = m_device->takeBack(*producer.value(), *m_stream);
                returned = taken.ok() ? taken.value() : nullptr;
                return returned != nullptr;
            }));
            QCOMPARE(returned, &frame); // In the order of presentation.
        }
        const std::vector<std::byte> picture = testing::randomBytes(number, layout().bytes);
        JETSCOPE_VERIFY(present(*producer.value(), frame, picture));
        const auto seen = look(*consumer.value());
        JETSCOPE_VERIFY(seen);
        QVERIFY2(seen.value() == withoutPadding(picture, kWidth, kHeight), qPrintable(QString::number(number)));
    }
    producer.value().reset();
    frames.clear();
    consumer.value().reset();
}

QTEST_GUILESS_MAIN(TestEglStream)
#include "tst_eglstream.moc"
