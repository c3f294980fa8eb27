// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/machinetext.h"

#include "core/board/boardlayout.h"
#include "core/board/boardwords.h"
#include "core/board/energy.h"
#include "core/board/machinechanges.h"
#include "ui/style/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>

namespace jetscope {

namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("jetscope::MachineText", text);
}

/// The newest value of a counter of the machine; empty if it is unknown, or a counter of a lane or queue.
std::optional<double> newestOf(const CounterTrack &track)
{
    const CounterInfo &info = track.info();
    const bool isOther = info.lane || info.unit == "frames" || info.unit == "ms" || info.unit == "ns";
    if (isOther || track.endIndex() == track.firstIndex())
        return std::nullopt;
    const double value = track.at(track.endIndex() - 1).second;
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace

QString machineSummary(const Trace &trace, const std::string &powerMode)
{
    QStringList parts;
    if (!powerMode.empty())
        parts.append(toQString(powerMode));
    std::optional<double> hottest;
    bool isLimited = false;
    QString power;
    for (const CounterTrack &track : trace.counters()) {
        const std::optional<double> value = newestOf(track);
        if (!value)
            continue;
        const CounterInfo &info = track.info();
        if (info.name == kGpuClockCounter)
            parts.append(translated("GPU %1").arg(toQString(valueText(*value, info.unit))));
        else if (info.unit == "°C")
            hottest = std::max(hottest.value_or(*value), *value);
        else if (isInputRail(info.name) || info.name == kSumOfRailsCounter || info.name == kGpuPowerCounter)
            power = toQString(valueText(*value, info.unit));
        isLimited = isLimited || (isLimitCounter(info.name) && *value > 0);
    }
    if (hottest)
        parts.append(toQString(valueText(*hottest, "°C")));
    if (!power.isEmpty())
        parts.append(power);
    if (isLimited)
        parts.append(translated("limited"));
    return parts.join(QStringLiteral(" · "));
}

QString machineDetails(const Trace &trace, const std::string &powerMode)
{
    QStringList lines;
    for (const CounterTrack &track : trace.counters())
        if (const std::optional<double> value = newestOf(track)) {
            const CounterInfo &info = track.info();
            const bool isMode = info.name == kPowerModeCounter && !powerMode.empty();
            lines.append(QStringLiteral("%1: %2").arg(toQString(info.name),
                                                      toQString(isMode ? powerMode : valueText(*value, info.unit))));
        }
    return lines.join(u'\n');
}

} // namespace jetscope
