// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/tickclock.h"

#include "core/time/cpucounter.h"

#include <algorithm>
#include <ctime>

namespace jetscope {

namespace {

constexpr std::size_t kMaxReadings = 4096; ///< Of 4 ms at least: calls of up to 16 s are converted between readings.
constexpr std::int64_t kMinApartNs = 4'000'000;

std::int64_t monotonicNow()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

} // namespace

TickClock::TickClock(bool counts) : m_counts(counts)
{
    if (!counts)
        return;
    m_readings.push_back(read());
    while (m_readings.back().ns - m_readings.front().ns < kMinApartNs / 4) {
        m_readings.resize(1);
        m_readings.push_back(read());
    }
}

/// Of several attempts the one that was interrupted least.
TickClock::Reading TickClock::read() const
{
    Reading best;
    std::int64_t least = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
        const std::int64_t before = monotonicNow();
        const std::uint64_t count = readCpuCounter();
        const std::int64_t took = monotonicNow() - before;
        if (attempt == 0 || took < least) {
            best = {count, before + took / 2};
            least = took;
        }
    }
    return best;
}

std::uint64_t TickClock::update()
{
    if (!m_counts)
        return static_cast<std::uint64_t>(monotonicNow());
    const Reading now = read();
    if (now.ns - m_readings.back().ns >= kMinApartNs && now.count > m_readings.back().count) {
        m_readings.push_back(now);
        if (m_readings.size() > kMaxReadings)
            m_readings.pop_front();
    }
    return now.count;
}

std::int64_t TickClock::toNs(std::uint64_t count) const
{
    if (!m_counts)
        return static_cast<std::int64_t>(count);
    const auto isBefore = [](std::uint64_t value, const Reading &reading) { return value < reading.count; };
    auto after = m_readings.end() - 1;
    // Records are new, so nearly all lie between the newest two readings.
    if (isBefore(count, *(after - 1)))
        after = std::max(std::upper_bound(m_readings.begin(), after, count, isBefore), m_readings.begin() + 1);
    const Reading &from = *(after - 1);
    const double rate = static_cast<double>(after->ns - from.ns) / static_cast<double>(after->count - from.count);
    constexpr double kFarthestNs = 4e18; // A program may have stored any number.
    const double passed = static_cast<double>(static_cast<std::int64_t>(count - from.count)) * rate;
    return from.ns + static_cast<std::int64_t>(std::clamp(passed, -kFarthestNs, kFarthestNs));
}

double TickClock::nsPer(double units) const
{
    if (!m_counts)
        return units;
    const Reading &first = m_readings.front();
    const Reading &last = m_readings.back();
    return units * static_cast<double>(last.ns - first.ns) / static_cast<double>(last.count - first.count);
}

} // namespace jetscope
