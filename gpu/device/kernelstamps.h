// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// When one kernel ran: the start of its first block and the end of its last one, in nanoseconds of the device's clock.
struct KernelTimes {
    std::uint64_t firstNs = 0;
    std::uint64_t lastNs = 0;
};

/// The device's clock was read at some moment between two looks at the host's (nowNs()).
struct ClockSample {
    std::int64_t beforeNs = 0;
    std::int64_t afterNs = 0;
    std::uint64_t deviceNs = 0;
};

/// Slots in device memory into which kernels write their own times, and the way those times reach the host: one small
/// copy for many kernels, on a stream of its own. Made by and for one Device, which must outlive it. Pipeline thread.
class KernelStamps {
public:
    virtual ~KernelStamps() = default;

    std::size_t slotCount() const { return m_slotCount; }
    /// Smallest step of the device's clock, as measured when this was made.
    std::int64_t stepNs() const { return m_stepNs; }

    /// The device address of a slot, for KernelObserver::kernel to return. A slot is for one kernel; once it was
    /// fetched and all others were used, it is for another.
    virtual void *slot(std::size_t index) = 0;

    /// Starts copying `count` slots from `first` on, wrapping around, to the host. Their kernels are complete. One
    /// fetch at a time.
    virtual Status fetch(std::size_t first, std::size_t count) = 0;
    /// Whether the last fetch has arrived; never waits.
    virtual Result<bool> fetched() = 0;
    /// Of a slot that was fetched.
    virtual KernelTimes times(std::size_t index) const = 0;

    /// Looks at both clocks, several times within a moment. Empty when the device did not answer within a
    /// millisecond, because it is busy.
    virtual Result<std::vector<ClockSample>> sampleClock() = 0;

protected:
    KernelStamps(std::size_t slotCount, std::int64_t stepNs) : m_slotCount(slotCount), m_stepNs(stepNs) {}

private:
    const std::size_t m_slotCount;
    const std::int64_t m_stepNs;
};

/// Hears of each kernel of a launch right before it is submitted, on the submitting thread.
class KernelObserver {
public:
    virtual ~KernelObserver() = default;
    /// Returns the slot (KernelStamps::slot) into which the kernel shall write its times; null for none.
    virtual void *kernel(NameId name) = 0;
};

} // namespace jetscope
