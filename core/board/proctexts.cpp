// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/proctexts.h"

#include "core/text/parsenumber.h"

#include <algorithm>
#include <cstddef>

namespace jetscope {

namespace {

constexpr std::uint64_t kMaxTicks = std::uint64_t{1} << 60;

/// The rest of the line that begins with the key and the separator after it; empty if there is none.
std::string_view lineAfter(std::string_view text, std::string_view key, char separator)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == separator)
            return line.substr(key.size() + 1);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return {};
}

/// Takes a number with the blanks before it from the front; empty if there is none.
template <class Number>
std::optional<Number> takeWhole(std::string_view &text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return takeNumber<Number>(text);
}

} // namespace

std::optional<CpuTimes> cpuTimesIn(std::string_view stat, std::string_view name)
{
    constexpr std::size_t kFields = 8; // user nice system idle iowait irq softirq steal; guest times are part of user.
    constexpr std::size_t kIdleField = 3;
    std::string_view line = lineAfter(stat, name, ' ');
    CpuTimes times;
    for (std::size_t field = 0; field < kFields; ++field) {
        const std::optional<std::uint64_t> ticks = takeWhole<std::uint64_t>(line);
        if (!ticks || *ticks > kMaxTicks)
            return std::nullopt;
        times.all += *ticks;
        if (field == kIdleField || field == kIdleField + 1)
            times.idle += *ticks;
    }
    return times;
}

std::optional<std::uint64_t> processTicksIn(std::string_view stat)
{
    constexpr int kFieldsBefore = 11; // Of those after the name, which may contain blanks and brackets.
    const std::size_t end = stat.rfind(')');
    std::string_view rest = end == std::string_view::npos ? std::string_view() : stat.substr(end + 1);
    for (int field = 0; field < kFieldsBefore; ++field) {
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        rest.remove_prefix(std::min(rest.find(' '), rest.size()));
    }
    const std::optional<std::uint64_t> user = takeWhole<std::uint64_t>(rest);
    const std::optional<std::uint64_t> system = takeWhole<std::uint64_t>(rest);
    if (!user || !system || *user > kMaxTicks || *system > kMaxTicks)
        return std::nullopt;
    return *user + *system;
}

std::optional<long long> memInfoValue(std::string_view info, std::string_view key)
{
    std::string_view line = lineAfter(info, key, ':');
    const std::optional<long long> number = takeWhole<long long>(line);
    // Without the unit, the line may have been cut inside the number.
    return number && *number >= 0 && line.starts_with(" kB") ? number : std::nullopt;
}

} // namespace jetscope
