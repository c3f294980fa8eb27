// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// Nanoseconds of CLOCK_MONOTONIC, the one time axis of every trace. Stamped from the CPU's invariant
/// counter (x86 TSC, Arm CNTVCT) calibrated to it where there is one; never runs backwards on a thread. Any thread;
/// never blocks.
std::int64_t nowNs();

/// Unix time minus nowNs(), as of now: what turns times of a trace into dates.
std::int64_t wallClockOffsetNs();

} // namespace jetscope
