// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stages that fail while frames run: what is said of it, and what a change of the settings brings back. Stages of one
// library that run side by side.
#include "tests/gpu/stagefixture.h"

#include "gpu/device/forwardingdevice.h"
#include "gpu/stages/stagehost.h"

#include <QCoreApplication>

#include <atomic>
#include <dlfcn.h>
#include <future>
#include <thread>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

/// A device with a stage whose thread learns late why the stage failed: once it is asked for its last work.
class LateCauseDevice final : public ForwardingDevice {
public:
    explicit LateCauseDevice(std::unique_ptr<Device> device)
        : ForwardingDevice(std::move(device)), m_stages(ForwardingDevice::stages())
    {
    }

    StageHost &stages() override { return m_stages; }
    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        if (work.frame >= 3)
            return Error{"cuEventRecord", 911, "external device"};
        return ForwardingDevice::launch(work, stream);
    }

private:
    class Stages final : public ForwardingStageHost {
    public:
        using ForwardingStageHost::ForwardingStageHost;
        std::vector<StageWork> takeLastWork() override
        {
            m_isKnown = true;
            return ForwardingStageHost::takeLastWork();
        }
        std::vector<StageNews> takeNews() override
        {
            std::vector<StageNews> news = ForwardingStageHost::takeNews();
            if (std::exchange(m_isKnown, false))
                news.push_back({StageNews::Kind::Told, "the engine says why"});
            return news;
        }

    private:
        bool m_isKnown = false;
    };

    Stages m_stages;
};

/// A device that fails one launch, in the midst of the submission of a frame.
class FailsOnceDevice final : public ForwardingDevice {
public:
    explicit FailsOnceDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}

    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        if (work.frame == 3)
            return Error{"cudaLaunchKernel", 719, "unspecified launch failure"};
        return ForwardingDevice::launch(work, stream);
    }
};

/// Tells when a thread waits for the device's work.
struct Waiting {
    std::atomic<bool> hasBegun{false};

    void begin()
    {
        hasBegun = true;
        hasBegun.notify_all();
    }
};

/// Random pictures, all but the first only when a thread waits.
class LateSource final : public FrameSource {
public:
    LateSource(std::uint64_t frames, std::shared_ptr<Waiting> waiting)
        : m_waiting(std::move(waiting)), m_pictures(PixelFormat::Rgba8, 53, 31, frames)
    {
    }

    const SourceInfo &info() const override { return m_pictures.info(); }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        if (m_read++ > 0)
            m_waiting->hasBegun.wait(false);
        return m_pictures.read(into);
    }
    void cancel() override
    {
        m_pictures.cancel();
        m_waiting->begin();
    }

private:
    const std::shared_ptr<Waiting> m_waiting;
    RandomSource m_pictures;
    std::uint64_t m_read = 0;
};

/// A device on which the CPU stage waits for work that does not end, and whose next launch fails.
class EndlessDevice final : public ForwardingDevice {
public:
    EndlessDevice(std::unique_ptr<Device> device, std::shared_ptr<Waiting> waiting, std::shared_future<void> end)
        : ForwardingDevice(std::move(device)),
          m_waiting(std::move(waiting)),
          m_end(std::move(end)),
          m_pipelineThread(std::this_thread::get_id())
    {
    }

    using ForwardingDevice::synchronize;
    Status synchronize(const Event &event) override
    {
        if (std::this_thread::get_id() == m_pipelineThread)
            return ForwardingDevice::synchronize(event);
        m_waiting->begin();
        m_end.wait();
        return Error{"cudaEventSynchronize", 719, "of the former device"};
    }
    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        if (m_waiting->hasBegun)
            return Error{"cudaLaunchKernel", 719, "unspecified launch failure"};
        return ForwardingDevice::launch(work, stream);
    }

private:
    const std::shared_ptr<Waiting> m_waiting;
    const std::shared_future<void> m_end;
    const std::thread::id m_pipelineThread;
};

/// A device that fails the second launch, and GL's wait for the frame before only after that.
class FailsInGlToo final : public ForwardingDevice {
public:
    FailsInGlToo(std::unique_ptr<Device> device, std::shared_ptr<Waiting> waiting)
        : ForwardingDevice(std::move(device)), m_waiting(std::move(waiting))
    {
    }

    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        if (m_launches++ != 1)
            return ForwardingDevice::launch(work, stream);
        m_hasFailed.set_value();
        return Error{"cudaLaunchKernel", 719, "unspecified launch failure"};
    }
    Status glWait(GlWait &wait) override
    {
        JETSCOPE_TRY(ForwardingDevice::glWait(wait));
        if (std::exchange(m_waits, true))
            return {};
        m_waiting->begin();
        m_hasFailed.get_future().wait();
        return Error{"eglWaitSync", 719, "of the failed frame"};
    }

private:
    const std::shared_ptr<Waiting> m_waiting;
    bool m_waits = false;
    int m_launches = 0;
    std::promise<void> m_hasFailed;
};

/// Random pictures, and then none for as long as somebody waits for one.
class StallingSource final : public FrameSource {
public:
    explicit StallingSource(std::uint64_t frames) : m_frames(frames), m_pictures(PixelFormat::Rgba8, 53, 31, frames) {}

    const SourceInfo &info() const override { return m_pictures.info(); }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        if (m_read++ >= m_frames)
            m_isCancelled.wait(false);
        return m_pictures.read(into);
    }
    void cancel() override
    {
        m_pictures.cancel();
        m_isCancelled = true;
        m_isCancelled.notify_all();
    }

private:
    const std::uint64_t m_frames;
    RandomSource m_pictures;
    std::uint64_t m_read = 0;
    std::atomic<bool> m_isCancelled{false};
};

/// A number that a test stage counts, by its name in teststage.c.
std::atomic<int> *countOf(const char *mode, const char *name)
{
    void *const library = dlopen(stagePath(mode).c_str(), RTLD_NOW);
    return library ? static_cast<std::atomic<int> *>(dlsym(library, name)) : nullptr;
}

/// A device without a pipeline, with chains that are launched by themselves.
class StageLaunches {
public:
    StageLaunches() : m_layout(makeImageLayout(PixelFormat::Rgba8, 64, 36))
    {
        Result<std::unique_ptr<Device>> opened = openDevice("soft:orin", displayOf("soft:orin"));
        if (opened.ok())
            m_device = std::move(opened).value();
    }
    Device &device() { return *m_device; }
    bool isOpen() const { return m_device != nullptr; }
    Status launch(const std::vector<Filter> &filters, Stream &stream)
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> input, m_device->allocate(Allocation::Device, m_layout.bytes));
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> output, m_device->allocate(Allocation::Device, m_layout.bytes));
        ChainLaunch work;
        work.filters = filters;
        work.inputLayout = m_layout;
        work.input = wholeOf(*input);
        work.output = wholeOf(*output);
        work.outputPitch = m_layout.planes[0].pitch;
        m_buffers.push_back(std::move(input));
        m_buffers.push_back(std::move(output));
        return m_device->launch(work, stream);
    }
    Status prepare(const std::vector<Filter> &filters)
    {
        return m_device->stages().prepare(filters, m_layout.width, m_layout.height);
    }

private:
    const ImageLayout m_layout;
    std::unique_ptr<Device> m_device;
    std::vector<std::unique_ptr<Buffer>> m_buffers;
};

} // namespace

class TestStageFailures : public QObject {
    Q_OBJECT

private slots:
    void init();
    void theCauseIsToldWithTheFailure();
    void aChangeSetsStagesUpAnew_data();
    void aChangeSetsStagesUpAnew();
    void anotherSourceSetsStagesUpAnew();
    void figuresGoOnAfterAFailure_data();
    void figuresGoOnAfterAFailure();
    void gpuTimesChangeAfterAFailure();
    void anErrorInGlGoesWithItsFailure();
    void anotherDeviceDoesNotWaitForTheFormer();
    void noStageGoesWhileItRuns();
    void aFailureKeepsTheStages();
    void stagesOfOneLibraryTakeTurns();
};

void TestStageFailures::init()
{
    std::atomic<int> *const made = countOf("wears_out", "test_stage_states_made");
    QVERIFY(made);
    *made = 0;
}

void TestStageFailures::theCauseIsToldWithTheFailure()
{
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, {}, 100);
    setup.decorateDevice = [](std::unique_ptr<Device> opened) {
        return std::make_unique<LateCauseDevice>(std::move(opened));
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    // Whoever is told of the failure may leave at once, so the cause is there by then.
    QString told;
    QString failed;
    const auto collect = [&] {
        const PipelineUpdate update = pipeline.value()->drainUpdates();
        if (failed.isEmpty())
            told += noticeText(update, PipelineNotice::Kind::Stage);
        failed += noticeText(update, PipelineNotice::Kind::Failed);
    };
    QTRY_VERIFY_WITH_TIMEOUT((collect(), !failed.isEmpty()), 60'000);
    QCOMPARE(told, QString("the engine says why"));
    // After a change it fails again, in the midst of the submission of a frame as before.
    failed.clear();
    PipelineConfig config;
    config.memory = MemoryKind::Pageable;
    pipeline.value()->change(config);
    QTRY_VERIFY_WITH_TIMEOUT((collect(), !failed.isEmpty()), 60'000);
    QVERIFY2(failed.contains("external device"), qPrintable(failed));
}

void TestStageFailures::aChangeSetsStagesUpAnew_data()
{
    QTest::addColumn<int>("streams");
    QTest::addColumn<bool>("cpuStage");
    QTest::newRow("one stream") << 1 << false;
    QTest::newRow("several workers fail") << 3 << false;
    QTest::newRow("the CPU stage waits for frames that fail") << 3 << true;
}

void TestStageFailures::aChangeSetsStagesUpAnew()
{
    QFETCH(int, streams);
    PipelineConfig config;
    config.streams = streams;
    config.framesInFlight = streams + 1;
    QFETCH(bool, cpuStage);
    if (cpuStage && !cpuStageCapability().available)
        QSKIP("a build without CPU work");
    config.cpuStage = cpuStage ? CpuStagePlacement::Pipelined : CpuStagePlacement::Off;
    config.filters = chainOf(stageName("wears_out"));
    QCOMPARE(config.filters.size(), std::size_t(1));
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 40);
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Failed, 60'000);
    const QString failed = noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Failed);
    QVERIFY2(failed.contains("the lamp is worn out"), qPrintable(failed));
    config.memory = config.memory == MemoryKind::Pinned ? MemoryKind::Pageable : MemoryKind::Pinned;
    pipeline.value()->change(config);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Ended, 60'000);
    QCOMPARE(noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Failed), QString());
}

void TestStageFailures::anotherSourceSetsStagesUpAnew()
{
    PipelineConfig config;
    config.filters = chainOf(stageName("wears_out"));
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 40);
    setup.openSource = [](const std::string &) -> Result<std::unique_ptr<FrameSource>> {
        return std::unique_ptr<FrameSource>(std::make_unique<RandomSource>(PixelFormat::Rgba8, 53, 31, 40));
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Failed, 60'000);
    static_cast<void>(pipeline.value()->drainUpdates());
    const std::uint64_t before = pipeline.value()->status().frames;
    pipeline.value()->changeSource("other:");
    QString failed;
    QTRY_VERIFY_WITH_TIMEOUT((failed += noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Failed),
                              !failed.isEmpty() || pipeline.value()->status().state == PipelineState::Ended),
                             60'000);
    QCOMPARE(failed, QString());
    QVERIFY(pipeline.value()->status().frames >= before + 40);
}

void TestStageFailures::figuresGoOnAfterAFailure_data()
{
    QTest::addColumn<GpuTime>("source");
    QTest::newRow("bounds") << GpuTime::Bounds;
    QTest::newRow("stamped") << GpuTime::Stamped;
}

void TestStageFailures::figuresGoOnAfterAFailure()
{
    QFETCH(GpuTime, source);
    PipelineConfig config;
    config.gpuTime = source;
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 0);
    setup.source = std::make_unique<StallingSource>(60);
    setup.decorateDevice = [](std::unique_ptr<Device> opened) {
        return std::make_unique<FailsOnceDevice>(std::move(opened));
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Failed, 60'000);
    config.memory = MemoryKind::Pageable;
    pipeline.value()->change(config);
    std::uint32_t newest = 0;
    const auto follow = [&] {
        for (const FrameFigures &figures : pipeline.value()->drainUpdates().figures)
            newest = std::max(newest, figures.frame);
        return newest;
    };
    QTRY_VERIFY_WITH_TIMEOUT(follow() > 20, 60'000);
}

void TestStageFailures::gpuTimesChangeAfterAFailure()
{
    PipelineConfig config;
    config.gpuTime = GpuTime::Bounds;
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 40);
    setup.decorateDevice = [](std::unique_ptr<Device> opened) {
        return std::make_unique<FailsOnceDevice>(std::move(opened));
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Failed, 60'000);
    config.gpuTime = GpuTime::Events;
    pipeline.value()->change(config);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Ended, 60'000);
    QCOMPARE(pipeline.value()->status().gpuTime, GpuTime::Events);
    QCOMPARE(noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Refused), QString());
}

void TestStageFailures::anErrorInGlGoesWithItsFailure()
{
    PipelineConfig config;
    config.sync = SyncMode::EglSync;
    config.framesInFlight = 4;
    const auto waiting = std::make_shared<Waiting>();
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 0);
    setup.source = std::make_unique<LateSource>(40, waiting);
    setup.decorateDevice = [&](std::unique_ptr<Device> opened) {
        return std::make_unique<FailsInGlToo>(std::move(opened), waiting);
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Failed, 60'000);
    static_cast<void>(pipeline.value()->drainUpdates());
    config.memory = MemoryKind::Pageable;
    pipeline.value()->change(config);
    QString failed;
    QTRY_VERIFY_WITH_TIMEOUT((failed += noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Failed),
                              !failed.isEmpty() || pipeline.value()->status().state == PipelineState::Ended),
                             60'000);
    QCOMPARE(failed, QString());
}

void TestStageFailures::anotherDeviceDoesNotWaitForTheFormer()
{
    if (!cpuStageCapability().available)
        QSKIP("a build without CPU work");
    std::promise<void> end;
    PipelineConfig config;
    config.cpuStage = CpuStagePlacement::Pipelined;
    config.sync = SyncMode::Event;
    config.framesInFlight = 4;
    const auto waiting = std::make_shared<Waiting>();
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 0);
    setup.source = std::make_unique<LateSource>(40, waiting);
    setup.decorateDevice = [&, future = end.get_future().share()](std::unique_ptr<Device> opened) {
        return opened->facts().id == "soft:orin"
            ? std::unique_ptr<Device>(std::make_unique<EndlessDevice>(std::move(opened), waiting, future))
            : std::move(opened);
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Failed, 60'000);
    static_cast<void>(pipeline.value()->drainUpdates());
    config.gpuTime = GpuTime::Events;
    pipeline.value()->changeDevice("soft:xavier", config);
    QTRY_COMPARE_WITH_TIMEOUT(pipeline.value()->status().facts.id, std::string("soft:xavier"), 10'000);
    const bool isRunning = pipeline.value()->status().state == PipelineState::Running;
    end.set_value();
    QVERIFY(isRunning);
    QString failed;
    QTRY_VERIFY_WITH_TIMEOUT((failed += noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Failed),
                              !failed.isEmpty() || pipeline.value()->status().state == PipelineState::Ended),
                             60'000);
    QCOMPARE(failed, QString());
}

/// One worker has failed, and another one still runs a stage.
void TestStageFailures::noStageGoesWhileItRuns()
{
    const std::vector<Filter> worn = chainOf(stageName("wears_out"));
    const std::vector<Filter> slow = chainOf(stageName("slow"));
    StageLaunches launches;
    QVERIFY(launches.isOpen() && !worn.empty() && !slow.empty());
    const std::atomic<int> *const running = countOf("slow", "test_stage_running");
    QVERIFY(running);
    const std::unique_ptr<Stream> failing = launches.device().createStream().value();
    const std::unique_ptr<Stream> busy = launches.device().createStream().value();
    // In this order: a launch would take the error away.
    std::promise<void> mayFail;
    JETSCOPE_VERIFY(launches.device().launchHost(*failing, [&] { mayFail.get_future().wait(); }));
    for (int run = 0; run < 4; ++run)
        JETSCOPE_VERIFY(launches.launch(worn, *failing));
    std::promise<void> hasFailed;
    JETSCOPE_VERIFY(launches.device().launchHost(*failing, [&] { hasFailed.set_value(); }));
    JETSCOPE_VERIFY(launches.launch(slow, *busy));
    // Not only the stage's code must have returned, but also the worker from its instance.
    JETSCOPE_VERIFY(
        launches.device().launchHost(*busy, [] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }));
    const std::unique_ptr<Event> end = launches.device().createEvent(Device::Timing::Off).value();
    JETSCOPE_VERIFY(launches.device().record(*end, *busy));
    mayFail.set_value();
    hasFailed.get_future().wait();
    QTRY_COMPARE_WITH_TIMEOUT(running->load(), 1, 60'000);
    const Status gone = launches.device().stages().prepare({}, 0, 0);
    QVERIFY(!gone.ok() && gone.error().message().find("the lamp is worn out") != std::string::npos);
    const Result<bool> ended = launches.device().query(*end);
    QVERIFY(ended.ok() && ended.value());
}

/// The filters change while a stage has just failed.
void TestStageFailures::aFailureKeepsTheStages()
{
    const std::vector<Filter> worn = chainOf(stageName("wears_out"));
    const std::vector<Filter> other = chainOf(stageName("crowded"));
    StageLaunches launches;
    QVERIFY(launches.isOpen() && !worn.empty() && !other.empty());
    JETSCOPE_VERIFY(launches.prepare(worn));
    const std::atomic<int> *const states = countOf("wears_out", "test_stage_states");
    QVERIFY(states);
    QCOMPARE(states->load(), 1);
    const std::unique_ptr<Stream> stream = launches.device().createStream().value();
    std::promise<void> mayFail;
    JETSCOPE_VERIFY(launches.device().launchHost(*stream, [&] { mayFail.get_future().wait(); }));
    for (int run = 0; run < 4; ++run)
        JETSCOPE_VERIFY(launches.launch(worn, *stream));
    mayFail.set_value();
    const Status changed = launches.prepare(other);
    QVERIFY(!changed.ok() && changed.error().message().find("the lamp is worn out") != std::string::npos);
    QCOMPARE(states->load(), 1);
    // It was the frames that failed, which they say themselves.
    const Status next = launches.launch(worn, *stream);
    QVERIFY(!next.ok() && next.error().message().find("the lamp is worn out") != std::string::npos);
    JETSCOPE_VERIFY(launches.device().synchronize());
    JETSCOPE_VERIFY(launches.prepare(other));
    QCOMPARE(states->load(), 0);
}

void TestStageFailures::stagesOfOneLibraryTakeTurns()
{
    PipelineConfig config;
    config.filters = chainOf(stageName("crowded", "?mask=1") + "," + stageName("crowded", "?mask=2"));
    QCOMPARE(config.filters.size(), std::size_t(2));
    config.streams = 2;
    config.framesInFlight = 4;
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 60);
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    for (const char *mask : {"?mask=3", "?mask=4"}) { // Set up while others run.
        config.filters[1] = chainOf(stageName("crowded", mask)).at(0);
        pipeline.value()->change(config);
    }
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Refused), QString());
    QCOMPARE(pipeline.value()->status().frames, std::uint64_t(60));
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    QCoreApplication application(argc, argv);
    setStageTrialTimeout(std::chrono::seconds(60)); // Machines are busy.
    TestStageFailures test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_stagefailures.moc"
