// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/text.h"

#include "core/figures/figuretable.h"

#include <QCoreApplication>
#include <QLocale>

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
    return toQString(figureText(FigureUnit::Milliseconds, ms, Digits::Few));
}

QString rateText(double rate)
{
    return toQString(figureText(FigureUnit::PerSecond, rate, Digits::Few));
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

QString exactMillisText(std::int64_t ns)
{
    return QLocale().toString(static_cast<double>(ns) / 1e6, 'f', 3) + QStringLiteral(" ms");
}

QString countText(std::uint64_t count, const QString &one, const QString &many)
{
    return count == 1 ? one : many.arg(count);
}

QString bytesText(double bytes)
{
    return toQString(figureText(FigureUnit::Bytes, bytes, Digits::Few));
}

QString quantityText(double value, std::string_view unit)
{
    static constexpr std::array kPrefixes = {"", "k", "M", "G"};
    std::size_t prefix = 0;
    if (unit == "Hz" || unit == "B")
        for (; std::abs(value) >= 1000 && prefix + 1 < kPrefixes.size(); ++prefix)
            value /= 1000;
    return QStringLiteral("%1 %2%3").arg(QString::number(value, 'g', 4), QLatin1String(kPrefixes[prefix]),
                                         toQString(unit));
}

QString percentText(double ratio)
{
    return toQString(figureText(FigureUnit::Share, ratio, Digits::Few));
}

QString overlapText(const Overlap &overlap)
{
    if (const auto ratio = overlap.overlap())
        return percentText(*ratio);
    const auto bounds = overlap.overlapBounds();
    if (!bounds)
        return QCoreApplication::translate("jetscope::Overlap", "none");
    return QStringLiteral("%1–%2").arg(bounds->atLeast * 100, 0, 'f', 0).arg(percentText(bounds->atMost));
}

QString gpuBusyText(const Overlap &overlap)
{
    const QString most = durationText(overlap.gpuNs);
    const QString least = durationText(overlap.gpuAtLeastNs());
    return least == most ? most : least + QStringLiteral(" – ") + most;
}

} // namespace jetscope
