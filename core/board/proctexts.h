// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jetscope {

/// Times of a processor or of all, in the kernel's ticks since the start.
struct CpuTimes {
    std::uint64_t all = 0;
    std::uint64_t idle = 0; ///< With waiting for I/O.
};

/// From /proc/stat: the line of "cpu" or "cpu3". Empty if there is none that makes sense.
std::optional<CpuTimes> cpuTimesIn(std::string_view stat, std::string_view name);

/// Of /proc/PID/stat.
struct ProcessStat {
    char state = 'X';
    std::uint64_t flags = 0;
    std::uint64_t ranTicks = 0;  ///< Of all its threads.
    std::int64_t startTicks = 0; ///< Since the start of the machine.
};

/// Empty if it makes no sense.
std::optional<ProcessStat> processStatIn(std::string_view stat);

/// From /proc/meminfo: the number in a line "MemTotal:  7990764 kB". Empty if there is none.
std::optional<long long> memInfoValue(std::string_view info, std::string_view key);

} // namespace jetscope
