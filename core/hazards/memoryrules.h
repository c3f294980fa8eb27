// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/accesshistory.h"
#include "core/hazards/memory.h"
#include "core/hazards/queueorder.h"
#include "core/hazards/rules.h"
#include "core/hazards/vectorclock.h"
#include "core/recording/span.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

// The ownership rules for managed memory where concurrentManagedAccess is 0. They stand beside the order of accesses:
// the CPU and a kernel that both only read are no race, and yet the access fails. One function a rule.

/// What cudaStreamAttachMemAsync last said of an allocation.
struct ManagedState {
    Attach attach = Attach::Global;
    QueueId stream = 0;  ///< The stream of the attach.
    Tick attachTick = 0; ///< Its place in that stream; 0 before the first one.
    bool used = false;   ///< By a kernel or a copy, or attached.
};

/// The newest launch of a stream, whose completion the CPU does not know.
struct KernelInFlight {
    QueueId stream = 0;
    std::uint32_t frame = kNoFrame;
    std::int64_t timeNs = 0;
    std::optional<Access> use; ///< What the stream's kernels in flight do to the memory in question; none if nothing.
};

/// The kernels that no call of CUDA has shown to be complete. `accesses` are those to the memory in question.
std::vector<KernelInFlight> kernelsInFlight(const AccessHistory &accesses, const QueueOrder &order);

/// A CPU thread touches managed memory.
struct CpuTouch {
    const ManagedState &memory;
    Access access = Access::Read;
    std::span<const KernelInFlight> kernels;
    const VectorClock &cpu; ///< What the CPU knows to be complete.
};

/// The kernel in flight that forbids the touch, for the rule that it breaks; null when the touch is legal.
const KernelInFlight *a1(const CpuTouch &touch);
const KernelInFlight *a2(const CpuTouch &touch);
const KernelInFlight *a3(const CpuTouch &touch);
/// Whether the memory was attached to the CPU and the CPU does not know that this has happened.
bool a4(const CpuTouch &touch);
/// Whether a kernel of `stream` uses memory that belongs to the CPU or to another stream.
bool a5(const ManagedState &memory, QueueId stream);

/// The one rule of these that a touch breaks, with the kernel if it is about one.
struct BrokenTouch {
    RuleId rule = RuleId::A1;
    const KernelInFlight *kernel = nullptr;
};
std::optional<BrokenTouch> brokenRule(const CpuTouch &touch);

/// Which bytes of uncached memory the CPU has read since they were written (rule A16).
class UncachedReads {
public:
    /// The earlier read of some of the same bytes; none if `next` is the first one. Only a first read is kept.
    std::optional<MemoryAccess> read(const MemoryAccess &next);
    /// New data may be read once more.
    void written(const MemoryAccess &write);

private:
    std::vector<MemoryAccess> m_reads; ///< None of them meet.
};

/// What one wait for the GPU cost the thread that made it.
struct WaitCost {
    std::int64_t wallNs = 0;
    std::int64_t blocks = 0;      ///< How often the thread gave its core away to wait (ru_nvcsw of getrusage).
    std::int64_t preemptions = 0; ///< How often another thread took the core from it (ru_nivcsw of getrusage).
};

/// Judges the waits of one thread (rule B4). A wait in which the thread never gave its core away was spinning. The CPU
/// time of the wait does not tell: it is a small part of it where many threads share the core. A spinning thread that
/// is preempted again and again has no core of its own: a thread with a free core is only preempted by chance.
class SpinningWaits {
public:
    /// Returns whether the newest waits spin without a free core. Waits too short to tell are ignored.
    bool add(const WaitCost &wait);

private:
    int m_waits = 0;
    int m_spun = 0;
    int m_preempted = 0; ///< Waits that spun and were preempted.
};

} // namespace jetscope
