// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/proctexts.h"

#include "core/text/parsenumber.h"

#include <algorithm>
#include <array>
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

std::optional<ProcessStat> processStatIn(std::string_view stat)
{
    // Fields behind the name, which may hold any bytes.
    enum : std::size_t { kState = 0, kFlags = 6, kUser = 11, kSystem = 12, kStart = 19, kFields = 20 };
    const std::size_t end = stat.rfind(')');
    std::string_view rest = stat.substr(end == std::string_view::npos ? stat.size() : end + 1);
    std::array<std::string_view, kFields> fields;
    for (std::string_view &field : fields) {
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        field = rest.substr(0, rest.find_first_of(" \n"));
        rest.remove_prefix(field.size());
    }
    const auto number = [&](std::size_t index) { return parseNumber<std::uint64_t>(fields[index]); };
    const auto flags = number(kFlags);
    const auto user = number(kUser);
    const auto system = number(kSystem);
    const auto start = parseNumber<std::int64_t>(fields[kStart]);
    if (fields[kState].size() != 1 || !flags || !user || !system || !start || *user > kMaxTicks || *system > kMaxTicks)
        return std::nullopt;
    return ProcessStat{fields[kState].front(), *flags, *user + *system, *start};
}

std::optional<long long> memInfoValue(std::string_view info, std::string_view key)
{
    std::string_view line = lineAfter(info, key, ':');
    const std::optional<long long> number = takeWhole<long long>(line);
    // Without the unit, the line may have been cut inside the number.
    return number && *number >= 0 && line.starts_with(" kB") ? number : std::nullopt;
}

} // namespace jetscope
