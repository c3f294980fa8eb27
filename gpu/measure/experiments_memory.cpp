// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Experiments about memory: who reads it, how often, and what it costs to have it.
#include "gpu/measure/experiments.h"

#include "core/measure/probe/memorywalk.h"

namespace jetscope {

namespace {

constexpr double kNsPerMicros = 1000;
constexpr int kPassCounts[] = {1, 2, 4, 8};
constexpr int kLaunchesAtOnce = 9;

constexpr ComparisonMethod kTimeMethod{.least = 0.03};

template <class Work>
double microsecondsOf(Work work)
{
    const std::int64_t begin = nowNs();
    work();
    return static_cast<double>(nowNs() - begin) / kNsPerMicros;
}

Result<double> microseconds(const std::function<Status()> &work)
{
    JETSCOPE_TRY_ASSIGN(const double ns, nanosecondsFor(work));
    return ns / kNsPerMicros;
}

/// The only figure of a variant.
Result<std::vector<double>> medianMicroseconds(int count, const std::function<Status()> &work)
{
    JETSCOPE_TRY_ASSIGN(const double ns, medianNanoseconds(count, work));
    return std::vector{ns / kNsPerMicros};
}

/// How a frame reaches the GPU's kernels in the experiment of passes.
class FrameWay {
public:
    static Result<std::shared_ptr<FrameWay>> create(ProbeBench &bench, std::string_view kind)
    {
        std::shared_ptr<FrameWay> way(new FrameWay(bench));
        JETSCOPE_TRY_ASSIGN(way->m_host, MeasuredMemory::create(bench, kind, bench.frameBytes()));
        if (!way->m_host->deviceReaches()) {
            JETSCOPE_TRY_ASSIGN(way->m_device, MeasuredMemory::create(bench, "device", bench.frameBytes()));
        }
        return way;
    }

    /// A frame from the CPU's write to the end of the last kernel.
    Status frame(int passes)
    {
        m_host->write();
        JETSCOPE_TRY(m_host->giveToDevice());
        if (m_device)
            JETSCOPE_TRY(m_bench.device().copyAsync(wholeOf(m_device->buffer()), wholeOf(m_host->buffer()),
                                                    CopyKind::HostToDevice, m_bench.stream()));
        for (int pass = 0; pass < passes; ++pass)
            JETSCOPE_TRY((m_device ? *m_device : *m_host).readOnDevice(1));
        return m_host->giveToCpu();
    }

private:
    explicit FrameWay(ProbeBench &bench) : m_bench(bench) {}

    ProbeBench &m_bench;
    std::unique_ptr<MeasuredMemory> m_host;
    std::unique_ptr<MeasuredMemory> m_device; ///< Null unless the frame is copied.
};

/// Adds one way with all pass counts as variants. The memory exists during its step only, since managed memory makes
/// the launches of others slower.
void addWay(PreparedExperiment &to, ProbeBench &bench, std::string_view kind, const std::string &name)
{
    const std::size_t first = to.design.variants.size();
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < std::size(kPassCounts); ++i) {
        const int passes = kPassCounts[i];
        to.design.variants.push_back(name + (passes == 1 ? ", 1 pass" : ", " + std::to_string(passes) + " passes"));
        keys.push_back(experimentKey(first + i, 0));
        if (first > 0) // Compared with zero-copy at the same number of passes.
            to.design.comparisons.push_back({i, first + i, 0});
    }
    to.steps.push_back({std::move(keys), [&bench, kind, first](RoundFigures &figures) -> Status {
                            JETSCOPE_TRY_ASSIGN(const std::shared_ptr<FrameWay> way, FrameWay::create(bench, kind));
                            for (std::size_t i = 0; i < std::size(kPassCounts); ++i) {
                                JETSCOPE_TRY(way->frame(kPassCounts[i])); // Warms up this number of passes.
                                JETSCOPE_TRY_ASSIGN(const double us,
                                                    microseconds([&] { return way->frame(kPassCounts[i]); }));
                                figures.emplace_back(experimentKey(first + i, 0), us);
                            }
                            return {};
                        }});
}

} // namespace

Result<PreparedExperiment> preparePinnedReread(ProbeBench &bench)
{
    PreparedExperiment prepared;
    prepared.design.columns = {{"the first read", "us", kTimeMethod}, {"a further read", "us", kTimeMethod}};
    for (const std::string_view kind : {"pageable", "pinned", "zero-copy", "registered"})
        addVariant(prepared, std::string(kind) + " memory", [&bench, kind]() -> Result<std::vector<double>> {
            JETSCOPE_TRY_ASSIGN(const std::unique_ptr<MeasuredMemory> memory,
                                MeasuredMemory::create(bench, kind, bench.frameBytes()));
            bench.clearCpuCaches();
            const double first = microsecondsOf([&] { memory->read(1); });
            return std::vector{first, microsecondsOf([&] { memory->read(1); })};
        });
    return prepared;
}

Result<PreparedExperiment> prepareGpuPasses(ProbeBench &bench)
{
    PreparedExperiment prepared;
    prepared.design.columns = {{"the time of a frame", "us", kTimeMethod}};
    addWay(prepared, bench, "zero-copy", "zero-copy memory");
    addWay(prepared, bench, "pinned", "a copy from pinned memory");
    addWay(prepared, bench, "unified", "unified memory");
    if (!bench.device().facts().concurrentManagedAccess)
        addWay(prepared, bench, "unified-attach", "attached unified memory");
    return prepared;
}

Result<PreparedExperiment> prepareLaunchAttached(ProbeBench &bench)
{
    const DeviceFacts &facts = bench.device().facts();
    if (!facts.managedMemory.available)
        return sentence(facts.managedMemory.reason);
    if (facts.concurrentManagedAccess)
        return sentence(
            "managed memory is not attached here: CPU and GPU may use it at the same time, and a launch has "
            "nothing to prepare");
    PreparedExperiment prepared;
    prepared.design.columns = {{"launch and wait", "us", kTimeMethod}};
    const std::size_t frame = bench.frameBytes();
    for (const std::size_t bytes : {std::size_t{0}, frame / 8, frame / 4, frame / 2, frame}) {
        const std::string name =
            bytes == 0 ? "no managed memory" : std::to_string(bytes / 1024) + " KiB of managed memory";
        addVariant(prepared, name, [&bench, bytes]() -> Result<std::vector<double>> {
            std::unique_ptr<MeasuredMemory> memory;
            if (bytes > 0) {
                JETSCOPE_TRY_ASSIGN(memory, MeasuredMemory::create(bench, "unified", bytes));
            }
            return medianMicroseconds(kLaunchesAtOnce, [&bench]() -> Status {
                JETSCOPE_TRY(bench.launchEmpty());
                return bench.synchronize();
            });
        });
    }
    return prepared;
}

Result<PreparedExperiment> prepareRegistration(ProbeBench &bench)
{
    const DeviceFacts &facts = bench.device().facts();
    if (!facts.hostRegister.available)
        return sentence(facts.hostRegister.reason);
    PreparedExperiment prepared;
    prepared.design.columns = {{"the time of a frame", "us", kTimeMethod}};
    prepared.design.variants = {"memory registered once", "memory registered for each frame",
                                "a copy from pageable memory"};
    prepared.design.comparisons = {{0, 1, 0}, {0, 2, 0}, {2, 1, 0}};
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<FrameWay> once, FrameWay::create(bench, "registered"));
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<FrameWay> copied, FrameWay::create(bench, "pageable"));
    JETSCOPE_TRY_ASSIGN(HostMemory own, allocateHostMemory(bench.frameBytes()));
    const auto perFrame = [&bench, memory = std::shared_ptr<std::byte>(std::move(own))]() -> Status {
        writeThrough(memory.get(), bench.frameBytes(), 1);
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> buffer,
                            bench.device().registerHost(memory.get(), bench.frameBytes()));
        JETSCOPE_TRY(bench.device().readMemory(wholeOf(*buffer), 1, bench.stream()));
        return bench.synchronize();
    };
    for (const std::function<Status()> &frame :
         {std::function<Status()>([once] { return once->frame(1); }), std::function<Status()>(perFrame),
          std::function<Status()>([copied] { return copied->frame(1); })})
        addStep(prepared, [frame] { return medianMicroseconds(3, frame); });
    return prepared;
}

} // namespace jetscope
