// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Reads and writes of each kind of memory by CPU and device, and copies.
#include "gpu/measure/probesteps.h"

#include "core/measure/probe/memorywalk.h"
#include "gpu/device/cpuaccess.h"

namespace jetscope {

namespace {

constexpr int kCpuRereads = 2;
constexpr int kDeviceRereads = 8;
constexpr int kCopiesOfSize = 3;

void addRate(RoundFigures &to, std::string key, double bytes, double ns)
{
    if (ns > 0) // Otherwise the work was shorter than the noise of an empty launch.
        to.emplace_back(std::move(key), bytes / ns);
}

/// The cycle of a frame in one kind of memory. The memory exists during the cycle only, because managed memory makes
/// launches slower while it exists.
class MemoryMeasurement {
public:
    MemoryMeasurement(ProbeBench &bench, std::string_view kind, MeasuredMemory &memory, RoundFigures &to)
        : m_bench(bench), m_kind(kind), m_memory(memory), m_to(to)
    {
    }

    Status measure()
    {
        if (m_memory.cpuReaches()) {
            JETSCOPE_TRY(m_memory.giveToCpu());
            m_bench.clearCpuCaches();
            add("cpu_write", 1, timed([this] { m_memory.write(); }));
        }
        if (m_memory.deviceReaches())
            JETSCOPE_TRY(measureDevice());
        if (!m_memory.cpuReaches())
            return {};
        JETSCOPE_TRY(m_memory.giveToCpu());
        m_bench.clearCpuCaches();
        add("cpu_read", 1, timed([this] { m_memory.read(1); }));
        add("cpu_reread", kCpuRereads, timed([this] { m_memory.read(kCpuRereads); }));
        return {};
    }

private:
    template <class Work>
    static double timed(Work work)
    {
        const std::int64_t begin = nowNs();
        work();
        return static_cast<double>(nowNs() - begin);
    }

    void add(std::string_view access, int passes, double ns)
    {
        addRate(m_to, memoryKey(m_kind, access), static_cast<double>(m_memory.bytes()) * passes, ns);
    }

    Status measureDevice()
    {
        JETSCOPE_TRY(m_memory.giveToDevice());
        JETSCOPE_TRY_ASSIGN(const std::vector<double> times,
                            m_bench.deviceTimes({[this] { return m_memory.readOnDevice(1); },
                                                 [this] { return m_memory.readOnDevice(kDeviceRereads); }}));
        add("gpu_read", 1, times[0]);
        add("gpu_reread", kDeviceRereads, times[1]);
        return {};
    }

    ProbeBench &m_bench;
    const std::string m_kind;
    MeasuredMemory &m_memory;
    RoundFigures &m_to;
};

std::vector<std::string> memoryKeysOf(std::string_view kind, bool cpu, bool device)
{
    std::vector<std::string> keys;
    for (const std::string_view access : kProbeAccesses)
        if (access.front() == 'c' ? cpu : device)
            keys.push_back(memoryKey(kind, access));
    return keys;
}

void addMemory(std::vector<RoundStep> &steps, ProbeBench &bench, std::string_view kind)
{
    Result<std::unique_ptr<MeasuredMemory>> memory = MeasuredMemory::create(bench, kind, bench.frameBytes());
    if (!memory.ok()) {
        steps.push_back(unavailableStep(memoryKeysOf(kind, true, true), memory.error()));
        return;
    }
    const bool cpu = memory.value()->cpuReaches();
    const bool device = memory.value()->deviceReaches();
    if (!cpu)
        steps.push_back(
            unavailableStep(memoryKeysOf(kind, true, false), sentence("the CPU has no address for device memory")));
    if (!device)
        steps.push_back(unavailableStep(memoryKeysOf(kind, false, true),
                                        sentence("copied to device memory before the GPU reads it")));
    steps.push_back({memoryKeysOf(kind, cpu, device), [&bench, kind](RoundFigures &to) -> Status {
                         JETSCOPE_TRY_ASSIGN(const std::unique_ptr<MeasuredMemory> made,
                                             MeasuredMemory::create(bench, kind, bench.frameBytes()));
                         return MemoryMeasurement(bench, kind, *made, to).measure();
                     }});
}

/// Copies between host memory of one kind and device memory.
struct CopyMeasurement {
    std::unique_ptr<Buffer> host;
    std::unique_ptr<Buffer> device;

    Status measure(ProbeBench &bench, std::string_view memory, RoundFigures &to)
    {
        for (const std::string_view direction : kProbeDirections)
            for (const std::size_t bytes : kProbeCopyBytes) {
                JETSCOPE_TRY_ASSIGN(const double ns, medianNanoseconds(kCopiesOfSize, [&]() -> Status {
                                        JETSCOPE_TRY(copy(bench, direction, bytes));
                                        return bench.synchronize();
                                    }));
                addRate(to, copyKey(direction, memory, bytes), static_cast<double>(bytes), ns);
            }
        return {};
    }

    Status copy(ProbeBench &bench, std::string_view direction, std::size_t bytes)
    {
        const BufferRange there{device.get(), 0, bytes};
        const BufferRange here{host.get(), 0, bytes};
        return direction == kProbeDirections.front()
            ? bench.device().copyAsync(there, here, CopyKind::HostToDevice, bench.stream())
            : bench.device().copyAsync(here, there, CopyKind::DeviceToHost, bench.stream());
    }
};

Result<std::shared_ptr<CopyMeasurement>> makeCopies(ProbeBench &bench, Allocation allocation)
{
    auto copies = std::make_shared<CopyMeasurement>();
    JETSCOPE_TRY_ASSIGN(copies->host, bench.device().allocate(allocation, kProbeCopyBytes.back()));
    JETSCOPE_TRY_ASSIGN(copies->device, bench.device().allocate(Allocation::Device, kProbeCopyBytes.back()));
    const CpuWrite access(bench.device(), wholeOf(*copies->host));
    writeThrough(access.data(), access.bytes(), 1);
    return copies;
}

} // namespace

std::vector<RoundStep> memorySteps(ProbeBench &bench)
{
    std::vector<RoundStep> steps;
    for (const std::string_view kind : probeMemories())
        addMemory(steps, bench, kind);
    return steps;
}

std::vector<RoundStep> copySteps(ProbeBench &bench)
{
    std::vector<RoundStep> steps;
    for (const std::string memory : {"pageable", "pinned"}) {
        std::vector<std::string> keys;
        for (const std::string_view direction : kProbeDirections)
            for (const std::size_t bytes : kProbeCopyBytes)
                keys.push_back(copyKey(direction, memory, bytes));
        const Result<std::shared_ptr<CopyMeasurement>> copies =
            makeCopies(bench, memory == "pinned" ? Allocation::Pinned : Allocation::Pageable);
        if (!copies.ok())
            steps.push_back(unavailableStep(std::move(keys), copies.error()));
        else
            steps.push_back({std::move(keys), [&bench, memory, copy = copies.value()](RoundFigures &to) {
                                 return copy->measure(bench, memory, to);
                             }});
    }
    return steps;
}

} // namespace jetscope
