// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// One decorator over the device sees every access of a run: what it counts is what the configuration asks for, and an
// access that does not go through a scope is found.
#include "gpu/paths/outputpath.h" // Has a function `slots`, which is a keyword once Qt is included.

#include "tests/support/accessplan.h"
#include "tests/support/allocationcount.h"
#include "tests/support/endlessstream.h"
#include "tests/support/fakeeglstream.h"
#include "tests/support/pipelinefixture.h"
#include "tests/support/scopeguarddevice.h"
#include "tests/support/watchedrun.h"

#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/paths/streaminput.h"

using namespace jetscope;

namespace {

constexpr std::uint64_t kFrames = 7;
constexpr int kWidth = 66;
constexpr int kHeight = 34;
constexpr PixelFormat kFormat = PixelFormat::Nv12;

QString text(std::string_view name)
{
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

ImageLayout layoutOfFrames()
{
    return makeImageLayout(kFormat, kWidth, kHeight);
}

std::string memory(const char *name, std::size_t bytes)
{
    return std::string(name) + ", " + std::to_string(bytes) + " bytes";
}

/// Unified memory beside the CPU's, as that kind has it, but the copy between the two takes the naked addresses.
class BypassingTransfer final : public TransferBuffer {
public:
    explicit BypassingTransfer(Device &device)
        : TransferBuffer(device),
          m_staging(device.allocate(Allocation::Pageable, layoutOfFrames().bytes).value()),
          m_managed(device.allocate(Allocation::Managed, layoutOfFrames().bytes).value())
    {
    }
    BufferRange memory() const override { return wholeOf(*m_staging); }
    Status acquire(std::uint32_t, Stream &, ChainLaunch &launch) override
    {
        pointLaunch(launch, Direction::Input, *m_managed, layoutOfFrames());
        JETSCOPE_TRY(m_device.synchronize());
        const CpuRead read(m_device, wholeOf(*m_staging));
        std::memcpy(m_managed->host(), read.data(), layoutOfFrames().bytes);
        return {};
    }
    std::uint64_t bytesCopied() const override { return 0; }

private:
    const std::unique_ptr<Buffer> m_staging;
    const std::unique_ptr<Buffer> m_managed;
};

/// A device with what a transfer needs beside it.
class TransferBench {
public:
    TransferBench(std::unique_ptr<Device> device, const std::shared_ptr<EglDisplay> &display)
        : m_device(std::move(device)),
          m_queue(GlQueue::create(display, GlQueue::Execution::Threaded, nullptr, m_tracer).value()),
          m_timer(*m_device, m_tracer),
          m_stream(m_device->createStream().value()),
          m_output(m_device->allocate(Allocation::Device, kOutput.bytes).value())
    {
    }
    Device &device() const { return *m_device; }
    Stream &stream() const { return *m_stream; }
    GlQueue &queue() const { return *m_queue; }
    TransferContext context() { return {*m_device, *m_queue, nullptr, m_timer, *m_stream}; }

    /// The lives of a few frames, one after the other.
    Status pass(TransferBuffer &transfer)
    {
        for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
            {
                const CpuWrite write = transfer.write();
                std::memset(write.data(), static_cast<int>(frame), write.bytes());
            }
            ChainLaunch launch;
            JETSCOPE_TRY(transfer.acquire(frame, *m_stream, launch));
            launch.output = wholeOf(*m_output);
            launch.outputPitch = kOutput.planes[0].pitch;
            JETSCOPE_TRY(m_device->launch(launch, *m_stream));
            JETSCOPE_TRY(transfer.release(frame, *m_stream));
            JETSCOPE_TRY(m_device->synchronize(*m_stream));
        }
        return {};
    }

    static inline const ImageLayout kOutput = makeImageLayout(PixelFormat::Rgba8, kWidth, kHeight);

private:
    Tracer m_tracer;
    const std::unique_ptr<Device> m_device;
    const std::unique_ptr<GlQueue> m_queue;
    GpuTimer m_timer;
    const std::unique_ptr<Stream> m_stream;
    const std::unique_ptr<Buffer> m_output;
};

} // namespace

class TestDeviceAccesses : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanupTestCase();
    void everyAccessIsCounted_data() { addConfigurations({"soft:nano", "soft:orin", "soft:thor"}); }
    void everyAccessIsCounted();
    void everyCpuTouchLiesInAScope_data() { addConfigurations({"soft:thor"}); }
    void everyCpuTouchLiesInAScope();
    void everyHandOverIsSeen_data();
    void everyHandOverIsSeen();
    void buffersOfTheSourceAreOneWriteEach();
    void framesThatAreMovedAfterASwitchAreCounted();
    void theViewsReadsAreCounted();
    void eglStreamHandOversAreCounted();
    void acquiredFramesAreCounted();
    void scopesAndDeclarationsAllocateNothing();
    void aTransferThatBypassesTheScopeIsFound();
    void aTouchWhileTheGpuHasTheBufferFaults_data();
    void aTouchWhileTheGpuHasTheBufferFaults();

private:
    void addConfigurations(const std::vector<std::string> &devices);
    /// The row's configuration; empty where the device cannot run it.
    std::optional<PipelineConfig> configuration();
    PipelineSetup setupOf(const QString &device, const PipelineConfig &config);
    /// Runs to the end without a failure, with every access balanced.
    void run(PipelineSetup setup);
    std::unique_ptr<Device> counted(std::unique_ptr<Device> device) const
    {
        return std::make_unique<testing::CountingDevice>(std::move(device), m_log);
    }

    std::shared_ptr<EglDisplay> m_display;
    std::shared_ptr<testing::AccessLog> m_log;
    std::shared_ptr<std::atomic<std::uint64_t>> m_reads;
    struct Rows {
        int all = 0;
        int ran = 0;
    };
    std::map<QString, Rows> m_rows; ///< By test function and device.
};

void TestDeviceAccesses::initTestCase()
{
    QString why;
    m_display = testing::headlessDisplay(&why);
    QVERIFY2(m_display, qPrintable(why));
}

void TestDeviceAccesses::init()
{
    m_log = std::make_shared<testing::AccessLog>();
    m_reads = std::make_shared<std::atomic<std::uint64_t>>(0);
    static_cast<void>(PageGuard::instance().takeTouches());
}

/// Rows that a device cannot run are skipped, which must not be taken for success. Counted by hand: there are 12
/// memory kinds on Thor (random pictures lie in no camera's buffer), 9 on Orin without system memory, prefetches and
/// DMA-BUFs, and 6 on Nano, which registers no host memory and has no pools; 2 outputs; 4 placements, of which unified
/// memory has the one on the same input on Thor alone.
void TestDeviceAccesses::cleanupTestCase()
{
    const std::map<QString, int> legal{
        {"soft:nano", 2 * (6 * 4 - 1)}, {"soft:orin", 2 * (9 * 4 - 1)}, {"soft:thor", 2 * 12 * 4}};
    for (const auto &[where, rows] : m_rows)
        if (rows.all
            == static_cast<int>(choices<MemoryKind>().size()) * 4 * 4) // Not one row that was asked for by its name.
            QCOMPARE(rows.ran, legal.at(where.section(' ', 1)));
}

void TestDeviceAccesses::addConfigurations(const std::vector<std::string> &devices)
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("memory");
    QTest::addColumn<QString>("output");
    QTest::addColumn<QString>("placement");
    for (const std::string &device : devices)
        for (const auto &memory : choices<MemoryKind>())
            for (const auto &output : choices<OutputKind>())
                for (const auto &placement : choices<CpuStagePlacement>())
                    QTest::newRow(qPrintable(
                        QString("%1 %2 %3 %4")
                            .arg(device.c_str(), text(memory.name), text(output.name), text(placement.name))))
                        << QString::fromStdString(device) << text(memory.name) << text(output.name)
                        << text(placement.name);
}

std::optional<PipelineConfig> TestDeviceAccesses::configuration()
{
    QFETCH(QString, device);
    QFETCH(QString, memory);
    QFETCH(QString, output);
    QFETCH(QString, placement);
    PipelineConfig config;
    config.memory = *choiceByName<MemoryKind>(memory.toStdString());
    config.output = *choiceByName<OutputKind>(output.toStdString());
    config.sync = SyncMode::EglSync;
    config.cpuStage = *choiceByName<CpuStagePlacement>(placement.toStdString());
    config.framesInFlight = 3;
    config.streams = 2;
    Rows &rows = m_rows[QString("%1 %2").arg(QTest::currentTestFunction(), device)];
    ++rows.all;
    if (!availability(config, testing::factsOf(device.toStdString())).legal())
        return std::nullopt;
    ++rows.ran;
    return config;
}

PipelineSetup TestDeviceAccesses::setupOf(const QString &device, const PipelineConfig &config)
{
    PipelineSetup setup;
    setup.display = m_display;
    setup.deviceId = device.toStdString();
    setup.decorateDevice = [this](std::unique_ptr<Device> plain) { return counted(std::move(plain)); };
    setup.source = std::make_unique<testing::WatchedSource>(kFormat, kWidth, kHeight, kFrames, m_log, m_reads);
    setup.config = config;
    setup.analysis = std::make_unique<testing::WatchedAnalysis>(m_log);
    setup.outputTap = [](std::uint32_t, const std::byte *, int, int) {};
    return setup;
}

void TestDeviceAccesses::run(PipelineSetup setup)
{
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    pipeline.value().reset();
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(testing::brokenRule(update), QString());
    QCOMPARE(m_log->open(), std::size_t(0));
    QCOMPARE(m_log->endsWithoutBeginning(), std::size_t(0));
}

void TestDeviceAccesses::everyAccessIsCounted()
{
    QFETCH(QString, device);
    const std::optional<PipelineConfig> config = configuration();
    if (!config)
        QSKIP("not on this device");
    run(setupOf(device, *config));
    QCOMPARE(m_reads->load(), kFrames + 1);
    const testing::PlannedRun plan{*config, layoutOfFrames(), device == "soft:thor", kFrames, m_reads->load()};
    QCOMPARE(testing::differences(m_log->counts(), testing::plannedAccesses(plan)), std::string());
}

/// Whatever memory a configuration asks for, no CPU thread touches it outside of a scope.
void TestDeviceAccesses::everyCpuTouchLiesInAScope()
{
    QFETCH(QString, device);
    const std::optional<PipelineConfig> config = configuration();
    if (!config)
        QSKIP("not on this device");
    testing::OutputLog outputs;
    outputs.keepPixels();
    PipelineSetup setup = setupOf(device, *config);
    setup.outputTap = outputs.tap();
    setup.decorateDevice = [this](std::unique_ptr<Device> plain) {
        return counted(std::make_unique<testing::ScopeGuardDevice>(std::move(plain)));
    };
    run(std::move(setup));
    QCOMPARE(PageGuard::instance().takeTouches().size(), std::size_t(0));
    const testing::RandomSource same(kFormat, kWidth, kHeight, kFrames);
    QCOMPARE(outputs.pixels().size(), std::size_t(kFrames));
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        QVERIFY2(outputs.pixels()[frame] == same.expected(frame, config->filters), qPrintable(QString::number(frame)));
}

void TestDeviceAccesses::everyHandOverIsSeen_data()
{
    QTest::addColumn<QString>("sync");
    QTest::addColumn<QString>("fromGl");
    QTest::addColumn<QString>("toGl");
    QTest::newRow("finish") << "finish"
                            << "glFinish"
                            << "cudaDeviceSynchronize";
    QTest::newRow("stream") << "stream"
                            << "eglClientWaitSync"
                            << "cudaStreamSynchronize";
    QTest::newRow("event") << "event"
                           << "eglClientWaitSync"
                           << "cudaEventSynchronize";
    QTest::newRow("poll") << "poll"
                          << "poll fence"
                          << "cudaEventQuery";
    QTest::newRow("callback") << "callback"
                              << "eglClientWaitSync"
                              << "cudaLaunchHostFunc";
    QTest::newRow("flag") << "flag"
                          << "eglClientWaitSync"
                          << "cuStreamWriteValue32";
}

/// The calls of the design's table of sync modes, each at least once a frame. The one of EGLSync is in every other
/// test. Exactly once where nothing else makes the call.
void TestDeviceAccesses::everyHandOverIsSeen()
{
    QFETCH(QString, sync);
    QFETCH(QString, fromGl);
    QFETCH(QString, toGl);
    PipelineConfig config;
    config.memory = MemoryKind::ZeroCopy;
    config.output = OutputKind::EglImage;
    config.sync = *choiceByName<SyncMode>(sync.toStdString());
    config.framesInFlight = 2;
    run(setupOf("soft:orin", config));
    testing::AccessCounts waits = m_log->waits();
    for (const QString &call : {fromGl, toGl}) {
        const std::uint64_t times = waits[call.toStdString()];
        const bool alone = call == "eglClientWaitSync" || call == "cudaStreamSynchronize"
            || call == "cudaLaunchHostFunc" || call == "cuStreamWriteValue32";
        QVERIFY2(alone ? times == kFrames : times >= kFrames, qPrintable(QString("%1: %2").arg(call).arg(times)));
    }
    QCOMPARE(m_log->counts()["GL wait is made"], std::uint64_t(0));
    QCOMPARE(m_log->counts()["event of a fence"], std::uint64_t(0));
}

void TestDeviceAccesses::buffersOfTheSourceAreOneWriteEach()
{
    const auto timesQueued = std::make_shared<std::atomic<std::uint64_t>>(0);
    PipelineConfig config;
    config.memory = MemoryKind::Pinned;
    config.output = OutputKind::EglImage;
    config.sync = SyncMode::EglSync;
    PipelineSetup setup = setupOf("soft:orin", config);
    setup.source = std::make_unique<testing::QueuedSource>(kFormat, kWidth, kHeight, kFrames, m_log, timesQueued);
    run(std::move(setup));
    testing::AccessCounts counts = m_log->counts();
    QVERIFY(timesQueued->load() >= kFrames);
    QCOMPARE(counts["capture writes " + memory("pinned", layoutOfFrames().bytes)], timesQueued->load());
    QCOMPARE(counts["copy reads " + memory("pinned", layoutOfFrames().bytes)], kFrames);
}

void TestDeviceAccesses::framesThatAreMovedAfterASwitchAreCounted()
{
    constexpr std::uint32_t kSwitch = 4;
    PipelineConfig config;
    config.memory = MemoryKind::Pinned;
    config.output = OutputKind::EglImage;
    config.sync = SyncMode::EglSync;
    PipelineSetup setup = setupOf("soft:orin", config);
    config.memory = MemoryKind::ZeroCopy;
    setup.schedule.push_back({kSwitch, config});
    run(std::move(setup));
    testing::AccessCounts counts = m_log->counts();
    const std::size_t bytes = layoutOfFrames().bytes;
    QCOMPARE(counts["launch reads " + memory("device", bytes)], std::uint64_t(kSwitch));
    QCOMPARE(counts["launch reads " + memory("mapped", bytes)], kFrames - kSwitch);
    QCOMPARE(counts["capture writes " + memory("pinned", bytes)] + counts["capture writes " + memory("mapped", bytes)],
             m_reads->load());
    // What was captured before the switch and not taken: two frames that wait, and the one that is being captured.
    const std::uint64_t moved = counts["pipeline reads " + memory("pinned", bytes)];
    QVERIFY2(moved <= 3, qPrintable(QString::number(moved)));
    QCOMPARE(counts["pipeline writes " + memory("mapped", bytes)], moved);
}

void TestDeviceAccesses::theViewsReadsAreCounted()
{
    PipelineConfig config;
    config.memory = MemoryKind::ZeroCopy;
    config.output = OutputKind::EglImage;
    config.sync = SyncMode::EglSync;
    PipelineSetup setup = setupOf("soft:orin", config);
    setup.forWindow = true;
    setup.outputTap = nullptr;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    std::uint64_t taken = 0;
    while (pipeline.value()->status().frames < kFrames || taken == 0) {
        if (const std::optional<ViewFrame> frame = pipeline.value()->mailbox().take(false)) {
            ++taken;
            pipeline.value()->mailbox().release(*frame, GlFence());
        }
        std::this_thread::yield();
    }
    pipeline.value()->waitForEnd();
    pipeline.value().reset();
    testing::AccessCounts counts = m_log->counts();
    QCOMPARE(counts["view takes image"], taken);
    QCOMPARE(counts["view releases image"], taken);
    QCOMPARE(counts["GL reads image"], std::uint64_t(0)); // Nothing is drawn off the screen.
    QCOMPARE(counts["launch writes image"], kFrames);
}

// --- EGLStreams, against stand-ins: no software device has them

void TestDeviceAccesses::eglStreamHandOversAreCounted()
{
    constexpr std::size_t kSlots = 4;
    constexpr std::uint32_t kPassed = 20;
    Tracer tracer;
    testing::FakeEglStream stream;
    const std::unique_ptr<Device> device = counted(stream.device());
    const std::unique_ptr<GlQueue> queue =
        GlQueue::create(m_display, GlQueue::Execution::Threaded, nullptr, tracer).value();
    GpuTimer timer(*device, tracer);
    const std::unique_ptr<Stream> deviceStream = device->createStream().value();
    auto path = OutputPath::complete(
        newEglStreamOutput(8, 8, {*device, *queue, nullptr, timer, *deviceStream}, stream.table()), kSlots);
    JETSCOPE_VERIFY(path);
    for (std::uint32_t frame = 0; frame < kPassed; ++frame) {
        ChainLaunch launch;
        JETSCOPE_VERIFY(path.value()->beginDevice(frame % kSlots, frame, *deviceStream, launch));
        JETSCOPE_VERIFY(path.value()->endDevice(frame % kSlots, frame, *deviceStream));
        path.value()->feedGl(frame % kSlots, frame);
        JETSCOPE_VERIFY(queue->run([] { return Status(); }));
    }
    path.value().reset();
    // One frame more than there are slots, which are taken back once all were presented.
    const testing::AccessCounts wanted{{"EGLStream frame is made", kSlots + 1},
                                       {"EGLStream frame is presented", kPassed},
                                       {"EGLStream frame is taken back", kPassed - (kSlots + 1)},
                                       {"GL reads texture", kPassed},
                                       {"GL writes texture", kPassed},
                                       {"GL runs a command", kPassed}};
    QCOMPARE(testing::differences(m_log->counts(), wanted), std::string());
}

void TestDeviceAccesses::acquiredFramesAreCounted()
{
    const std::unique_ptr<Device> device = counted(std::make_unique<testing::EndlessStreamDevice>());
    const std::unique_ptr<Stream> stream = device->createStream().value();
    const auto input = StreamInput::create(*device, m_display, 0, testing::EndlessStreamDevice::table());
    JETSCOPE_VERIFY(input);
    for (std::uint64_t frame = 1; frame <= kFrames; ++frame) {
        JETSCOPE_VERIFY(input.value()->acquire(frame, *stream));
        JETSCOPE_VERIFY(input.value()->release(*stream));
    }
    const testing::AccessCounts wanted{{"EGLStream frame is acquired", kFrames},
                                       {"EGLStream frame is released", kFrames}};
    QCOMPARE(testing::differences(m_log->counts(), wanted), std::string());
}

void TestDeviceAccesses::scopesAndDeclarationsAllocateNothing()
{
    const TransferBench bench(openDevice("soft:orin", m_display).value(), m_display);
    const auto buffer = bench.device().allocate(Allocation::Pinned, 4096).value();
    const std::uint64_t before = testing::allocationsOfThread();
    for (std::uint64_t command = 1; command <= 100; ++command) {
        const CpuWrite write(bench.device(), wholeOf(*buffer));
        const CpuRead read(bench.device(), wholeOf(*buffer));
        const GlUses uses(bench.device(), {1, nullptr, Access::Read}, {2, nullptr, Access::Write});
        bench.device().tell(&DeviceObserver::glWill, bench.queue(), command, uses.uses());
    }
    QCOMPARE(testing::allocationsOfThread(), before);
}

// --- what would be missed is found

void TestDeviceAccesses::aTransferThatBypassesTheScopeIsFound()
{
    const std::size_t bytes = layoutOfFrames().bytes;
    const testing::AccessCounts wanted{{"pipeline writes " + memory("pageable", bytes), kFrames},
                                       {"pipeline reads " + memory("pageable", bytes), kFrames},
                                       {"pipeline writes " + memory("managed", bytes), kFrames},
                                       {"launch reads " + memory("managed", bytes), kFrames},
                                       {"launch writes " + memory("device", TransferBench::kOutput.bytes), kFrames}};
    const auto passed = [&](const char *device, bool guarded, bool bypasses) {
        m_log = std::make_shared<testing::AccessLog>();
        std::unique_ptr<Device> plain = openDevice(device, m_display).value();
        if (guarded)
            plain = std::make_unique<testing::ScopeGuardDevice>(std::move(plain));
        TransferBench bench(counted(std::move(plain)), m_display);
        std::unique_ptr<TransferBuffer> transfer = std::make_unique<BypassingTransfer>(bench.device());
        if (!bypasses)
            transfer = createTransferBuffer(MemoryKind::Unified, TransferBuffer::Direction::Input, layoutOfFrames(),
                                            bench.context())
                           .value();
        return bench.pass(*transfer).ok();
    };
    // The counts.
    QVERIFY(passed("soft:orin", false, false));
    QCOMPARE(testing::differences(m_log->counts(), wanted), std::string());
    QVERIFY(passed("soft:orin", false, true));
    QCOMPARE(testing::differences(m_log->counts(), wanted),
             "pipeline writes " + memory("managed", bytes) + ": 0, not " + std::to_string(kFrames) + "\n");
    // And the guard, whatever was wanted.
    QVERIFY(passed("soft:thor", true, false));
    QCOMPARE(PageGuard::instance().takeTouches().size(), std::size_t(0));
    QVERIFY(passed("soft:thor", true, true));
    const std::vector<PageGuard::Touch> touches = PageGuard::instance().takeTouches();
    QVERIFY(!touches.empty());
    QVERIFY(touches.front().access != FaultAccess::Read);
}

void TestDeviceAccesses::aTouchWhileTheGpuHasTheBufferFaults_data()
{
    QTest::addColumn<QString>("device");
    for (const char *device : {"soft:nano", "soft:tx2"})
        QTest::newRow(device) << device;
}

void TestDeviceAccesses::aTouchWhileTheGpuHasTheBufferFaults()
{
    QFETCH(QString, device);
    TransferBench bench(counted(openDevice(device.toStdString(), m_display).value()), m_display);
    const std::unique_ptr<Buffer> managed =
        bench.device().allocate(Allocation::Managed, layoutOfFrames().bytes).value();
    const std::unique_ptr<Buffer> output =
        bench.device().allocate(Allocation::Device, TransferBench::kOutput.bytes).value();
    ChainLaunch launch;
    pointLaunch(launch, TransferBuffer::Direction::Input, *managed, layoutOfFrames());
    launch.output = wholeOf(*output);
    launch.outputPitch = TransferBench::kOutput.planes[0].pitch;
    const auto rulesBroken = [&] {
        QStringList rules;
        for (const Hazard &hazard : bench.device().takeHazards())
            rules << text(ruleOf(hazard.rule).name);
        return rules;
    };
    const std::string write = "pipeline writes " + memory("managed", managed->bytes());

    JETSCOPE_VERIFY(bench.device().launch(launch, bench.stream()));
    managed->host()[5] = std::byte{1}; // Without a scope.
    QCOMPARE(rulesBroken(), QStringList("A1"));
    QCOMPARE(m_log->counts()[write], std::uint64_t(0));

    JETSCOPE_VERIFY(bench.device().launch(launch, bench.stream()));
    CpuWrite(bench.device(), wholeOf(*managed)).data()[5] = std::byte{2}; // A scope does not make it legal.
    QCOMPARE(rulesBroken(), QStringList("A1"));

    JETSCOPE_VERIFY(bench.device().synchronize());
    CpuWrite(bench.device(), wholeOf(*managed)).data()[5] = std::byte{3};
    QCOMPARE(rulesBroken(), QStringList());
    QCOMPARE(m_log->counts()[write], std::uint64_t(2));
}

QTEST_GUILESS_MAIN(TestDeviceAccesses)
#include "tst_deviceaccesses.moc"
