// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// When one kernel ran: the start of its first block and the end of its last block, in nanoseconds of the device's
/// clock.
struct KernelTimes {
    std::uint64_t firstNs = 0;
    std::uint64_t lastNs = 0;
};

/// One reading of the device's clock between two readings of the host's clock (nowNs()).
struct ClockSample {
    std::int64_t beforeNs = 0;
    std::int64_t afterNs = 0;
    std::uint64_t deviceNs = 0;
};

/// Slots in device memory into which kernels write their own times. One small copy on a separate stream brings the
/// times of many kernels to the host. Belongs to the Device that made it, which must outlive it. Pipeline thread.
class KernelStamps {
public:
    virtual ~KernelStamps() = default;

    std::size_t slotCount() const { return m_slotCount; }
    /// The smallest step of the device's clock, measured at creation.
    std::int64_t stepNs() const { return m_stepNs; }
    /// What the stamps of a kernel do not see: at most so long before its first block and behind its last one,
    /// together. Measured at creation; 0 where the stamps see all.
    std::int64_t unseenNs() const { return m_unseenNs; }

    /// The device address of a slot, for KernelObserver::kernel to return. Each slot serves one kernel; it may be
    /// reused after it was fetched and all others were used.
    virtual void *slot(std::size_t index) = 0;

    /// Starts the copy of `count` slots to the host, beginning at `first` and wrapping around. Their kernels must be
    /// complete. Only one fetch at a time.
    virtual Status fetch(std::size_t first, std::size_t count) = 0;
    /// Whether the last fetch is complete; never waits.
    virtual Result<bool> fetched() = 0;
    /// The times of a slot that was fetched.
    virtual KernelTimes times(std::size_t index) const = 0;

    /// Reads both clocks several times within a moment. Empty if the device is busy and did not answer within a
    /// millisecond.
    virtual Result<std::vector<ClockSample>> sampleClock() = 0;

protected:
    KernelStamps(std::size_t slotCount, std::int64_t stepNs, std::int64_t unseenNs)
        : m_slotCount(slotCount), m_stepNs(stepNs), m_unseenNs(unseenNs)
    {
    }

private:
    const std::size_t m_slotCount;
    const std::int64_t m_stepNs;
    const std::int64_t m_unseenNs;
};

/// The direction of a copy. Arrays are memory of the device.
enum class CopyKind : std::uint8_t { HostToDevice, DeviceToHost, DeviceToDevice };

/// Called for each piece of a launch right before it is submitted, on the submitting thread.
class KernelObserver {
public:
    virtual ~KernelObserver() = default;
    /// Returns the slot (KernelStamps::slot) into which the kernel writes its times; null for none.
    virtual void *kernel(NameId name) = 0;
    /// Called for a copy that is a piece of the launch. It has no direction: what the device addresses may be mapped
    /// memory of the host.
    virtual void copy(NameId name, std::uint64_t bytes) = 0;
    /// Called instead for work whose kernels are not known: only bounds of its time will be.
    virtual void unknownKernels(NameId name) = 0;
};

} // namespace jetscope
