// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The EGLStream output with a fake stream that enforces the documented order of calls: the order of connections, the
// ownership of frames, and late frames. The hazard ledger is told of every call and finds nothing, but for the last
// tests, which break its rules for EGLStreams.
#include "gpu/paths/outputpath.h" // Before Qt: it has a function `slots`, which Qt defines as a keyword.

#include "tests/support/fakeeglstream.h"
#include "tests/support/gpufixture.h"

#include "core/recording/tracer.h"
#include "gpu/gl/streamconsumer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/hazards/ledgerdevice.h"

using namespace jetscope;

class TestEglStreamContract : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void framesTravelInOrderAndComeBack_data();
    void framesTravelInOrderAndComeBack();
    void anOldFrameIsNotTakenForTheNewOne();
    void aLateFrameIsWaitedFor();
    void aFrameThatComesBackLateIsWaitedFor();
    void aStreamThatKeepsItsFramesIsGivenUp();
    void aFrameThatNeverArrivesIsAnError();
    void aRefusedProducerLeavesNothingBehind();
    void aDriverWithoutStreamsSaysSo();
    void aProducerWithoutAConsumerIsReported();
    void aFrameOfAnotherSizeIsReported();
    void aFrameThatIsWrittenAfterItsPresentIsReported();
    void aFrameThatIsFreedBeforeItsProducerIsReported();
    void the65thFrameIsReported();
    void aConsumerThatDrawsARepeatIsReported();

private:
    static constexpr std::size_t kSlots = 4;
    Result<std::unique_ptr<OutputPath>> makePath();
    /// Submits a frame and calls feedGl for the one `inFlight` frames ago.
    Status submit(OutputPath &path, std::uint32_t frame, std::uint32_t inFlight);
    Status feed(OutputPath &path, std::uint32_t frame);
    QStringList rulesBroken() const;

    Tracer m_tracer;
    std::unique_ptr<testing::FakeEglStream> m_stream;
    std::unique_ptr<Device> m_device;
    std::unique_ptr<GlQueue> m_queue;
    std::unique_ptr<GpuTimer> m_timer;
    std::unique_ptr<Stream> m_deviceStream;
    bool m_reusedTooEarly = false;
};

void TestEglStreamContract::init()
{
    QString why;
    const std::shared_ptr<EglDisplay> display = testing::headlessDisplay(&why);
    if (!display)
        QSKIP(qPrintable(why));
    m_reusedTooEarly = false;
    m_stream = std::make_unique<testing::FakeEglStream>();
    m_device = std::make_unique<LedgerDevice>(m_stream->device());
    auto queue = GlQueue::create(display, GlQueue::Execution::Threaded, nullptr, m_tracer);
    JETSCOPE_VERIFY(queue);
    m_queue = std::move(queue).value();
    m_timer = std::make_unique<GpuTimer>(*m_device, m_tracer);
    m_deviceStream = m_device->createStream().value();
}

void TestEglStreamContract::cleanup()
{
    if (m_device)
        QCOMPARE(rulesBroken(), QStringList());
    m_deviceStream.reset();
    m_timer.reset();
    m_queue.reset();
    m_device.reset();
    m_stream.reset();
}

Result<std::unique_ptr<OutputPath>> TestEglStreamContract::makePath()
{
    const TransferContext context{*m_device, *m_queue, nullptr, *m_timer, *m_deviceStream};
    return OutputPath::complete(newEglStreamOutput(8, 8, context, m_stream->table()), kSlots);
}

Status TestEglStreamContract::feed(OutputPath &path, std::uint32_t frame)
{
    path.feedGl(frame % kSlots, frame);
    return m_queue->run([] { return Status(); });
}

Status TestEglStreamContract::submit(OutputPath &path, std::uint32_t frame, std::uint32_t inFlight)
{
    ChainLaunch launch;
    JETSCOPE_TRY(path.beginDevice(frame % kSlots, frame, *m_deviceStream, launch));
    m_reusedTooEarly = m_reusedTooEarly || m_stream->isInStream(*launch.outputImage);
    JETSCOPE_TRY(path.endDevice(frame % kSlots, frame, *m_deviceStream));
    return frame + 1 < inFlight ? Status() : feed(path, frame + 1 - inFlight);
}

void TestEglStreamContract::framesTravelInOrderAndComeBack_data()
{
    QTest::addColumn<unsigned>("inFlight");
    for (unsigned inFlight = 1; inFlight < kSlots; ++inFlight)
        QTest::addRow("%u in flight", inFlight) << inFlight;
}

void TestEglStreamContract::framesTravelInOrderAndComeBack()
{
    QFETCH(unsigned, inFlight);
    constexpr std::uint32_t kFrames = 40;
    auto path = makePath();
    JETSCOPE_VERIFY(path);
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        JETSCOPE_VERIFY(submit(*path.value(), frame, inFlight));
    const std::optional<StreamCounts> counts = path.value()->streamCounts();
    QVERIFY(counts);
    QCOMPARE(counts->returned, std::uint64_t(kFrames - (kSlots + 1)));
    QCOMPARE(counts->timeouts, std::uint64_t(0));
    QCOMPARE(counts->repeats, std::uint64_t(0));
    QCOMPARE(path.value()->bytesCopied(), std::uint64_t(8 * 8 * 4));
    path.value().reset();
    QVERIFY(!m_reusedTooEarly);
    QCOMPARE(m_stream->violations(), std::vector<std::string>());
}

void TestEglStreamContract::anOldFrameIsNotTakenForTheNewOne()
{
    auto path = makePath();
    JETSCOPE_VERIFY(path);
    JETSCOPE_VERIFY(submit(*path.value(), 0, 1));
    m_stream->repeatNext(3);
    JETSCOPE_VERIFY(submit(*path.value(), 1, 1));
    QCOMPARE(path.value()->streamCounts()->repeats, std::uint64_t(3));
    path.value().reset();
    QCOMPARE(m_stream->violations(), std::vector<std::string>());
}

void TestEglStreamContract::aLateFrameIsWaitedFor()
{
    auto path = makePath();
    JETSCOPE_VERIFY(path);
    m_stream->emptyNext(2);
    JETSCOPE_VERIFY(submit(*path.value(), 0, 1));
    QCOMPARE(path.value()->streamCounts()->timeouts, std::uint64_t(2));
    path.value().reset();
    QCOMPARE(m_stream->violations(), std::vector<std::string>());
}

void TestEglStreamContract::aFrameThatComesBackLateIsWaitedFor()
{
    auto path = makePath();
    JETSCOPE_VERIFY(path);
    for (std::uint32_t frame = 0; frame < kSlots + 1; ++frame)
        JETSCOPE_VERIFY(submit(*path.value(), frame, 1));
    m_stream->keepBackNext(5);
    JETSCOPE_VERIFY(submit(*path.value(), kSlots + 1, 1));
    QCOMPARE(path.value()->streamCounts()->timeouts, std::uint64_t(5));
    QCOMPARE(path.value()->streamCounts()->returned, std::uint64_t(1));
    path.value().reset();
    QCOMPARE(m_stream->violations(), std::vector<std::string>());
}

void TestEglStreamContract::aStreamThatKeepsItsFramesIsGivenUp()
{
    auto path = makePath();
    JETSCOPE_VERIFY(path);
    for (std::uint32_t frame = 0; frame < kSlots + 1; ++frame)
        JETSCOPE_VERIFY(submit(*path.value(), frame, 1));
    m_stream->keepBackNext(1 << 20);
    const Status status = submit(*path.value(), kSlots + 1, 1);
    QVERIFY(!status.ok());
    QVERIFY(QString::fromStdString(status.error().text).contains("take output eglimage"));
}

void TestEglStreamContract::aFrameThatNeverArrivesIsAnError()
{
    auto path = makePath();
    JETSCOPE_VERIFY(path);
    m_stream->emptyNext(1 << 20);
    const Status status = submit(*path.value(), 0, 1);
    QVERIFY(!status.ok());
    QVERIFY(QString::fromStdString(status.error().text).contains("did not arrive"));
}

void TestEglStreamContract::aRefusedProducerLeavesNothingBehind()
{
    m_stream->refuseProducer();
    const auto path = makePath();
    QVERIFY(!path.ok());
    QCOMPARE(path.error().call, std::string("cudaEGLStreamProducerConnect"));
    QCOMPARE(m_stream->violations(), std::vector<std::string>());
}

void TestEglStreamContract::aDriverWithoutStreamsSaysSo()
{
    const EglStreamApi none;
    const TransferContext context{*m_device, *m_queue, nullptr, *m_timer, *m_deviceStream};
    const auto path = OutputPath::complete(newEglStreamOutput(8, 8, context, none), kSlots);
    QVERIFY(!path.ok());
    QVERIFY(QString::fromStdString(path.error().text).contains("EGL_KHR_stream"));
}

// --- what the ledger finds

QStringList TestEglStreamContract::rulesBroken() const
{
    QStringList rules;
    for (const Hazard &hazard : m_device->takeHazards())
        rules << QString::fromUtf8(ruleOf(hazard.rule).name.data(), qsizetype(ruleOf(hazard.rule).name.size()));
    return rules;
}

/// Both ends of the stream, without a path between.
class Ends {
public:
    Ends(Device &device, GlQueue &queue, const EglStreamApi &api) : m_device(device), m_queue(queue)
    {
        run([&] {
            consumer = std::move(EglStreamConsumer::create(queue.display(), 100, api)).value();
            device.tell(&DeviceObserver::glConnected, *consumer, consumer->native());
        });
        producer = device.connectProducer(consumer->native(), 8, 8, FrameMemory::Pitch).value();
    }
    ~Ends()
    {
        producer.reset();
        run([this] {
            m_device.tell(&DeviceObserver::glDisconnects, *consumer);
            consumer.reset();
        });
    }
    /// On the GL queue.
    template <typename Step>
    void run(const Step &step)
    {
        static_cast<void>(m_queue.run([&step] {
            step();
            return Status();
        }));
    }

    std::unique_ptr<EglStreamConsumer> consumer;
    std::unique_ptr<FrameProducer> producer;

private:
    Device &m_device;
    GlQueue &m_queue;
};

void TestEglStreamContract::aProducerWithoutAConsumerIsReported()
{
    void *native = nullptr;
    {
        Ends ends(*m_device, *m_queue, m_stream->table());
        native = ends.consumer->native();
        QCOMPARE(rulesBroken(), QStringList());
    }
    const auto producer = m_device->connectProducer(native, 8, 8, FrameMemory::Pitch);
    QCOMPARE(rulesBroken(), QStringList("E1"));
}

void TestEglStreamContract::aFrameOfAnotherSizeIsReported()
{
    Ends ends(*m_device, *m_queue, m_stream->table());
    const auto other = m_device->connectProducer(ends.consumer->native(), 8, 16, FrameMemory::Pitch).value();
    const std::unique_ptr<Image> frame = m_device->makeFrame(*other).value();
    const std::unique_ptr<Image> right = m_device->makeFrame(*ends.producer).value();
    JETSCOPE_VERIFY(m_device->present(*ends.producer, *right, *m_deviceStream));
    QCOMPARE(rulesBroken(), QStringList());
    JETSCOPE_VERIFY(m_device->present(*ends.producer, *frame, *m_deviceStream));
    QCOMPARE(rulesBroken(), QStringList("E3"));
    ends.producer.reset();
}

void TestEglStreamContract::aFrameThatIsWrittenAfterItsPresentIsReported()
{
    Ends ends(*m_device, *m_queue, m_stream->table());
    const std::unique_ptr<Image> frame = m_device->makeFrame(*ends.producer).value();
    ChainLaunch launch;
    launch.outputImage = frame.get();
    JETSCOPE_VERIFY(m_device->launch(launch, *m_deviceStream));
    JETSCOPE_VERIFY(m_device->present(*ends.producer, *frame, *m_deviceStream));
    QCOMPARE(rulesBroken(), QStringList());
    JETSCOPE_VERIFY(m_device->launch(launch, *m_deviceStream));
    QCOMPARE(rulesBroken(), QStringList("E6"));
    ends.producer.reset();
    m_deviceStream.reset(); // Its work is complete.
}

void TestEglStreamContract::aFrameThatIsFreedBeforeItsProducerIsReported()
{
    Ends ends(*m_device, *m_queue, m_stream->table());
    std::unique_ptr<Image> frame = m_device->makeFrame(*ends.producer).value();
    JETSCOPE_VERIFY(m_device->present(*ends.producer, *frame, *m_deviceStream));
    frame.reset();
    QCOMPARE(rulesBroken(), QStringList("E6"));
    frame = m_device->makeFrame(*ends.producer).value();
    JETSCOPE_VERIFY(m_device->present(*ends.producer, *frame, *m_deviceStream));
    ends.producer.reset();
    frame.reset();
    QCOMPARE(rulesBroken(), QStringList());
}

void TestEglStreamContract::the65thFrameIsReported()
{
    Ends ends(*m_device, *m_queue, m_stream->table());
    std::vector<std::unique_ptr<Image>> frames;
    for (int i = 0; i < 65; ++i) {
        QCOMPARE(rulesBroken(), QStringList());
        frames.push_back(m_device->makeFrame(*ends.producer).value());
        JETSCOPE_VERIFY(m_device->present(*ends.producer, *frames.back(), *m_deviceStream));
    }
    QCOMPARE(rulesBroken(), QStringList("E2"));
    ends.producer.reset();
}

void TestEglStreamContract::aConsumerThatDrawsARepeatIsReported()
{
    Ends ends(*m_device, *m_queue, m_stream->table());
    const std::unique_ptr<Image> frame = m_device->makeFrame(*ends.producer).value();
    JETSCOPE_VERIFY(m_device->present(*ends.producer, *frame, *m_deviceStream));
    const auto draw = [&] {
        ends.run([&] {
            static_cast<void>(ends.consumer->acquire()); // Without a look at what it says.
            m_device->tell(&DeviceObserver::glDrawsFrame, *ends.consumer, ends.consumer->latest());
            static_cast<void>(ends.consumer->release());
        });
    };
    draw();
    QCOMPARE(rulesBroken(), QStringList());
    draw();
    QCOMPARE(rulesBroken(), QStringList("E4"));
    ends.producer.reset();
}

QTEST_GUILESS_MAIN(TestEglStreamContract)
#include "tst_eglstreamcontract.moc"
