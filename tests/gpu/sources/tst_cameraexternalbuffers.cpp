// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A camera's own buffers as EGLImages, with a fake of driver and display that enforces the order of calls: each buffer
// is exported once and its file closed, no buffer is queued while it is being read, no image outlives its buffer.
// tst_vivid tests a real display with a real driver's buffers where such a display exists.
#include "tests/support/fakecamera.h"
#include "tests/support/pipelinefixture.h"

#include "gpu/sources/v4l2/camerasource.h"
#include "tests/support/testprogram.h"

#include <deque>
#include <future>
#include <set>

using namespace jetscope;
using testing::FakeCamera;

namespace {

constexpr EGLint kBytesFormat = 0x34324241; ///< DRM_FORMAT_ABGR8888

/// A display that imports what the camera exports. EGL's entry points have no object argument, so there is one per
/// program.
struct FakeDisplay {
    struct Picture {
        std::uint32_t buffer = 0;
        std::vector<EGLint> attributes;
    };

    FakeCamera *camera = nullptr;
    std::string extensions = "EGL_KHR_image_base EGL_EXT_image_dma_buf_import EGL_EXT_image_dma_buf_import_modifiers";
    std::vector<EGLint> formats{0x3231564e, kBytesFormat};
    std::vector<EGLuint64KHR> modifiers{0};
    bool refuses = false;
    std::mutex mutex;
    std::set<Picture *> alive;
    int made = 0;
    std::string broken;
};
FakeDisplay *theDisplay = nullptr;

EGLBoolean queryFormats(EGLDisplay, EGLint most, EGLint *out, EGLint *count)
{
    *count = static_cast<EGLint>(theDisplay->formats.size());
    std::copy_n(theDisplay->formats.begin(), std::min(most, *count), out);
    return EGL_TRUE;
}

EGLBoolean queryModifiers(EGLDisplay, EGLint format, EGLint most, EGLuint64KHR *out, EGLBoolean *, EGLint *count)
{
    *count = format == kBytesFormat ? static_cast<EGLint>(theDisplay->modifiers.size()) : 0;
    std::copy_n(theDisplay->modifiers.begin(), std::min(most, *count), out);
    return EGL_TRUE;
}

EGLImageKHR createImage(EGLDisplay, EGLContext context, EGLenum target, EGLClientBuffer buffer,
                        const EGLint *attributes)
{
    const std::lock_guard lock(theDisplay->mutex);
    auto picture = std::make_unique<FakeDisplay::Picture>();
    for (; *attributes != EGL_NONE; attributes += 2)
        picture->attributes.insert(picture->attributes.end(), attributes, attributes + 2);
    if (context != EGL_NO_CONTEXT || target != EGL_LINUX_DMA_BUF_EXT || buffer)
        theDisplay->broken += "asks in another way than the extension says; ";
    const auto file = std::find(picture->attributes.begin(), picture->attributes.end(), EGL_DMA_BUF_PLANE0_FD_EXT) + 1;
    const auto exported = theDisplay->camera->exported.find(*file);
    if (exported == theDisplay->camera->exported.end())
        theDisplay->broken += "imports a file that is closed; ";
    else
        picture->buffer = exported->second;
    if (theDisplay->refuses)
        return EGL_NO_IMAGE_KHR;
    ++theDisplay->made;
    return *theDisplay->alive.insert(picture.release()).first;
}

EGLBoolean destroyImage(EGLDisplay, EGLImageKHR image)
{
    const std::lock_guard lock(theDisplay->mutex);
    auto *picture = static_cast<FakeDisplay::Picture *>(image);
    if (theDisplay->alive.erase(picture) != 1)
        theDisplay->broken += "destroys what is no image; ";
    delete picture;
    return EGL_TRUE;
}

const DmabufApi kApi{[](EGLDisplay, EGLint) { return theDisplay->extensions.c_str(); },
                     [] { return EGLint{EGL_BAD_ALLOC}; },
                     createImage,
                     destroyImage,
                     queryFormats,
                     queryModifiers};

/// Any value: the fake does not use it.
void *const kDisplay = &theDisplay;

} // namespace

class TestCameraExternalBuffers : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void buffersGoRoundInOrder();
    void readersThatKeepEverythingAreWaitedFor();
    void imagesGoBeforeBuffersWhenTheCameraGoes();
    void theDisplayIsAskedForBytes();
    void whatCannotBeHandedInSaysWhy_data();
    void whatCannotBeHandedInSaysWhy();
    void aTrialDecides_data();
    void aTrialDecides();
    void aRealDisplayGivesItsOwnAnswer();

private:
    struct Held {
        ExternalFrame frame;
        std::uint32_t buffer = 0;
    };
    Result<std::unique_ptr<FrameSource>> open(const char *uri = "v4l2:?io=dmabuf");
    Held next(FrameSource &source);
    void giveBack(Held held);
    std::unique_ptr<FakeCamera> m_camera;
    std::unique_ptr<FakeDisplay> m_display;
    std::mutex m_mutex;
    std::set<std::uint32_t> m_read; ///< Buffers that are being read.
    bool m_strict = true;           ///< False if the camera loses its buffers.
};

void TestCameraExternalBuffers::init()
{
    m_display = std::make_unique<FakeDisplay>();
    theDisplay = m_display.get();
    m_camera = std::make_unique<FakeCamera>();
    m_display->camera = m_camera.get();
    m_read.clear();
    m_strict = true;
    m_camera->queueing = [this](std::uint32_t index) {
        const std::lock_guard lock(m_mutex);
        if (m_strict && m_read.count(index) > 0)
            m_display->broken += "queues a buffer that is read; ";
    };
    m_camera->freeing = [this] {
        const std::lock_guard lock(m_display->mutex);
        if (!m_display->alive.empty())
            m_display->broken += "frees buffers while there are images of them; ";
    };
}

void TestCameraExternalBuffers::cleanup()
{
    QVERIFY2(m_camera->broken.empty(), m_camera->broken.c_str());
    QVERIFY2(m_display->broken.empty(), m_display->broken.c_str());
    QCOMPARE(m_camera->openFiles, 0);
    QCOMPARE(m_camera->mappings, 0);
    QVERIFY2(m_camera->exported.empty(), "a buffer's file stays open");
    QVERIFY2(m_display->alive.empty(), "an image stays");
}

Result<std::unique_ptr<FrameSource>> TestCameraExternalBuffers::open(const char *uri)
{
    return openCamera(*m_camera, parseSourceUri(uri).value(), kApi);
}

TestCameraExternalBuffers::Held TestCameraExternalBuffers::next(FrameSource &source)
{
    Result<std::optional<ExternalFrame>> read = source.readExternal();
    if (!read.ok())
        qFatal("%s", read.error().message().c_str());
    Held held{std::move(*read.value()), 0};
    const Result<void *> image = held.frame.buffer->eglImage(kDisplay);
    if (!image.ok() || image.value() != held.frame.buffer->eglImage(kDisplay).value())
        qFatal("an image is not made, or made twice");
    held.buffer = static_cast<FakeDisplay::Picture *>(image.value())->buffer;
    const std::lock_guard lock(m_mutex);
    m_read.insert(held.buffer);
    return held;
}

void TestCameraExternalBuffers::giveBack(Held held)
{
    {
        const std::lock_guard lock(m_mutex);
        m_read.erase(held.buffer);
    }
    held.frame.hold.reset();
}

void TestCameraExternalBuffers::buffersGoRoundInOrder()
{
    Result<std::unique_ptr<FrameSource>> source = open();
    JETSCOPE_VERIFY(source);
    QVERIFY(source.value()->externalBuffers().ok());
    QVERIFY(source.value()->externalBuffers().value() == ExternalBufferView::Bytes);
    QCOMPARE(source.value()->buffersWanted(), std::size_t{0});
    QVERIFY(source.value()->state().externalCopies.empty());
    std::deque<Held> held;
    std::set<std::uint32_t> buffers;
    for (std::uint64_t i = 0; i < 300; ++i) {
        held.push_back(next(*source.value()));
        buffers.insert(held.back().buffer);
        QCOMPARE(held.back().frame.captured.index, i);
        while (held.size() > i % 5) { // Varies the number of held frames and which is released first.
            Held &out = i % 3 == 0 ? held.back() : held.front();
            giveBack(std::move(out));
            if (i % 3 == 0)
                held.pop_back();
            else
                held.pop_front();
        }
    }
    QVERIFY(buffers.size() > 4);
    QCOMPARE(m_display->made, static_cast<int>(buffers.size())); // One image per buffer, however often it was used.
    // The same queue also serves copies.
    std::vector<std::byte> copy(source.value()->info().layout.bytes);
    QVERIFY(source.value()->read(copy.data()).ok());
    QCOMPARE(copy[0], std::byte{0x55});
    // The last frame outlives the source, its thread and its user.
    Held last = next(*source.value());
    for (Held &other : held)
        giveBack(std::move(other));
    held.clear();
    source.value().reset();
    QCOMPARE(m_camera->openFiles, 1);
    giveBack(std::move(last));
}

void TestCameraExternalBuffers::readersThatKeepEverythingAreWaitedFor()
{
    Result<std::unique_ptr<FrameSource>> source = open();
    JETSCOPE_VERIFY(source);
    std::vector<Held> held;
    std::uint32_t queued = 0; // All of them at the start, and none since.
    m_camera->queueing = [&](std::uint32_t) { ++queued; };
    do
        held.push_back(next(*source.value()));
    while (held.size() < queued);
    std::future<std::uint32_t> waiting = std::async(std::launch::async, [&] {
        Held one = next(*source.value());
        giveBack(one);
        return one.buffer;
    });
    const std::uint32_t freed = held[3].buffer;
    giveBack(std::exchange(held[3], {}));
    QCOMPARE(waiting.get(), freed);
    held[3] = next(*source.value());
    waiting = std::async(std::launch::async, [&] {
        return static_cast<std::uint32_t>(source.value()->readExternal().value().has_value());
    });
    source.value()->cancel();
    QCOMPARE(waiting.get(), 0u);
}

void TestCameraExternalBuffers::imagesGoBeforeBuffersWhenTheCameraGoes()
{
    Result<std::unique_ptr<FrameSource>> source = open();
    JETSCOPE_VERIFY(source);
    int looks = 0;
    std::deque<Held> held;
    m_strict = false; // A camera that comes back numbers its buffers anew.
    m_camera->paused = [&] {
        while (!held.empty()) { // The GPU has finished reading them.
            giveBack(std::move(held.front()));
            held.pop_front();
        }
        m_camera->present = ++looks % 3 == 0;
    };
    std::size_t gaps = 0;
    for (int i = 0; i < 100; ++i) {
        if (i % 10 == 9)
            m_camera->present = false;
        held.push_back(next(*source.value()));
        gaps += held.back().frame.captured.gaps.size();
        if (held.size() > 3) {
            giveBack(std::move(held.front()));
            held.pop_front();
        }
    }
    QCOMPARE(gaps, std::size_t{10});
    QCOMPARE(source.value()->state().faults.gaps, std::uint64_t{10});
}

void TestCameraExternalBuffers::theDisplayIsAskedForBytes()
{
    m_camera->fourccs = {V4L2_PIX_FMT_NV12};
    m_camera->imageBytes = 64 * 72;
    m_camera->pitch = 64;
    for (const bool linear : {true, false}) {
        m_display->modifiers = linear ? std::vector<EGLuint64KHR>{7, 0} : std::vector<EGLuint64KHR>{7};
        Result<std::unique_ptr<FrameSource>> source = open();
        JETSCOPE_VERIFY(source);
        Held held = next(*source.value());
        const auto *picture = static_cast<FakeDisplay::Picture *>(held.frame.buffer->eglImage(kDisplay).value());
        std::map<EGLint, EGLint> asked;
        for (std::size_t i = 0; i < picture->attributes.size(); i += 2)
            asked[picture->attributes[i]] = picture->attributes[i + 1];
        QCOMPARE(asked[EGL_WIDTH], 16);
        QCOMPARE(asked[EGL_HEIGHT], 72); // Luma and chroma, one after the other.
        QCOMPARE(asked[EGL_DMA_BUF_PLANE0_PITCH_EXT], 64);
        QCOMPARE(asked[EGL_DMA_BUF_PLANE0_OFFSET_EXT], 0);
        QCOMPARE(asked[EGL_LINUX_DRM_FOURCC_EXT], kBytesFormat);
        QCOMPARE(asked.count(EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT), linear ? std::size_t{1} : std::size_t{0});
        QCOMPARE(asked[EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT], 0);
        giveBack(std::move(held));
    }
}

void TestCameraExternalBuffers::whatCannotBeHandedInSaysWhy_data()
{
    QTest::addColumn<int>("lack");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("no export") << 0 << QByteArray("does not let go of them");
    QTest::newRow("padded rows") << 1 << QByteArray("pads rows");
}

void TestCameraExternalBuffers::whatCannotBeHandedInSaysWhy()
{
    QFETCH(int, lack);
    QFETCH(QByteArray, reason);
    m_camera->exportsBuffers = lack != 0;
    m_camera->pitch = lack == 1 ? 192 : 128;
    const auto source = open();
    QVERIFY(!source.ok());
    const QByteArray text = QByteArray::fromStdString(source.error().message());
    QVERIFY2(text.contains(reason) && text.contains("io=mmap"), text.constData());
    // Without the option, the error names it.
    const auto other = open("v4l2:?io=mmap");
    JETSCOPE_VERIFY(other);
    QVERIFY(other.value()->externalBuffers().error().text.find("io=dmabuf") != std::string::npos);
}

void TestCameraExternalBuffers::aTrialDecides_data()
{
    QTest::addColumn<int>("lack");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("nothing") << 0 << QByteArray();
    QTest::newRow("the extension") << 1 << QByteArray("EGL_EXT_image_dma_buf_import");
    QTest::newRow("the format") << 2 << QByteArray("does not import RGBA bytes");
    QTest::newRow("the display's consent") << 3 << QByteArray("does not import this camera's buffer");
    QTest::newRow("the right bytes") << 4 << QByteArray("something else");
}

void TestCameraExternalBuffers::aTrialDecides()
{
    QFETCH(int, lack);
    QFETCH(QByteArray, reason);
    if (lack == 1)
        m_display->extensions = "EGL_EXT_image_dma_buf_import_modifiers EGL_KHR_image_base";
    if (lack == 2)
        m_display->formats = {0x3231564e};
    m_display->refuses = lack == 3;
    Result<std::unique_ptr<FrameSource>> source = open();
    JETSCOPE_VERIFY(source);
    int trials = 0;
    source.value()->tryExternalBuffers([&](ExternalBuffer &buffer, const std::byte *bytes) -> Status {
        ++trials;
        const Result<void *> image = buffer.eglImage(kDisplay);
        if (!image.ok())
            return image.error();
        if (bytes[0] == bytes[1] || lack == 4)
            return Error{"glReadPixels", 0, "something else"};
        return {};
    });
    QCOMPARE(trials, 1);
    QCOMPARE(m_display->alive.size(), std::size_t{0});
    const Result<ExternalBufferView> externalBuffers = source.value()->externalBuffers();
    QCOMPARE(externalBuffers.ok(), lack == 0);
    if (!externalBuffers.ok())
        QVERIFY2(externalBuffers.error().text.find(reason.toStdString()) != std::string::npos,
                 externalBuffers.error().message().c_str());
    // Every other memory kind works as usual.
    std::vector<std::byte> copy(source.value()->info().layout.bytes);
    QVERIFY(source.value()->read(copy.data()).ok());
    QCOMPARE(copy[0], std::byte{0x55});
}

void TestCameraExternalBuffers::aRealDisplayGivesItsOwnAnswer()
{
    QString why;
    const std::shared_ptr<EglDisplay> display = testing::headlessDisplay(&why);
    if (!display)
        QSKIP(qPrintable(why));
    if (display->hasExtension("EGL_EXT_image_dma_buf_import"))
        QSKIP("this display imports buffers, but these are none");
    const auto setupOf = [&](MemoryKind memory) {
        PipelineSetup setup;
        setup.display = display;
        setup.deviceId = "soft:orin";
        setup.source = openCamera(*m_camera, parseSourceUri("v4l2:?io=dmabuf").value()).value();
        setup.config.memory = memory;
        setup.frameLimit = 3;
        return setup;
    };
    const auto refused = Pipeline::create(setupOf(MemoryKind::NvBuf));
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().text.find("EGL_EXT_image_dma_buf_import") != std::string::npos,
             refused.error().message().c_str());
    const auto copied = Pipeline::create(setupOf(MemoryKind::Pinned));
    JETSCOPE_VERIFY(copied);
    copied.value()->waitForEnd();
    const PipelineStatus status = copied.value()->status();
    QVERIFY(status.state == PipelineState::Ended);
    QVERIFY(!status.facts.nvBuf.available);
    QVERIFY2(status.facts.nvBuf.reason.find("EGL_EXT_image_dma_buf_import") != std::string::npos,
             status.facts.nvBuf.reason.c_str());
}

JETSCOPE_TEST(TestCameraExternalBuffers)
#include "tst_cameraexternalbuffers.moc"
