// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/rulertext.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::int64_t kMicrosecond = 1'000;
constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;
/// Times of more steps have too many digits to compare at a glance.
constexpr std::int64_t kMaxSteps = 10'000;

struct Unit {
    std::int64_t ns;
    const char *name;
};

Unit unitOfStep(std::int64_t stepNs)
{
    return stepNs >= kSecond     ? Unit{kSecond, "s"}
        : stepNs >= kMillisecond ? Unit{kMillisecond, "ms"}
        : stepNs >= kMicrosecond ? Unit{kMicrosecond, "µs"}
                                 : Unit{1, "ns"};
}

QString textIn(const Unit &unit, std::int64_t ns, int decimals)
{
    const double value = static_cast<double>(ns) / static_cast<double>(unit.ns);
    return QString::number(value, 'f', decimals) + u' ' + QString::fromUtf8(unit.name);
}

/// Enough decimals to distinguish adjacent steps, but at most three.
int decimalsFor(std::int64_t stepNs, const Unit &unit)
{
    int decimals = 0;
    for (std::int64_t step = stepNs; step < unit.ns && decimals < 3; step *= 10)
        ++decimals;
    return decimals;
}

} // namespace

QString rulerText(std::int64_t ns, std::int64_t stepNs)
{
    const Unit unit = stepNs >= kSecond ? Unit{kSecond, "s"}
        : stepNs >= 10 * kMicrosecond   ? Unit{kMillisecond, "ms"}
                                        : Unit{kMicrosecond, "µs"};
    return textIn(unit, ns, decimalsFor(stepNs, unit));
}

RulerTexts::RulerTexts(std::int64_t fromNs, std::int64_t toNs, std::int64_t stepNs) : m_stepNs(stepNs)
{
    const std::int64_t farthest = std::max(std::abs(fromNs), std::abs(toNs));
    if (stepNs < kSecond && farthest / stepNs >= kMaxSteps)
        m_unitNs = 1000 * unitOfStep(stepNs).ns;
}

std::int64_t RulerTexts::originOf(std::int64_t ns) const
{
    if (!hasOrigins())
        return 0;
    const std::int64_t beyond = ns % m_unitNs;
    return ns - beyond - (beyond < 0 ? m_unitNs : 0);
}

QString RulerTexts::originText(std::int64_t originNs) const
{
    const Unit unit = originNs == 0 ? Unit{kSecond, "s"} : unitOfStep(std::abs(originNs));
    int decimals = 0;
    for (std::int64_t step = m_unitNs; originNs != 0 && step < unit.ns; step *= 10)
        ++decimals;
    return textIn(unit, originNs, decimals);
}

QString RulerTexts::tickText(std::int64_t ns) const
{
    if (!hasOrigins())
        return rulerText(ns, m_stepNs);
    const std::int64_t origin = originOf(ns);
    return ns == origin ? originText(origin) : u'+' + textIn(unitOfStep(m_stepNs), ns - origin, 0);
}

QString RulerTexts::wholeText(std::int64_t ns, std::int64_t preciseNs) const
{
    if (!hasOrigins())
        return rulerText(ns, preciseNs);
    const std::int64_t origin = originOf(ns);
    const Unit unit = unitOfStep(m_stepNs);
    return originText(origin) + QStringLiteral(" + ") + textIn(unit, ns - origin, decimalsFor(preciseNs, unit));
}

QString momentText(std::int64_t ns)
{
    return RulerTexts(ns, ns, kMicrosecond).wholeText(ns, kMicrosecond);
}

} // namespace jetscope
