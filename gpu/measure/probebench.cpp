// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/probebench.h"

#include "core/figures/averages.h"
#include "core/measure/probe/memorywalk.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/device/cpuaccess.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;
constexpr std::size_t kMinOther = 32 * kMegabyte;
constexpr std::size_t kMaxOther = 96 * kMegabyte;
/// More than the caches of known GPUs: 50 MB on large discrete ones, 4 MB on boards.
constexpr std::size_t kOtherOfDiscrete = 128 * kMegabyte;
constexpr std::size_t kOtherOfIntegrated = 32 * kMegabyte;
constexpr int kEmptyLaunches = 9;

/// How memory is allocated that needs no more.
constexpr std::pair<std::string_view, Allocation> kAllocations[] = {
    {"pageable", Allocation::Pageable},
    {"pinned", Allocation::Pinned},
    {"zero-copy", Allocation::PinnedMapped},
    {"unified", Allocation::Managed},
    {"unified-attach", Allocation::Managed},
    {"device", Allocation::Device},
    {"system", Allocation::System},
    {"unified-prefetch", Allocation::Managed},
    {"pool", Allocation::Pinned},
    {"dmabuf", Allocation::Exported},
};

/// Holds a stream until its work is submitted. A submitting thread that is interrupted does not hold it for long.
void awaitGate(const std::atomic<bool> &open)
{
    constexpr std::int64_t kLongestNs = 50'000'000;
    for (const std::int64_t begin = nowNs(); !open.load() && nowNs() - begin < kLongestNs;)
        std::this_thread::yield();
}

Error noMemory(std::string why)
{
    return sentence(std::move(why));
}

} // namespace

Result<double> medianNanoseconds(int count, const std::function<Status()> &call)
{
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        JETSCOPE_TRY_ASSIGN(const double ns, nanosecondsFor(call));
        times.push_back(ns);
    }
    return medianOf(std::move(times));
}

ProbeBench::ProbeBench(Device &device, std::shared_ptr<EglDisplay> display, int width, int height)
    : m_device(device),
      m_display(std::move(display)),
      m_width(width),
      m_height(height),
      m_policyBefore(device.waitPolicy())
{
}

ProbeBench::~ProbeBench()
{
    static_cast<void>(m_device.setWaitPolicy(m_policyBefore));
}

Result<std::unique_ptr<ProbeBench>> ProbeBench::create(Device &device, std::shared_ptr<EglDisplay> display, int width,
                                                       int height)
{
    std::unique_ptr<ProbeBench> bench(new ProbeBench(device, std::move(display), width, height));
    JETSCOPE_TRY(bench->allocate());
    return bench;
}

Status ProbeBench::allocate()
{
    JETSCOPE_TRY_ASSIGN(m_stream, m_device.createStream());
    JETSCOPE_TRY(m_device.setWaitPolicy(quickWait()));
    m_otherBytes = std::clamp(2 * largestCpuCache(), kMinOther, kMaxOther);
    JETSCOPE_TRY_ASSIGN(m_other, allocateHostMemory(m_otherBytes));
    clearCpuCaches();
    JETSCOPE_TRY_ASSIGN(m_small, m_device.allocate(Allocation::Device, kSmallBytes));
    const DeviceFacts &facts = m_device.facts();
    if (!facts.software) {
        JETSCOPE_TRY_ASSIGN(
            m_deviceOther,
            m_device.allocate(Allocation::Device, facts.integrated ? kOtherOfIntegrated : kOtherOfDiscrete));
    }
    JETSCOPE_TRY(launchEmpty());
    return synchronize();
}

WaitPolicy ProbeBench::quickWait() const
{
    return m_device.facts().software ? WaitPolicy::Block : WaitPolicy::Spin;
}

void ProbeBench::clearCpuCaches()
{
    writeThrough(m_other.get(), m_otherBytes, ++m_otherValue);
}

Status ProbeBench::clearDeviceCaches()
{
    if (!m_deviceOther) {
        clearCpuCaches();
        return {};
    }
    return m_device.readMemory(wholeOf(*m_deviceOther), 1, *m_stream);
}

Status ProbeBench::submitTimed(const std::vector<std::function<Status()>> &work)
{
    JETSCOPE_TRY(m_device.record(*m_events[0], *m_stream));
    for (std::size_t i = 0; i <= work.size(); ++i) {
        JETSCOPE_TRY(i < work.size() ? work[i]() : launchEmpty());
        JETSCOPE_TRY(m_device.record(*m_events[i + 1], *m_stream));
    }
    return {};
}

Result<std::vector<double>> ProbeBench::deviceTimes(const std::vector<std::function<Status()>> &work)
{
    while (m_events.size() < work.size() + 2) {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Event> event, m_device.createEvent(Device::Timing::On));
        m_events.push_back(std::move(event));
    }
    JETSCOPE_TRY(clearDeviceCaches());
    const auto open = std::make_shared<std::atomic<bool>>(false);
    JETSCOPE_TRY(m_device.launchHost(*m_stream, [open] { awaitGate(*open); }));
    const Status submitted = submitTimed(work);
    open->store(true);
    JETSCOPE_TRY(synchronize());
    JETSCOPE_TRY(submitted);
    std::vector<double> times;
    for (std::size_t i = 0; i <= work.size(); ++i) {
        JETSCOPE_TRY_ASSIGN(const std::int64_t ns, m_device.elapsedNs(*m_events[i], *m_events[i + 1]));
        times.push_back(static_cast<double>(ns));
    }
    const double empty = times.back();
    times.pop_back();
    for (double &ns : times)
        ns -= empty;
    return times;
}

Result<double> ProbeBench::emptyLaunchNs()
{
    return medianNanoseconds(kEmptyLaunches, [this]() -> Status {
        JETSCOPE_TRY(launchEmpty());
        return synchronize();
    });
}

std::string ProbeBench::method() const
{
    std::string text = "All measurements in rounds, each round in another order, the first one not counted; the "
                       "median over the rounds and its 99 % interval. Memory: a frame is written by the CPU, read by "
                       "the GPU, read by the GPU again, read by the CPU and read by the CPU again; before each write "
                       "and each first read ";
    text += std::to_string(m_otherBytes / kMegabyte) + " MiB of other memory were written by the CPU";
    if (m_deviceOther)
        text += ", or " + std::to_string(m_deviceOther->bytes() / kMegabyte) + " MiB read by the GPU";
    text += ", to displace the frame from the caches";
    if (const std::size_t cache = largestCpuCache(); cache > m_otherBytes / 2)
        text += " (the CPU's largest cache has " + std::to_string(cache / kMegabyte)
            + " MiB, so that parts of a frame may stay in it)";
    return text
        + ". Rates of the GPU are from events on the device, without the time of an empty launch; those of copies are "
          "from the call to the end of the wait. One CPU thread.";
}

bool MeasuredMemory::deviceReaches() const
{
    const Allocation kind = m_buffer->allocation();
    return kind != Allocation::Pageable && kind != Allocation::Pinned;
}

/// Why a kind is not measured on a device; nothing where it is.
std::string MeasuredMemory::absence(const DeviceFacts &facts, std::string_view kind)
{
    if (kind == "gl-texture")
        return "a texture has no address that a kernel could read; the turns between GL and CUDA show its cost";
    if (kind == "nvbuf")
        return "only a camera has such buffers";
    if (kind == "unified-attach" && facts.concurrentManagedAccess)
        return "attachment has no effect here: CPU and GPU may use managed memory at the same time";
    const std::optional<MemoryKind> named = choiceByName<MemoryKind>(kind);
    return named ? availability(*named, {}, facts).reason : std::string();
}

Result<std::unique_ptr<MeasuredMemory>> MeasuredMemory::create(ProbeBench &bench, std::string_view kind,
                                                               std::size_t bytes)
{
    Device &device = bench.device();
    if (std::string why = absence(device.facts(), kind); !why.empty())
        return noMemory(std::move(why));
    const HandOver handOver = kind == "unified-attach" ? HandOver::Attach
        : kind == "unified-prefetch"                   ? HandOver::Prefetch
                                                       : HandOver::None;
    std::unique_ptr<MeasuredMemory> memory(new MeasuredMemory(bench, handOver));
    if (kind == "registered" || kind == "registered-io") {
        JETSCOPE_TRY_ASSIGN(memory->m_pageable, allocateHostMemory(bytes));
        JETSCOPE_TRY_ASSIGN(memory->m_buffer,
                            kind == "registered" ? device.registerHost(memory->m_pageable.get(), bytes)
                                                 : device.registerIoMemory(memory->m_pageable.get(), bytes));
    } else {
        const auto *const row = std::find_if(std::begin(kAllocations), std::end(kAllocations),
                                             [kind](const auto &each) { return each.first == kind; });
        if (row == std::end(kAllocations))
            return noMemory("Jetscope does not know how to measure it");
        JETSCOPE_TRY_ASSIGN(memory->m_buffer, device.allocate(row->second, bytes));
    }
    JETSCOPE_TRY(memory->touch());
    return memory;
}

Status MeasuredMemory::touch()
{
    if (!cpuReaches()) {
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> content, allocatePageable(bytes()));
        writeThrough(CpuWrite(m_bench.device(), wholeOf(*content)).data(), bytes(), 1);
        JETSCOPE_TRY(m_bench.device().copyAsync(wholeOf(*m_buffer), wholeOf(*content), CopyKind::HostToDevice,
                                                m_bench.stream()));
        return m_bench.synchronize();
    }
    JETSCOPE_TRY(giveToCpu());
    write();
    if (deviceReaches()) {
        JETSCOPE_TRY(giveToDevice());
        JETSCOPE_TRY(readOnDevice(1));
        JETSCOPE_TRY(giveToCpu());
    }
    read(1);
    return {};
}

Status MeasuredMemory::giveToDevice()
{
    if (m_handOver == HandOver::Attach)
        JETSCOPE_TRY(m_bench.device().attach(*m_buffer, Attach::Single, m_bench.stream()));
    if (m_handOver == HandOver::Prefetch)
        JETSCOPE_TRY(m_bench.device().prefetch(*m_buffer, PrefetchTo::Device, Content::Kept, m_bench.stream()));
    return m_bench.synchronize();
}

Status MeasuredMemory::giveToCpu()
{
    if (m_handOver == HandOver::Attach)
        JETSCOPE_TRY(m_bench.device().attach(*m_buffer, Attach::Host, m_bench.stream()));
    if (m_handOver == HandOver::Prefetch)
        JETSCOPE_TRY(m_bench.device().prefetch(*m_buffer, PrefetchTo::Host, Content::Kept, m_bench.stream()));
    return m_bench.synchronize();
}

void MeasuredMemory::write()
{
    const CpuWrite access(m_bench.device(), wholeOf(*m_buffer));
    writeThrough(access.data(), access.bytes(), ++m_value);
}

void MeasuredMemory::read(int passes)
{
    const CpuRead access(m_bench.device(), wholeOf(*m_buffer));
    readThrough(access.data(), access.bytes(), passes);
}

Status MeasuredMemory::readOnDevice(int passes)
{
    return m_bench.device().readMemory(wholeOf(*m_buffer), passes, m_bench.stream());
}

} // namespace jetscope
