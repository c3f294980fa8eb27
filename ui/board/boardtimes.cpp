// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardtimes.h"

#include <QDateTime>

#include <array>

namespace jetscope {

namespace {

constexpr std::int64_t kTickSecond = 1'000'000'000;
constexpr std::int64_t kTickMinute = 60 * kTickSecond;
constexpr std::int64_t kTickHour = 60 * kTickMinute;

QString twoDigits(std::int64_t number)
{
    return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0'));
}

} // namespace

std::int64_t BoardTimes::local(std::int64_t ns) const
{
    if (!m_unixOffsetNs)
        return ns - m_startNs;
    const std::int64_t unixNs = ns + *m_unixOffsetNs;
    return unixNs + QDateTime::fromMSecsSinceEpoch(unixNs / 1'000'000).offsetFromUtc() * kTickSecond;
}

QString BoardTimes::text(std::int64_t ns, std::int64_t stepNs) const
{
    std::int64_t at = local(ns);
    const bool isNegative = at < 0;
    at = isNegative ? -at : at;
    const std::int64_t day = m_unixOffsetNs ? at % (24 * kTickHour) : at;
    const std::int64_t hours = day / kTickHour;
    const std::int64_t minutes = day / kTickMinute % 60;
    QString text = isNegative && !m_unixOffsetNs ? QStringLiteral("-") : QString();
    if (m_unixOffsetNs || hours > 0)
        text += (m_unixOffsetNs ? twoDigits(hours) : QString::number(hours)) + u':' + twoDigits(minutes);
    else
        text += QString::number(minutes);
    if (stepNs < kTickMinute || !m_unixOffsetNs)
        text += u':' + twoDigits(day / kTickSecond % 60);
    if (stepNs < kTickSecond)
        text += u'.' + QString::number(day / (kTickSecond / 10) % 10);
    return text;
}

std::int64_t BoardTimes::firstTick(std::int64_t ns, std::int64_t stepNs) const
{
    const std::int64_t at = local(ns);
    const std::int64_t rest = at % stepNs;
    return ns + (rest > 0 ? stepNs - rest : -rest);
}

std::int64_t BoardTimes::stepFor(double ns)
{
    constexpr auto kSteps = std::to_array<std::int64_t>(
        {kTickSecond / 10, kTickSecond / 5,  kTickSecond / 2,  kTickSecond,    2 * kTickSecond, 5 * kTickSecond,
         10 * kTickSecond, 15 * kTickSecond, 30 * kTickSecond, kTickMinute,    2 * kTickMinute, 5 * kTickMinute,
         10 * kTickMinute, 15 * kTickMinute, 30 * kTickMinute, kTickHour,      2 * kTickHour,   3 * kTickHour,
         6 * kTickHour,    12 * kTickHour,   24 * kTickHour,   48 * kTickHour, 168 * kTickHour});
    for (const std::int64_t step : kSteps)
        if (static_cast<double>(step) >= ns)
            return step;
    return kSteps.back();
}

} // namespace jetscope
