// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Experiments about synchronization: what it costs the pipeline thread, and how soon a thread learns of the end of a
// kernel.
#include "gpu/measure/experiments.h"

#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/gputime/deviceclock.h"
#include "gpu/measure/pipelinebench.h"
#include "gpu/sync/framesync.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace jetscope {

namespace {

constexpr int kWakesInRound = 20;
constexpr std::chrono::milliseconds kStampsLimit{200};

/// A pipeline under one synchronization: what a frame costs the thread, how many calls start its work, and the period.
Result<std::vector<double>> measureFrames(PipelineBench &pipeline, const PipelineConfig &config)
{
    JETSCOPE_TRY_ASSIGN(const std::vector<double> period, pipeline.measure(config, {Figure::Period}));
    JETSCOPE_TRY_ASSIGN(const PipelineBench::FrameCost cost, pipeline.frameCost());
    return std::vector{cost.cpuMicros, cost.starts, period.front()};
}

struct BenchSize {
    int width;
    int height;
    const char *name;
};

/// Waits of frames for the device, by a sync mode as the pipeline uses it.
class WakeScene final : private KernelObserver {
public:
    static Result<std::shared_ptr<WakeScene>> create(ProbeBench &bench)
    {
        if (!bench.display())
            return sentence("there is no EGL display");
        std::shared_ptr<WakeScene> scene(new WakeScene(bench));
        JETSCOPE_TRY_ASSIGN(scene->m_queue,
                            GlQueue::create(bench.display(), GlQueue::Execution::Threaded, nullptr, scene->m_tracer));
        JETSCOPE_TRY_ASSIGN(scene->m_done, bench.device().createEvent(Device::Timing::Off));
        const std::size_t bytes = bench.frameBytes();
        JETSCOPE_TRY_ASSIGN(scene->m_input, bench.device().allocate(Allocation::Device, bytes));
        JETSCOPE_TRY_ASSIGN(scene->m_output, bench.device().allocate(Allocation::Device, bytes));
        if (!bench.device().facts().software) {
            JETSCOPE_TRY_ASSIGN(scene->m_stamps, bench.device().createStamps(kSlots));
        }
        return scene;
    }

    /// The median of several waits, from the end of the last kernel to the thread's next instruction.
    Result<std::vector<double>> measure(SyncMode mode, WaitPolicy policy)
    {
        JETSCOPE_TRY(m_bench.device().setWaitPolicy(policy));
        const std::unique_ptr<FrameSync> sync = createFrameSync(mode, {m_bench.device(), *m_queue, [] {}});
        std::vector<double> wakes;
        Status waited;
        for (int i = 0; i < kWakesInRound && waited.ok(); ++i)
            waited = addWake(*sync, wakes);
        static_cast<void>(m_bench.synchronize()); // The mode's objects go now.
        JETSCOPE_TRY(m_bench.device().setWaitPolicy(m_bench.quickWait()));
        JETSCOPE_TRY(waited);
        std::sort(wakes.begin(), wakes.end());
        return std::vector{wakes[wakes.size() / 2] / 1000, wakes[wakes.size() * 9 / 10] / 1000};
    }

private:
    static constexpr std::size_t kSlots = 64;

    explicit WakeScene(ProbeBench &bench) : m_bench(bench) {}

    Status addWake(FrameSync &sync, std::vector<double> &wakes)
    {
        if (m_stamps) {
            JETSCOPE_TRY_ASSIGN(const std::vector<ClockSample> samples, m_stamps->sampleClock());
            m_clock.addMoment(samples);
            if (!m_clock.isSet())
                return sentence("the device did not say its time");
        }
        ChainLaunch work;
        work.inputLayout = makeImageLayout(PixelFormat::Rgba8, m_bench.width(), m_bench.height());
        work.input = wholeOf(*m_input);
        work.output = wholeOf(*m_output);
        work.outputPitch = work.inputLayout.planes[0].pitch;
        work.filters.assign(8, Filter::Gaussian15); // The thread waits long before the end.
        work.kernels = this;
        FrameWork frame;
        frame.frame = m_frame++;
        frame.stream = &m_bench.stream();
        frame.done = m_done.get();
        m_first = m_next;
        JETSCOPE_TRY(m_bench.device().launch(work, m_bench.stream()));
        JETSCOPE_TRY(m_bench.device().record(*m_done, m_bench.stream()));
        JETSCOPE_TRY(sync.submitted(frame));
        JETSCOPE_TRY(sync.deviceToCpu(frame));
        const std::int64_t seenNs = nowNs();
        JETSCOPE_TRY(m_bench.device().synchronize(*m_done));
        JETSCOPE_TRY_ASSIGN(const std::int64_t endNs, endOfWork());
        wakes.push_back(static_cast<double>(seenNs - endNs));
        return {};
    }

    Result<std::int64_t> endOfWork()
    {
        if (!m_stamps)
            return m_bench.device().hostStampNs(*m_done).value_or(nowNs());
        JETSCOPE_TRY(m_stamps->fetch(m_first % kSlots, m_next - m_first));
        const auto giveUp = std::chrono::steady_clock::now() + kStampsLimit;
        for (bool arrived = false; !arrived;) {
            JETSCOPE_TRY_ASSIGN(arrived, m_stamps->fetched());
            if (!arrived && std::chrono::steady_clock::now() > giveUp)
                return sentence("the times of a kernel did not arrive");
        }
        return m_clock.hostNs(m_stamps->times((m_next - 1) % kSlots).lastNs);
    }

    void *kernel(NameId) override { return m_stamps ? m_stamps->slot(m_next++ % kSlots) : nullptr; }
    void copy(NameId, std::uint64_t) override {}
    void unknownKernels(NameId) override {}

    ProbeBench &m_bench;
    Tracer m_tracer{Tracer::Recording::Off};
    std::unique_ptr<GlQueue> m_queue;
    std::unique_ptr<Event> m_done;
    std::unique_ptr<Buffer> m_input;
    std::unique_ptr<Buffer> m_output;
    std::unique_ptr<KernelStamps> m_stamps; ///< Null on the software iGPU, whose events have times of the host.
    DeviceClock m_clock;
    std::size_t m_first = 0; ///< Slots of the launch in progress.
    std::size_t m_next = 0;
    std::uint32_t m_frame = 0;
};

} // namespace

Result<PreparedExperiment> prepareSyncCalls(ProbeBench &bench)
{
    PreparedExperiment prepared;
    prepared.design.columns = {{"CPU time of the pipeline thread, a frame,", "us", {.least = 0.05, .leastInUnit = 1}},
                               {"the number of calls that start work, a frame,", "calls", {.least = 0.05}},
                               {"the period", "ms", methodOf(Figure::Period)}};
    PipelineConfig config = nearestLegal({}, bench.device().facts());
    config.gpuTime = GpuTime::Bounds;
    config.memory = MemoryKind::Pinned;
    config.wait = WaitPolicy::Block;
    for (const BenchSize &size : {BenchSize{1280, 720, "720p"}, {1920, 1080, "1080p"}}) {
        JETSCOPE_TRY_ASSIGN(const std::shared_ptr<PipelineBench> pipeline,
                            PipelineBench::create(bench, config, size.width, size.height));
        for (const bool isLong : {false, true}) {
            const std::size_t first = prepared.design.variants.size();
            for (const SyncMode mode : {SyncMode::Event, SyncMode::Finish, SyncMode::Graph}) {
                config.sync = mode;
                config.filters = defaultFilters();
                if (isLong)
                    config.filters.insert(config.filters.end(), 6, Filter::Gaussian15);
                prepared.design.variants.push_back(std::string(nameOf(mode)) + " at " + size.name
                                                   + (isLong ? " and 8 filters" : " and 2 filters"));
                for (std::size_t column = 0; prepared.design.variants.size() - 1 > first && column < 3; ++column)
                    prepared.design.comparisons.push_back({first, prepared.design.variants.size() - 1, column});
                addStep(prepared, [pipeline, config] { return measureFrames(*pipeline, config); });
            }
        }
    }
    return prepared;
}

Result<PreparedExperiment> prepareWakeUp(ProbeBench &bench)
{
    PreparedExperiment prepared;
    prepared.design.columns = {{"the time from the kernel's end until the thread runs", "us", {.least = 0.05}},
                               {"that time at the 90th percentile", "us", {.least = 0.05}}};
    prepared.design.variants = {"an event and spinning", "a flag and spinning", "an event and blocking",
                                "a flag and blocking",   "a host function",     "polling"};
    prepared.design.comparisons = {{0, 1, 0}, {2, 3, 0}, {0, 4, 0}, {0, 5, 0}, {0, 1, 1}, {2, 3, 1}};
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<WakeScene> scene, WakeScene::create(bench));
    for (const auto &[mode, policy] : {std::pair{SyncMode::Event, WaitPolicy::Spin},
                                       {SyncMode::Flag, WaitPolicy::Spin},
                                       {SyncMode::Event, WaitPolicy::Block},
                                       {SyncMode::Flag, WaitPolicy::Block},
                                       {SyncMode::Callback, WaitPolicy::Block},
                                       {SyncMode::Poll, WaitPolicy::Spin}})
        addStep(prepared, [scene, mode = mode, policy = policy] { return scene->measure(mode, policy); });
    return prepared;
}

} // namespace jetscope
