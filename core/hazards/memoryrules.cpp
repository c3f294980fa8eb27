// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/memoryrules.h"

#include <algorithm>

namespace jetscope {

namespace {

/// The kernels that may use the memory as far as the driver knows: of every stream for globally attached memory, of its
/// own for memory that is attached to one.
bool mayUse(const KernelInFlight &kernel, const ManagedState &memory)
{
    return memory.attach == Attach::Global || (memory.attach == Attach::Single && memory.stream == kernel.stream);
}

const KernelInFlight *firstThatMayUse(const CpuTouch &touch)
{
    const auto found = std::find_if(touch.kernels.begin(), touch.kernels.end(),
                                    [&](const KernelInFlight &kernel) { return mayUse(kernel, touch.memory); });
    return found == touch.kernels.end() ? nullptr : &*found;
}

constexpr std::int64_t kShortestWaitNs = 100'000; ///< A shorter one may end before a blocking thread blocks.
constexpr int kWaitsJudged = 32;
constexpr int kSpunWaits = kWaitsJudged * 3 / 4;
constexpr int kPreemptedWaits = kWaitsJudged / 8;

} // namespace

std::vector<KernelInFlight> kernelsInFlight(const AccessHistory &accesses, const QueueOrder &order)
{
    std::vector<KernelInFlight> kernels;
    for (QueueId id = 0; id < order.queues(); ++id) {
        const QueueOrder::Launch *launch = order.launchInFlight(id);
        if (!launch)
            continue;
        KernelInFlight kernel{id, launch->frame, launch->timeNs, std::nullopt};
        for (const MemoryAccess &use : accesses.accesses())
            if (use.queue == id && use.kind == AccessKind::Kernel && !order.knownFromCuda().contains(id, use.tick))
                kernel.use = kernel.use == Access::Write ? Access::Write : use.access;
        kernels.push_back(kernel);
    }
    return kernels;
}

const KernelInFlight *a1(const CpuTouch &touch)
{
    return firstThatMayUse(touch);
}

const KernelInFlight *a2(const CpuTouch &touch)
{
    const bool onlyRead = touch.access == Access::Read
        && std::none_of(touch.kernels.begin(), touch.kernels.end(),
                        [](const KernelInFlight &kernel) { return kernel.use == Access::Write; });
    const auto reader = std::find_if(touch.kernels.begin(), touch.kernels.end(), [&](const KernelInFlight &kernel) {
        return kernel.use == Access::Read && mayUse(kernel, touch.memory);
    });
    return onlyRead && reader != touch.kernels.end() ? &*reader : nullptr;
}

const KernelInFlight *a3(const CpuTouch &touch)
{
    return touch.memory.used ? nullptr : firstThatMayUse(touch);
}

bool a4(const CpuTouch &touch)
{
    return touch.memory.attach == Attach::Host && !touch.cpu.contains(touch.memory.stream, touch.memory.attachTick);
}

bool a5(const ManagedState &memory, QueueId stream)
{
    return memory.attach == Attach::Host || (memory.attach == Attach::Single && memory.stream != stream);
}

std::optional<BrokenTouch> brokenRule(const CpuTouch &touch)
{
    if (a4(touch))
        return BrokenTouch{RuleId::A4, nullptr};
    if (const KernelInFlight *kernel = a3(touch))
        return BrokenTouch{RuleId::A3, kernel};
    if (const KernelInFlight *kernel = a2(touch))
        return BrokenTouch{RuleId::A2, kernel};
    if (const KernelInFlight *kernel = a1(touch))
        return BrokenTouch{RuleId::A1, kernel};
    return std::nullopt;
}

std::optional<MemoryAccess> UncachedReads::read(const MemoryAccess &next)
{
    const auto earlier =
        std::find_if(m_reads.begin(), m_reads.end(), [&](const MemoryAccess &read) { return meet(read, next); });
    if (earlier != m_reads.end())
        return *earlier;
    m_reads.push_back(next);
    return std::nullopt;
}

void UncachedReads::written(const MemoryAccess &write)
{
    std::erase_if(m_reads, [&](const MemoryAccess &read) { return meet(read, write); });
}

bool SpinningWaits::add(const WaitCost &wait)
{
    if (wait.wallNs < kShortestWaitNs)
        return false;
    const bool spun = wait.blocks == 0;
    m_spun += spun;
    m_preempted += spun && wait.preemptions > 0;
    if (++m_waits < kWaitsJudged)
        return false;
    const bool found = m_spun >= kSpunWaits && m_preempted >= kPreemptedWaits;
    *this = {};
    return found;
}

} // namespace jetscope
