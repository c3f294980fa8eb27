// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// Nanoseconds of CLOCK_MONOTONIC, the time axis of every trace. Computed from the CPU's invariant counter (x86 TSC,
/// Arm CNTVCT) where available, calibrated to the clock. Never runs backwards on a thread. Any thread; never blocks.
std::int64_t nowNs();

/// Nanoseconds of CLOCK_BOOTTIME: as CLOCK_MONOTONIC, but it goes on while the machine sleeps. For how long something
/// took by the user's watch. Any thread; never blocks.
std::int64_t nowWithSleepNs();

/// For how long this machine has slept since it was started.
std::int64_t sleptNs();

/// Current Unix time minus nowNs(): converts times of a trace into dates.
std::int64_t wallClockOffsetNs();

} // namespace jetscope
