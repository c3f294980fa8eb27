// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/text.h"

#include <array>
#include <cmath>

namespace jetscope {

namespace {

QString threeDigits(double value)
{
    const double size = std::abs(value);
    return QString::number(value, 'f', size >= 100 ? 0 : size >= 0.095 ? 1 : 2);
}

} // namespace

QString millisText(double ms)
{
    if (ms == 0)
        return QStringLiteral("0 ms");
    return threeDigits(ms) + QStringLiteral(" ms");
}

QString durationText(std::int64_t ns)
{
    const double value = static_cast<double>(ns);
    if (ns < 1'000)
        return QString::number(ns) + QStringLiteral(" ns");
    if (ns < 1'000'000)
        return threeDigits(value / 1e3) + QStringLiteral(" µs");
    if (ns < 1'000'000'000)
        return threeDigits(value / 1e6) + QStringLiteral(" ms");
    return QString::number(value / 1e9, 'f', 2) + QStringLiteral(" s");
}

QString bytesText(double bytes)
{
    if (bytes < 0.5)
        return QStringLiteral("0");
    static constexpr std::array kUnits = {"B", "kB", "MB", "GB"};
    std::size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < kUnits.size(); ++unit)
        bytes /= 1000;
    return QString::number(bytes, 'f', unit == 0 || bytes >= 100 ? 0 : 1) + u' ' + QLatin1String(kUnits[unit]);
}

QString quantityText(double value, std::string_view unit)
{
    static constexpr std::array kPrefixes = {"", "k", "M", "G"};
    std::size_t prefix = 0;
    if (unit == "Hz" || unit == "B")
        for (; std::abs(value) >= 1000 && prefix + 1 < kPrefixes.size(); ++prefix)
            value /= 1000;
    return QStringLiteral("%1 %2%3").arg(QString::number(value, 'g', 4), QLatin1String(kPrefixes[prefix]), toQString(unit));
}

QString percentText(double ratio)
{
    return QString::number(ratio * 100, 'f', 0) + QStringLiteral(" %");
}

} // namespace jetscope
