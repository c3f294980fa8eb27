// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// CUDA reads frames from other producers: from an EGLStream as its consumer, or from a camera's buffer through an
// EGLImage. Most of these producers exist only on a Jetson. Here a fake enforces the documented order of calls, without
// a GPU.
#include "gpu/paths/externalbufferregistry.h"
#include "gpu/paths/streamloop.h" // Before Qt: it has a function `slots`, which Qt defines as a keyword.

#include "tests/cuda/contractdevice.h"
#include "tests/cuda/fakeeglframes.h"
#include "tests/cuda/fakeeventapi.h"
#include "tests/support/gpufixture.h"

#include "core/recording/tracer.h"
#include "gpu/cuda/eglstream/eglframe.h"
#include "gpu/cuda/eglstream/eglpicture.h"
#include "gpu/cuda/eglstream/streamreader.h"
#include "gpu/gputime/gputimer.h"

#include <set>

using namespace jetscope;
using testing::FakeEglFrames;

namespace {

/// A device that reads the frames that the fake produces.
class FrameDevice final : public testing::ContractDevice {
public:
    FrameDevice(FakeEglFrames &frames, const EventApi &events, std::shared_ptr<EglDisplay> display)
        : ContractDevice(events, std::move(display)), m_frames(frames)
    {
    }

    Result<std::unique_ptr<FrameConsumer>> connectConsumer(void *stream) override
    {
        Result<std::unique_ptr<StreamReader>> reader = StreamReader::connect(m_frames.table(), stream);
        if (!reader.ok())
            return reader.error();
        return std::unique_ptr<FrameConsumer>(new Consumer(std::move(reader).value()));
    }
    Result<std::unique_ptr<FrameProducer>> connectProducer(void *stream, int, int, FrameMemory) override
    {
        return m_frames.connectProducer(stream);
    }
    Result<std::unique_ptr<Image>> registerEglPicture(void *eglImage, const ImageLayout &layout) override
    {
        return jetscope::registerEglPicture(m_frames.table(), eglImage, layout);
    }
    Status launch(const ChainLaunch &work, Stream &) override
    {
        writtenTooEarly = writtenTooEarly || m_frames.isInStream(*work.outputImage);
        return {};
    }

    bool writtenTooEarly = false;

private:
    class Consumer final : public FrameConsumer {
    public:
        explicit Consumer(std::unique_ptr<StreamReader> reader) : m_reader(std::move(reader)) {}
        Result<std::optional<Acquired>> acquire(Stream &) override { return m_reader->acquire(nullptr); }
        Status release(Stream &) override { return m_reader->release(nullptr); }

    private:
        std::unique_ptr<StreamReader> m_reader;
    };
    FakeEglFrames &m_frames;
};

/// A camera's buffer whose EGLImage exists from the first call to its destruction.
class FakeExternalBuffer final : public ExternalBuffer {
public:
    FakeExternalBuffer(std::set<void *> &living, int number)
        : m_living(living),
          m_image(reinterpret_cast<void *>(std::uintptr_t{0x100} + static_cast<std::uintptr_t>(number)))
    {
    }
    ~FakeExternalBuffer() override { m_living.erase(m_image); }
    Result<void *> eglImage(void *) override
    {
        m_living.insert(m_image);
        return m_image;
    }

private:
    std::set<void *> &m_living;
    void *const m_image;
};

} // namespace

class TestEglFrameContract : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void framesTravelInOrderAndComeBack();
    void anOldFrameIsNotTakenForTheNewOne();
    void aLateFrameIsWaitedFor_data();
    void aLateFrameIsWaitedFor();
    void aFrameThatNeverArrivesIsAnError();
    void framesNobodyAskedForAreGivenBack();
    void aCamerasNewestFrameIsRead();
    void aFrameThatCannotBeReadIsReleased_data();
    void aFrameThatCannotBeReadIsReleased();
    void aConsumerThatGoesReleasesWhatItHas();
    void aRefusedConsumerLeavesNothingBehind();
    void aDriverWithoutStreamsSaysSo();
    void coloursAreThoseThatTheDriverNames_data();
    void coloursAreThoseThatTheDriverNames();
    void aBufferIsRegisteredOnceAndUnregisteredBeforeItGoes();
    void aBufferOfAnotherLayoutIsRefused_data();
    void aBufferOfAnotherLayoutIsRefused();
    void theFakeSeesBrokenRules();

private:
    static constexpr int kSide = 8;
    TransferContext context() { return {*m_device, *m_queue, nullptr, *m_timer, *m_stream}; }
    Result<std::shared_ptr<StreamLoop>> loop()
    {
        return StreamLoop::create(kSide, kSide, context(), m_fake->streamTable());
    }
    Result<std::unique_ptr<StreamInput>> input()
    {
        return StreamInput::create(*m_device, m_display, 4, m_fake->streamTable());
    }
    Status send(StreamLoop &loop)
    {
        ChainLaunch launch;
        JETSCOPE_TRY(loop.send({}, 0, *m_stream, launch));
        return loop.release(*m_stream);
    }
    QString violations() const;

    std::shared_ptr<EglDisplay> m_display;
    Tracer m_tracer{Tracer::Recording::Off};
    std::unique_ptr<testing::FakeEventApi> m_events;
    std::unique_ptr<FakeEglFrames> m_fake;
    std::unique_ptr<FrameDevice> m_device;
    std::unique_ptr<testing::ContractQueue> m_queue;
    std::unique_ptr<GpuTimer> m_timer;
    std::unique_ptr<Stream> m_stream;
};

void TestEglFrameContract::init()
{
    QString why;
    m_display = testing::headlessDisplay(&why);
    if (!m_display)
        QSKIP(qPrintable(why));
    m_events = std::make_unique<testing::FakeEventApi>();
    m_fake = std::make_unique<FakeEglFrames>();
    m_device = std::make_unique<FrameDevice>(*m_fake, m_events->table(), m_display);
    m_queue = std::make_unique<testing::ContractQueue>(m_display);
    m_timer = std::make_unique<GpuTimer>(*m_device, m_tracer);
    m_stream = m_device->createStream().value();
}

void TestEglFrameContract::cleanup()
{
    m_stream.reset();
    m_timer.reset();
    m_queue.reset();
    m_device.reset();
    m_fake.reset();
    m_events.reset();
}

QString TestEglFrameContract::violations() const
{
    QStringList all;
    for (const std::string &violation : m_fake->violations())
        all << QString::fromStdString(violation);
    all.removeDuplicates();
    return all.join(QStringLiteral("; "));
}

// --- streams

void TestEglFrameContract::framesTravelInOrderAndComeBack()
{
    constexpr std::uint64_t kFrames = 100;
    auto made = loop();
    JETSCOPE_VERIFY(made);
    for (std::uint64_t frame = 0; frame < kFrames; ++frame)
        JETSCOPE_VERIFY(send(*made.value()));
    const StreamCounts counts = made.value()->counts();
    QCOMPARE(counts.returned, kFrames);
    QCOMPARE(counts.timeouts, std::uint64_t(0));
    QCOMPARE(counts.repeats, std::uint64_t(0));
    QVERIFY(!m_device->writtenTooEarly);
    made.value().reset();
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::anOldFrameIsNotTakenForTheNewOne()
{
    auto made = loop();
    JETSCOPE_VERIFY(made);
    JETSCOPE_VERIFY(send(*made.value()));
    m_fake->repeatNext(3);
    ChainLaunch launch;
    JETSCOPE_VERIFY(made.value()->send({}, 1, *m_stream, launch));
    QCOMPARE(made.value()->counts().repeats, std::uint64_t(3));
    QCOMPARE(made.value()->counts().returned, std::uint64_t(2));
    QCOMPARE(launch.inputLayout.format, PixelFormat::Rgba8);
    QVERIFY(launch.inputImage);
    JETSCOPE_VERIFY(made.value()->release(*m_stream));
    made.value().reset();
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::aLateFrameIsWaitedFor_data()
{
    QTest::addColumn<int>("answer");
    QTest::newRow("as documented") << int(cudaErrorLaunchTimeout);
    QTest::newRow("as driver 580 answers") << int(cudaErrorUnknown);
}

void TestEglFrameContract::aLateFrameIsWaitedFor()
{
    QFETCH(int, answer);
    auto made = loop();
    JETSCOPE_VERIFY(made);
    m_fake->emptyNext(5, static_cast<cudaError_t>(answer));
    JETSCOPE_VERIFY(send(*made.value()));
    QCOMPARE(made.value()->counts().timeouts, std::uint64_t(5));
    made.value().reset();
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::aFrameThatNeverArrivesIsAnError()
{
    auto made = loop();
    JETSCOPE_VERIFY(made);
    m_fake->emptyNext(1 << 20);
    const Status never = send(*made.value());
    QVERIFY(!never.ok());
    QVERIFY2(never.error().text.find("did not arrive") != std::string::npos, never.error().text.c_str());
    m_fake->emptyNext(0);
    JETSCOPE_VERIFY(send(*made.value()));
    m_fake->repeatNext(1 << 20);
    QVERIFY(!send(*made.value()).ok());
    made.value().reset();
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::framesNobodyAskedForAreGivenBack()
{
    auto made = input();
    JETSCOPE_VERIFY(made);
    auto producer = m_fake->connectProducer(made.value()->native());
    std::vector<std::unique_ptr<Image>> frames;
    for (int i = 0; i < 3; ++i) {
        frames.push_back(m_device->makeFrame(*producer.value()).value());
        JETSCOPE_VERIFY(m_device->present(*producer.value(), *frames.back(), *m_stream));
    }
    JETSCOPE_VERIFY(made.value()->acquire(3, *m_stream));
    JETSCOPE_VERIFY(made.value()->release(*m_stream));
    QCOMPARE(made.value()->counts().repeats, std::uint64_t(0));
    QCOMPARE(m_device->takeBack(*producer.value(), *m_stream).value(), frames[0].get());
    QCOMPARE(m_device->takeBack(*producer.value(), *m_stream).value(), frames[1].get());
    producer.value().reset();
    frames.clear();
    made.value().reset();
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::aCamerasNewestFrameIsRead()
{
    auto made = StreamInput::create(*m_device, m_display, 0, m_fake->streamTable());
    JETSCOPE_VERIFY(made);
    std::shared_ptr<StreamInput> stream = std::move(made).value();
    ExternalBufferRegistry registry(*m_device, m_display);
    TransferContext with = context();
    with.externalInput = {&registry, ExternalBufferView::Stream, stream};
    auto buffer = createTransferBuffer(MemoryKind::NvBuf, TransferBuffer::Direction::Input,
                                       makeImageLayout(PixelFormat::Nv12, 4, 4), with);
    JETSCOPE_VERIFY(buffer);
    auto producer = m_fake->connectProducer(stream->native());
    std::vector<std::unique_ptr<Image>> frames;
    for (std::uint32_t i = 0; i < 5; ++i) {
        frames.push_back(m_device->makeFrame(*producer.value()).value());
        JETSCOPE_VERIFY(m_device->present(*producer.value(), *frames.back(), *m_stream));
        m_fake->repeatNext(i == 3 ? 2 : 0);
        ChainLaunch launch;
        JETSCOPE_VERIFY(buffer.value()->acquire(i, *m_stream, launch));
        QVERIFY(launch.inputImage);
        // The real layout, not the one that the camera announced.
        QVERIFY(launch.inputLayout == makeImageLayout(PixelFormat::Rgba8, kSide, kSide));
        JETSCOPE_VERIFY(buffer.value()->release(i, *m_stream));
        QCOMPARE(stream->latest(), std::uint64_t(i + 1));
    }
    QCOMPARE(stream->counts().repeats, std::uint64_t(2));
    QCOMPARE(buffer.value()->bytesCopied(), std::uint64_t(0));
    QVERIFY(!buffer.value()->memory());
    producer.value().reset();
    frames.clear();
    buffer.value().reset();
    with.externalInput = {};
    stream.reset();
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::aFrameThatCannotBeReadIsReleased_data()
{
    QTest::addColumn<int>("colour");
    QTest::addColumn<QString>("reason");
    QTest::newRow("NV21") << static_cast<int>(cudaEglColorFormatYVU420SemiPlanar) << "colour format 21";
    QTest::newRow("bayer") << static_cast<int>(cudaEglColorFormatBayerRGGB) << "colour format 45";
    QTest::newRow("no answer") << -1 << "cudaGraphicsResourceGetMappedEglFrame";
}

void TestEglFrameContract::aFrameThatCannotBeReadIsReleased()
{
    QFETCH(int, colour);
    QFETCH(QString, reason);
    auto made = loop();
    JETSCOPE_VERIFY(made);
    if (colour < 0)
        m_fake->refuseFrames();
    else
        m_fake->setFrame(FakeEglFrames::frameOf(static_cast<cudaEglColorFormat>(colour), kSide, kSide));
    const Status sent = send(*made.value());
    QVERIFY(!sent.ok());
    QVERIFY2(QString::fromStdString(sent.error().message()).contains(reason), sent.error().message().c_str());
    m_fake->setFrame(FakeEglFrames::frameOf(cudaEglColorFormatABGR, kSide, kSide));
    QCOMPARE(send(*made.value()).ok(), colour >= 0); // The next frame does not block this one.
    made.value().reset();
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::aConsumerThatGoesReleasesWhatItHas()
{
    auto made = loop();
    JETSCOPE_VERIFY(made);
    ChainLaunch launch;
    JETSCOPE_VERIFY(made.value()->send({}, 0, *m_stream, launch));
    made.value().reset();
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::aRefusedConsumerLeavesNothingBehind()
{
    m_fake->refuseConsumer();
    const auto made = loop();
    QVERIFY(!made.ok());
    QCOMPARE(made.error().call, std::string("cudaEGLStreamConsumerConnect"));
    QCOMPARE(made.error().code, 801L);
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::aDriverWithoutStreamsSaysSo()
{
    const EglStreamApi none;
    const auto made = StreamLoop::create(kSide, kSide, context(), none);
    QVERIFY(!made.ok());
    QVERIFY2(made.error().text.find("EGL_KHR_stream") != std::string::npos, made.error().text.c_str());
}

void TestEglFrameContract::coloursAreThoseThatTheDriverNames_data()
{
    QTest::addColumn<int>("colour");
    QTest::addColumn<YuvColour>("expected");
    QTest::newRow("601 limited") << static_cast<int>(cudaEglColorFormatYUV420SemiPlanar) << YuvColour::Bt601Limited;
    QTest::newRow("601 full") << static_cast<int>(cudaEglColorFormatYUV420SemiPlanar_ER) << YuvColour::Bt601Full;
    QTest::newRow("709 limited") << static_cast<int>(cudaEglColorFormatYUV420SemiPlanar_709) << YuvColour::Bt709Limited;
}

void TestEglFrameContract::coloursAreThoseThatTheDriverNames()
{
    QFETCH(int, colour);
    QFETCH(YuvColour, expected);
    auto made = loop();
    JETSCOPE_VERIFY(made);
    m_fake->setFrame(FakeEglFrames::frameOf(static_cast<cudaEglColorFormat>(colour), 7, 5));
    ChainLaunch launch;
    JETSCOPE_VERIFY(made.value()->send({}, 0, *m_stream, launch));
    QVERIFY(launch.inputLayout == makeImageLayout(PixelFormat::Nv12, 7, 5, expected));
    JETSCOPE_VERIFY(made.value()->release(*m_stream));
    made.value().reset();
    QCOMPARE(violations(), QString());
}

// --- external buffers

void TestEglFrameContract::aBufferIsRegisteredOnceAndUnregisteredBeforeItGoes()
{
    std::set<void *> living;
    m_fake->setImages([&](void *image) { return living.count(image) == 1; });
    const ImageLayout layout = makeImageLayout(PixelFormat::Nv12, kSide, kSide);
    m_fake->setFrame(FakeEglFrames::frameOf(cudaEglColorFormatYUV420SemiPlanar, kSide, kSide));
    std::vector<std::shared_ptr<ExternalBuffer>> surfaces;
    for (int i = 0; i < 4; ++i)
        surfaces.push_back(std::make_shared<FakeExternalBuffer>(living, i));
    {
        ExternalBufferRegistry registry(*m_device, m_display);
        for (int frame = 0; frame < 40; ++frame) {
            const auto &surface = surfaces[static_cast<std::size_t>(frame) % surfaces.size()];
            JETSCOPE_VERIFY(registry.imageOf(surface, layout, ExternalBufferView::Picture));
            registry.prune();
        }
        QCOMPARE(m_fake->registrations(), std::size_t(4));
        QCOMPARE(registry.registrations(), std::uint64_t(4));
        surfaces.erase(surfaces.begin());
        QCOMPARE(living.size(), std::size_t(4)); // The registration keeps the image.
        registry.prune();
        QCOMPARE(registry.size(), std::size_t(3));
        QCOMPARE(living.size(), std::size_t(3));
        surfaces.clear();
    }
    QVERIFY(living.empty());
    QCOMPARE(violations(), QString());
}

void TestEglFrameContract::aBufferOfAnotherLayoutIsRefused_data()
{
    QTest::addColumn<int>("mistake");
    const char *names[] = {"one plane too few",   "too narrow", "too high", "rows too short", "no chroma", "packed",
                           "array without memory"};
    for (int mistake = 0; mistake < 7; ++mistake)
        QTest::newRow(names[mistake]) << mistake;
}

void TestEglFrameContract::aBufferOfAnotherLayoutIsRefused()
{
    QFETCH(int, mistake);
    cudaEglFrame frame = FakeEglFrames::frameOf(cudaEglColorFormatYUV420SemiPlanar, kSide, kSide);
    const ImageLayout layout = makeImageLayout(PixelFormat::Nv12, kSide, kSide);
    m_fake->setFrame(frame);
    {
        const auto right = registerEglPicture(m_fake->table(), &frame, layout);
        JETSCOPE_VERIFY(right);
    }
    switch (mistake) {
    case 0:
        frame.planeCount = 1;
        break;
    case 1:
        frame.planeDesc[0].width = kSide - 2;
        break;
    case 2:
        frame.planeDesc[0].height = kSide + 2;
        break;
    case 3:
        frame.frame.pPitch[1].pitch = kSide - 1;
        break;
    case 4:
        frame.frame.pPitch[1].ptr = nullptr;
        break;
    case 5:
        frame.eglColorFormat = cudaEglColorFormatABGR;
        break;
    default:
        frame.frameType = cudaEglFrameTypeArray;
        frame.frame.pArray[0] = frame.frame.pArray[1] = nullptr;
    }
    m_fake->setFrame(frame);
    QVERIFY(!registerEglPicture(m_fake->table(), &frame, layout).ok());
    QCOMPARE(violations(), QString()); // Also true for what was registered before the check.
}

/// Proves that the fake detects violations.
void TestEglFrameContract::theFakeSeesBrokenRules()
{
    const EglFrameApi &api = m_fake->table();
    const auto broken = [&](const char *rule) {
        const std::vector<std::string> found = m_fake->violations();
        return std::find(found.begin(), found.end(), rule) != found.end();
    };
    std::set<void *> living;
    m_fake->setImages([&](void *image) { return living.count(image) == 1; });
    void *const image = &living;
    cudaGraphicsResource_t resource = nullptr;
    api.registerImage(&resource, image, cudaGraphicsRegisterFlagsReadOnly);
    QVERIFY(broken("an image is registered with flags 0"));
    QVERIFY(broken("an image is mapped before it is registered"));
    QVERIFY(broken("1 images are still registered"));
    cudaGraphicsResource_t second = nullptr;
    api.registerImage(&second, image, 0);
    QVERIFY(broken("an image is registered once"));
    api.unregister(resource);
    QVERIFY(broken("an image is unregistered before it is unmapped"));
    api.unregister(resource);
    QVERIFY(broken("only what is registered is unregistered"));
    cudaEglFrame frame{};
    api.mappedFrame(&frame, resource, 0, 1);
    QVERIFY(broken("a frame is looked at while it is acquired or registered"));
    QVERIFY(broken("a frame has one layer and one level"));

    cudaEglStreamConnection connection = nullptr;
    EGLStreamKHR stream = m_fake->streamTable().create(nullptr, nullptr);
    auto early = m_fake->connectProducer(stream);
    QVERIFY(broken("the consumer connects before the producer"));
    auto presented = m_device->makeFrame(*early.value()).value();
    JETSCOPE_VERIFY(m_device->present(*early.value(), *presented, *m_stream));
    JETSCOPE_VERIFY(m_device->present(*early.value(), *presented, *m_stream));
    QVERIFY(broken("a frame that the stream has is not presented again"));
    api.acquire(&connection, &resource, nullptr, 0xffffffff);
    QVERIFY(broken("only a connected consumer acquires"));
    QVERIFY(broken("an acquisition waits, but not for long"));
    api.acquire(&connection, &resource, nullptr, 1);
    QVERIFY(broken("a frame is released before the next is acquired"));
    api.release(&connection, second, nullptr);
    QVERIFY(broken("only what is acquired is released"));
    api.acquire(&connection, &resource, nullptr, 1);
    api.disconnect(&connection);
    QVERIFY(broken("a consumer disconnects once"));
    QVERIFY(broken("a frame is released before the consumer disconnects"));
    QVERIFY(broken("the producer disconnects before the consumer goes"));
    m_fake->streamTable().destroy(nullptr, stream);
    QVERIFY(broken("both ends disconnect before the stream goes"));
    presented.reset();
    QVERIFY(broken("the producer disconnects before its frames go"));
}

QTEST_GUILESS_MAIN(TestEglFrameContract)
#include "tst_eglframecontract.moc"
