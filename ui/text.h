// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>
#include <string_view>

namespace jetscope {

inline QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Three significant digits at most: "0.1 ms", "14.1 ms", "141 ms".
QString millisText(double ms);
/// Nanoseconds in the unit that suits them: "870 ns", "12.4 µs", "9.8 ms", "1.25 s".
QString durationText(std::int64_t ns);
/// Decimal units: "0", "640 B", "3.7 MB".
QString bytesText(double bytes);
/// Four significant digits, with a prefix for units that grow large: "61.5 %", "2.4 GHz".
QString quantityText(double value, std::string_view unit);
/// "74 %"
QString percentText(double ratio);

} // namespace jetscope
