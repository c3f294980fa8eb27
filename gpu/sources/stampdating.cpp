// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/stampdating.h"

#include "core/time/clock.h"

namespace jetscope {

namespace {

constexpr std::int64_t kReadAgainNs = 1'000'000'000;

} // namespace

std::optional<std::int64_t> StampDating::ourNs(std::int64_t stampNs)
{
    const std::optional<SystemClock> clock = system();
    if (!clock)
        return std::nullopt;
    if (const std::int64_t ns = nowNs(); m_readNs == 0 || ns - m_readNs > kReadAgainNs) {
        m_readNs = ns;
        for (const SystemClockReading &reading : readClocks())
            if (reading.clock == *clock)
                m_aheadNs = reading.aheadNs;
    }
    return stampNs - m_aheadNs;
}

std::string StampDating::clock() const
{
    return system() ? std::string(rowOf(*system()).name) : std::string();
}

} // namespace jetscope
