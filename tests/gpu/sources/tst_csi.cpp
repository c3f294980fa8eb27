// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Cameras at a Jetson's CSI connector, with fakes of its camera element, of its buffer library and of the device. The
// fakes enforce the documented order of calls, and the frames must be those of the sensor.
#include "gpu/paths/externalbufferregistry.h" // Before Qt, whose keywords conflict with names in it.

#include "tests/gpu/referencefilters.h"
#include "tests/support/fakecsicamera.h"
#include "tests/support/gpufixture.h"

#include "gpu/filters/filterchain.h"
#include "gpu/sources/gstreamer/csisource.h"
#include "gpu/sources/gstreamer/streamtext.h"
#include "gpu/sources/nvbuf/externalbuffertable.h"

#include <QDeadlineTimer>

#include <deque>
#include <future>

using namespace jetscope;
using testing::FakeCsiCamera;

namespace {

/// Runs `read` on another thread, like the capture thread, and meanwhile prunes the registry like the pipeline thread;
/// cancels the source after 20 s.
template <class Read>
auto besidePruning(FrameSource &source, ExternalBufferRegistry &registry, const Read &read)
{
    auto outcome = std::async(std::launch::async, read);
    const QDeadlineTimer timeout(20'000);
    while (outcome.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
        registry.prune();
        if (timeout.hasExpired())
            source.cancel();
    }
    return outcome.get();
}

} // namespace

class TestCsi : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void optionsAreHeldToTheirForm_data();
    void optionsAreHeldToTheirForm();
    void optionsReachTheCamera();
    void eachBufferIsRegisteredOnceAndShowsItsFrames_data();
    void eachBufferIsRegisteredOnceAndShowsItsFrames();
    void coloursAndLayoutsAreThoseOfTheBuffers_data();
    void coloursAndLayoutsAreThoseOfTheBuffers();
    void otherBuffersAreRefused_data();
    void otherBuffersAreRefused();
    void aBufferWithoutImageIsAnError();
    void anImageOfSomebodyElseIsLeftToHim();
    void aDescriptorThatComesAgainMayBeAnotherBuffer();
    void aCameraThatWasLostComesBackWithOtherBuffers();
    void copiesAndBuffersComeInTurns();
    void aSourceThatGoesLeavesFramesWithTheirReaders();
    void withoutTheLibraryFramesAreCopied();
    void framesArePresentedToAStream();
    void aLostCameraEndsItsStream();
    void theFakeSeesBrokenRules();

private:
    Result<std::unique_ptr<FrameSource>> open(const std::string &uri = "csi:0")
    {
        return openCsi(m_camera->table(), parseSourceUri(uri).value());
    }
    QString violations() const;
    /// A frame as a device reads it; `m_frames` keeps it.
    Result<Image *> next(FrameSource &source, ExternalBufferRegistry &registry);

    std::shared_ptr<EglDisplay> m_display;
    std::unique_ptr<FakeCsiCamera> m_camera;
    std::unique_ptr<Device> m_device;
    std::deque<ExternalFrame> m_frames;
};

void TestCsi::init()
{
    QString why;
    m_display = testing::headlessDisplay(&why);
    if (!m_display)
        QSKIP(qPrintable(why));
    m_camera = std::make_unique<FakeCsiCamera>();
    m_device = m_camera->device();
}

void TestCsi::cleanup()
{
    m_frames.clear();
    m_device.reset();
    m_camera.reset();
}

/// Poll this: GStreamer may release the last buffers on its own thread.
QString TestCsi::violations() const
{
    QStringList all;
    for (const std::string &violation : m_camera->violations())
        all << QString::fromStdString(violation);
    all.removeDuplicates();
    return all.join(QStringLiteral("; "));
}

Result<Image *> TestCsi::next(FrameSource &source, ExternalBufferRegistry &registry)
{
    Result<std::optional<ExternalFrame>> frame = source.readExternal();
    if (!frame.ok())
        return frame.error();
    if (!frame.value())
        return Error{"test", 0, "no frame"};
    m_frames.push_back(std::move(*frame.value()));
    return registry.imageOf(m_frames.back().buffer, source.info().layout, ExternalBufferView::Picture);
}

void TestCsi::optionsAreHeldToTheirForm_data()
{
    QTest::addColumn<QByteArray>("uri");
    QTest::addColumn<bool>("good");
    for (const char *uri : {"csi:0", "csi:15", "csi:0?size=1280x720&fps=29.97", "csi:1?via=nvbuf", "csi:1?via=copy",
                            "csi:2?via=eglstream"})
        QTest::newRow(uri) << QByteArray(uri) << true;
    for (const char *uri : {"csi:", "csi:16", "csi:-1", "csi:0x", "csi:0?size=1280", "csi:0?fps=0", "csi:0?via=dma",
                            "csi:0?mode=1", "csi:0?size=1x1 ! fakesink"})
        QTest::newRow(uri) << QByteArray(uri) << false;
}

void TestCsi::optionsAreHeldToTheirForm()
{
    QFETCH(QByteArray, uri);
    QFETCH(bool, good);
    const auto options = readCsiOptions(parseSourceUri(uri.toStdString()).value());
    QCOMPARE(options.ok(), good);
    if (!good)
        QVERIFY2(options.error().message().find("csi:0") != std::string::npos, options.error().message().c_str());
}

void TestCsi::optionsReachTheCamera()
{
    {
        const auto source = open("csi:3?size=120x80&fps=25");
        JETSCOPE_VERIFY(source);
        QCOMPARE(source.value()->info().layout.width, 120);
        QCOMPARE(source.value()->info().layout.height, 80);
        QCOMPARE(source.value()->info().fps, 25.0);
        QVERIFY(source.value()->info().live);
        QVERIFY(source.value()->info().description.find("not verified on hardware") != std::string::npos);
        QVERIFY(!source.value()->state().remark.empty());
        QCOMPARE(source.value()->state().externalCopies.size(), std::size_t(1));
        QCOMPARE(source.value()->state().copies.size(), std::size_t(3));
    }
    QTRY_COMPARE(violations(), QString());
}

void TestCsi::eachBufferIsRegisteredOnceAndShowsItsFrames_data()
{
    QTest::addColumn<std::size_t>("inFlight");
    for (const std::size_t inFlight : {1, 2, 4})
        QTest::addRow("%zu in flight", inFlight) << inFlight;
}

void TestCsi::eachBufferIsRegisteredOnceAndShowsItsFrames()
{
    QFETCH(std::size_t, inFlight);
    {
        ExternalBufferRegistry registry(*m_device, m_display);
        auto source = open();
        JETSCOPE_VERIFY(source);
        std::int64_t last = -1;
        for (int frame = 0; frame < 60; ++frame) {
            const auto image = next(*source.value(), registry);
            JETSCOPE_VERIFY(image);
            const std::uint64_t number = m_camera->numberOf(*image.value());
            QVERIFY(static_cast<std::int64_t>(number) > last);
            last = static_cast<std::int64_t>(number);
            const ImageLayout &layout = source.value()->info().layout;
            QVERIFY(m_camera->readAsDevice(*image.value(), layout) == m_camera->pictureOf(number, layout));
            if (m_frames.size() >= inFlight)
                m_frames.pop_front();
            registry.prune();
        }
        QVERIFY(m_camera->registrations() > 1);
        QVERIFY(m_camera->registrations() <= std::size_t(FakeCsiCamera::kBuffers));
        QCOMPARE(m_camera->maps(), m_camera->registrations());
        QCOMPARE(registry.size(), m_camera->registrations());
        m_frames.clear();
        source.value().reset();
        registry.prune();
        QCOMPARE(registry.size(), std::size_t(0));
    }
    QCOMPARE(m_camera->buffersOut(), 0);
    QTRY_COMPARE(violations(), QString());
}

void TestCsi::coloursAndLayoutsAreThoseOfTheBuffers_data()
{
    QTest::addColumn<std::uint32_t>("format");
    QTest::addColumn<bool>("blockLinear");
    QTest::addColumn<YuvColour>("colour");
    const struct {
        const char *name;
        std::uint32_t format;
        YuvColour colour;
    } rows[] = {{"601 limited", 6, YuvColour::Bt601Limited},
                {"601 full", 7, YuvColour::Bt601Full},
                {"709 limited", 33, YuvColour::Bt709Limited},
                {"709 full", 34, YuvColour::Bt709Full}};
    for (const auto &row : rows)
        for (const bool blockLinear : {false, true})
            QTest::addRow("%s, %s", row.name, blockLinear ? "block-linear" : "pitch-linear")
                << row.format << blockLinear << row.colour;
}

void TestCsi::coloursAndLayoutsAreThoseOfTheBuffers()
{
    QFETCH(std::uint32_t, format);
    QFETCH(bool, blockLinear);
    QFETCH(YuvColour, colour);
    m_camera->setColourFormat(format);
    m_camera->setBlockLinear(blockLinear);
    {
        ExternalBufferRegistry registry(*m_device, m_display);
        auto source = open();
        JETSCOPE_VERIFY(source);
        const ImageLayout layout = source.value()->info().layout;
        QVERIFY(layout == makeImageLayout(PixelFormat::Nv12, layout.width, layout.height, colour));
        const auto image = next(*source.value(), registry);
        JETSCOPE_VERIFY(image);
        const std::vector<std::byte> seen = m_camera->readAsDevice(*image.value(), layout);
        ChainWork work;
        std::vector<std::byte> rgba(static_cast<std::size_t>(layout.width * layout.height) * 4);
        work.inputLayout = layout;
        work.input = seen.data();
        work.output = rgba.data();
        work.outputPitch = static_cast<std::size_t>(layout.width) * 4;
        ChainExecutor().run(work);
        const auto expected = reference::bytesOf(reference::convert(layout, seen.data()));
        QCOMPARE(expected.size(), rgba.size());
        QVERIFY(std::memcmp(expected.data(), rgba.data(), rgba.size()) == 0);
        m_frames.clear();
    }
    QTRY_COMPARE(violations(), QString());
}

void TestCsi::otherBuffersAreRefused_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<std::uint32_t>("format");
    for (const char *member : {"bytes", "memory", "batchSize", "list", "width", "height", "layout", "planes.count",
                               "planes.width", "planes.height", "planes.pitch", "chroma pitch"})
        QTest::newRow(member) << QString::fromLatin1(member) << std::uint32_t(nvbuf::kNv12);
    for (const std::uint32_t format : {0u, 8u, 19u, 29u, 36u, 0xffffffffu})
        QTest::addRow("colour format %u", format) << QString() << format;
}

void TestCsi::otherBuffersAreRefused()
{
    QFETCH(QString, member);
    QFETCH(std::uint32_t, format);
    m_camera->spoil(member.toStdString());
    m_camera->setColourFormat(format);
    const auto source = open();
    QVERIFY(!source.ok());
    const char *hint = member == "bytes" ? "JetPack 5" : "via=copy";
    QVERIFY2(source.error().message().find(hint) != std::string::npos, source.error().message().c_str());
    QTRY_COMPARE(violations(), QString());
    QCOMPARE(m_camera->maps(), std::size_t(0));
}

void TestCsi::aBufferWithoutImageIsAnError()
{
    m_camera->refuseImages();
    {
        ExternalBufferRegistry registry(*m_device, m_display);
        auto source = open();
        JETSCOPE_VERIFY(source);
        const auto image = next(*source.value(), registry);
        QVERIFY(!image.ok());
        QCOMPARE(image.error().call, std::string("NvBufSurfaceMapEglImage"));
        QCOMPARE(registry.size(), std::size_t(0));
        m_frames.clear();
    }
    QTRY_COMPARE(violations(), QString());
}

void TestCsi::anImageOfSomebodyElseIsLeftToHim()
{
    int calls = 0;
    static int *counted = nullptr;
    counted = &calls;
    const auto count = [](nvbuf::Surface *, int) { return ++*counted; };
    nvbuf::SurfaceParams params{};
    nvbuf::Surface surface{};
    surface.list = &params;
    params.eglImage = &params;
    ExternalBufferTable table({count, count});
    {
        const auto made = table.externalBufferOf(&surface, nullptr);
        const Result<void *> image = made->eglImage(nullptr);
        JETSCOPE_VERIFY(image);
        QCOMPARE(image.value(), static_cast<void *>(&params));
    }
    table.clear();
    QCOMPARE(calls, 0);
}

void TestCsi::aDescriptorThatComesAgainMayBeAnotherBuffer()
{
    const auto nothing = [](nvbuf::Surface *, int) { return 0; };
    nvbuf::SurfaceParams params[2]{};
    nvbuf::Surface buffers[2]{};
    for (int i = 0; i < 2; ++i) {
        params[i].descriptor = 42;
        buffers[i].list = &params[i];
    }
    ExternalBufferTable table({nothing, nothing});
    const auto first = table.externalBufferOf(&buffers[0], nullptr);
    QCOMPARE(table.externalBufferOf(&buffers[0], nullptr), first);
    QCOMPARE(first->nvBufDescriptor().value(), 42); // For libraries that wrap the buffer.
    const auto second = table.externalBufferOf(&buffers[1], nullptr);
    QVERIFY(second != first);
    QCOMPARE(first.use_count(), 1L); // Released together with its buffer.
    params[1].descriptor = 43;
    QVERIFY(table.externalBufferOf(&buffers[1], nullptr) != second);
}

void TestCsi::aCameraThatWasLostComesBackWithOtherBuffers()
{
    {
        ExternalBufferRegistry registry(*m_device, m_display);
        auto source = open();
        JETSCOPE_VERIFY(source);
        for (int frame = 0; frame < 20; ++frame) {
            JETSCOPE_VERIFY(next(*source.value(), registry));
            m_frames.pop_front();
        }
        const std::size_t before = m_camera->registrations();
        m_camera->lose();
        bool back = false;
        for (int frame = 0; frame < 40 && !back; ++frame) {
            const auto found = besidePruning(*source.value(), registry, [&] { return source.value()->readExternal(); });
            JETSCOPE_VERIFY(found);
            QVERIFY(found.value());
            JETSCOPE_VERIFY(
                registry.imageOf(found.value()->buffer, source.value()->info().layout, ExternalBufferView::Picture));
            back = !found.value()->captured.gaps.empty();
        }
        QVERIFY(back);
        QCOMPARE(m_camera->started(), 2);
        QCOMPARE(source.value()->state().trouble, std::string());
        QCOMPARE(source.value()->state().faults.gaps, std::uint64_t(1));
        QVERIFY(m_camera->registrations() > before);
        source.value().reset();
        registry.prune();
    }
    QTRY_COMPARE(violations(), QString());
}

void TestCsi::copiesAndBuffersComeInTurns()
{
    {
        ExternalBufferRegistry registry(*m_device, m_display);
        auto source = open();
        JETSCOPE_VERIFY(source);
        const ImageLayout layout = source.value()->info().layout;
        for (int turn = 0; turn < 3; ++turn) {
            for (int frame = 0; frame < 5; ++frame) {
                const auto image = next(*source.value(), registry);
                JETSCOPE_VERIFY(image);
                QVERIFY(m_camera->readAsDevice(*image.value(), layout)
                        == m_camera->pictureOf(m_camera->numberOf(*image.value()), layout));
                m_frames.clear();
            }
            std::vector<std::byte> bytes(layout.bytes);
            const auto copied =
                besidePruning(*source.value(), registry, [&] { return source.value()->read(bytes.data()); });
            JETSCOPE_VERIFY(copied);
            QVERIFY(copied.value());
            QCOMPARE(registry.size(), std::size_t(0)); // The camera cannot be opened while its buffers are held.
            QVERIFY(bytes == m_camera->pictureOf(0, layout) || bytes == m_camera->pictureOf(1, layout));
        }
        source.value().reset();
    }
    QCOMPARE(m_camera->started(), 6);
    QTRY_COMPARE(violations(), QString());
}

void TestCsi::aSourceThatGoesLeavesFramesWithTheirReaders()
{
    {
        ExternalBufferRegistry registry(*m_device, m_display);
        auto source = open();
        JETSCOPE_VERIFY(source);
        const ImageLayout layout = source.value()->info().layout;
        const auto image = next(*source.value(), registry);
        JETSCOPE_VERIFY(image);
        JETSCOPE_VERIFY(next(*source.value(), registry));
        source.value()->cancel();
        const auto none = source.value()->readExternal();
        JETSCOPE_VERIFY(none);
        source.value().reset();
        registry.prune();
        QCOMPARE(registry.size(), std::size_t(2));
        QVERIFY(m_camera->readAsDevice(*image.value(), layout)
                == m_camera->pictureOf(m_camera->numberOf(*image.value()), layout));
        m_frames.clear();
        registry.prune();
        QCOMPARE(registry.size(), std::size_t(0));
    }
    QTRY_COMPARE(violations(), QString());
}

void TestCsi::withoutTheLibraryFramesAreCopied()
{
    {
        const auto source = openCsi(Error{"libnvbufsurface.so", 0, "not installed"}, parseSourceUri("csi:0").value());
        JETSCOPE_VERIFY(source);
        QVERIFY(!source.value()->externalBuffers().ok());
        QCOMPARE(source.value()->externalBuffers().error().text, std::string("not installed"));
        const ImageLayout layout = source.value()->info().layout;
        std::vector<std::byte> bytes(layout.bytes);
        const auto read = source.value()->read(bytes.data());
        JETSCOPE_VERIFY(read);
        QVERIFY(bytes == m_camera->pictureOf(0, layout));
        QCOMPARE(m_camera->started(), 1);
    }
    {
        const auto asked = open("csi:0?via=copy");
        JETSCOPE_VERIFY(asked);
        QVERIFY(!asked.value()->externalBuffers().ok());
    }
    const Status real = checkSourceUri("csi:0?via=nvbuf");
    if (realNvBufApi().ok())
        JETSCOPE_VERIFY(real);
    else
        QVERIFY2(real.error().text.find("not installed") != std::string::npos, real.error().message().c_str());
    QTRY_COMPARE(violations(), QString());
}

void TestCsi::framesArePresentedToAStream()
{
    int display = 0;
    int first = 0;
    int second = 0;
    {
        auto source = open("csi:0?via=eglstream");
        JETSCOPE_VERIFY(source);
        QCOMPARE(source.value()->externalBuffers().value(), ExternalBufferView::Stream);
        QCOMPARE(source.value()->state().externalCopies.size(), std::size_t(3));
        QVERIFY(!source.value()->readExternal().ok()); // There is no stream.
        std::uint64_t index = 0;
        for (void *stream : {static_cast<void *>(&first), static_cast<void *>(&second)}) {
            JETSCOPE_VERIFY(source.value()->presentTo(&display, stream));
            for (int frame = 0; frame < 10; ++frame) {
                const auto read = source.value()->readExternal();
                JETSCOPE_VERIFY(read);
                QVERIFY(read.value() && !read.value()->buffer);
                QCOMPARE(read.value()->captured.index, index++);
                QCOMPARE(m_camera->presentsTo(), stream);
            }
        }
        JETSCOPE_VERIFY(source.value()->presentTo(nullptr, nullptr));
        QCOMPARE(m_camera->presentsTo(), nullptr);
        QVERIFY(m_camera->presented() >= 18); // A stream's last frame may not have been presented.
        std::vector<std::byte> bytes(source.value()->info().layout.bytes);
        JETSCOPE_VERIFY(source.value()->read(bytes.data()));
        QVERIFY(bytes == m_camera->pictureOf(0, source.value()->info().layout));
        JETSCOPE_VERIFY(source.value()->presentTo(&display, &first));
        source.value()->cancel();
        const auto none = source.value()->readExternal();
        JETSCOPE_VERIFY(none);
        QVERIFY(!none.value());
        source.value().reset();
        QCOMPARE(m_camera->presentsTo(), nullptr);
    }
    QTRY_COMPARE(violations(), QString());
}

void TestCsi::aLostCameraEndsItsStream()
{
    int display = 0;
    auto source = open("csi:0?via=eglstream");
    JETSCOPE_VERIFY(source);
    JETSCOPE_VERIFY(source.value()->presentTo(&display, &display));
    JETSCOPE_VERIFY(source.value()->readExternal());
    m_camera->lose();
    Result<std::optional<ExternalFrame>> read = std::optional<ExternalFrame>();
    for (int frame = 0; frame < 100 && read.ok(); ++frame)
        read = source.value()->readExternal();
    QVERIFY(!read.ok());
    QVERIFY2(read.error().text.find("the camera service went away") != std::string::npos,
             read.error().message().c_str());
    source.value().reset();
    QTRY_COMPARE(violations(), QString());
}

/// Proves that the fake detects violations.
void TestCsi::theFakeSeesBrokenRules()
{
    const auto broken = [&](const char *rule) {
        const std::vector<std::string> found = m_camera->violations();
        return std::find(found.begin(), found.end(), rule) != found.end();
    };
    const NvBufApi &api = m_camera->table();
    nvbuf::Surface foreign{};
    api.mapEglImage(&foreign, 0);
    QVERIFY(broken("the first buffer of a batch that the library knows is mapped"));
    auto source = open();
    JETSCOPE_VERIFY(source);
    const ImageLayout layout = source.value()->info().layout;
    auto pipeline =
        StreamPipeline::start({"nvarguscamerasrc ! video/x-raw(memory:NVMM),format=NV12", StreamMemory::Hardware});
    source.value().reset();
    pipeline =
        StreamPipeline::start({"nvarguscamerasrc ! video/x-raw(memory:NVMM),format=NV12", StreamMemory::Hardware});
    JETSCOPE_VERIFY(pipeline);
    auto picture = pipeline.value()->next(std::chrono::seconds(5));
    JETSCOPE_VERIFY(picture);
    auto mapped = picture.value()->map();
    JETSCOPE_VERIFY(pipeline.value()->next(std::chrono::seconds(5))); // The sink keeps the last taken sample.
    m_camera->lose();                                                 // No buffer is reused.
    while (pipeline.value()->next(std::chrono::milliseconds(100)).ok()) {}
    auto *surface = static_cast<nvbuf::Surface *>(mapped.value()->data());
    api.unMapEglImage(surface, 0);
    QVERIFY(broken("what is unmapped is mapped"));
    QVERIFY(!broken("a buffer is mapped once"));
    api.mapEglImage(surface, 0);
    api.mapEglImage(surface, 0);
    QVERIFY(broken("a buffer is mapped once"));
    void *image = surface->list[0].eglImage;
    auto first = m_device->registerEglImage(image, layout.width, layout.height);
    QVERIFY(broken("a camera's buffer shows the picture itself"));
    auto second = m_device->registerEglPicture(image, makeImageLayout(PixelFormat::Nv12, 2, 2));
    QVERIFY(broken("a descriptor is registered once"));
    QVERIFY(broken("an image is registered with the size that it has"));
    QVERIFY(!broken("a buffer is read while the application has it"));
    mapped = Error{"", 0, ""};
    picture.value().reset();
    static_cast<void>(m_camera->readAsDevice(*first.value(), layout));
    QVERIFY(broken("a buffer is read while the application has it"));
    QVERIFY(broken("an image is still mapped"));
    api.unMapEglImage(surface, 0);
    QVERIFY(broken("an image is unregistered before it is unmapped"));
    auto third = m_device->registerEglPicture(image, layout);
    QVERIFY(broken("an image is mapped before it is registered"));
    api.mapEglImage(surface, 0);
    QVERIFY(broken("a buffer is mapped while the application has it"));
    pipeline.value().reset();
    QVERIFY(broken("an image is destroyed before its buffer goes"));
    QVERIFY(broken("an image is unregistered before its buffer goes"));
    api.unMapEglImage(surface, 0);
    QVERIFY(broken("a buffer is unmapped while it lives"));
}

QTEST_GUILESS_MAIN(TestCsi)
#include "tst_csi.moc"
