// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"

#include <QString>

#include <cstdint>
#include <string_view>

namespace jetscope {

inline QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Three significant digits below a second: "0.1 ms", "14.1 ms", "141 ms"; from ten seconds on "90.0 s".
QString millisText(double ms);
/// Nanoseconds in a suitable unit: "870 ns", "12.4 µs", "9.8 ms", "1.25 s".
QString durationText(std::int64_t ns);
/// A time on an axis, to the microsecond: "1,234.567 ms".
QString exactMillisText(std::int64_t ns);
/// "1 span" or "1,234 spans": `many` has %L1 in place of the number.
QString countText(std::uint64_t count, const QString &one, const QString &many);
/// Decimal units: "0", "640 B", "3.7 MB".
QString bytesText(double bytes);
/// Four significant digits, with an SI prefix for units with large values: "61.5 %", "2.4 GHz".
QString quantityText(double value, std::string_view unit);
/// A rate per second: "70.9", from 1000 on "1042".
QString rateText(double rate);
/// "74 %"
QString percentText(double ratio);
/// "74 %"; "41–63 %" if only bounds are known; "none" if there is nothing to overlap.
QString overlapText(const Overlap &overlap);
/// "7.4 ms"; "5.1–7.4 ms" if only bounds are known for part of it.
QString gpuBusyText(const Overlap &overlap);

} // namespace jetscope
