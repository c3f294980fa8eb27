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
/// Nanoseconds in the unit that suits them: "870 ns", "12.4 µs", "9.8 ms", "1.25 s".
QString durationText(std::int64_t ns);
/// Decimal units: "0", "640 B", "3.7 MB".
QString bytesText(double bytes);
/// Four significant digits, with a prefix for units that grow large: "61.5 %", "2.4 GHz".
QString quantityText(double value, std::string_view unit);
/// A number per second: "70.9", from a thousand on "1042".
QString rateText(double rate);
/// "74 %"
QString percentText(double ratio);
/// "74 %"; "41–63 %" where only bounds are known; "none" where there is nothing to overlap.
QString overlapText(const Overlap &overlap);
/// "7.4 ms"; "5.1–7.4 ms" where part of it is bounded.
QString gpuBusyText(const Overlap &overlap);

} // namespace jetscope
