// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>

namespace jetscope {

/// "5 ms", with the unit and the decimals needed to distinguish times one step apart.
QString rulerText(std::int64_t ns, std::int64_t stepNs);

/// Formats times in steps of a given length. Times far from 0 are relative to a nearby origin, to keep them short:
/// "689.082 s" and "+10 µs". Times are nanoseconds since the ruler's 0.
class RulerTexts {
public:
    /// For a view from `fromNs` to `toNs`.
    RulerTexts(std::int64_t fromNs, std::int64_t toNs, std::int64_t stepNs);

    /// True if times are relative to origins.
    bool hasOrigins() const { return m_unitNs > 0; }
    /// Origin for a time.
    std::int64_t originOf(std::int64_t ns) const;
    /// "689.082 s"; exact.
    QString originText(std::int64_t originNs) const;
    /// Text of a tick: the origin itself, or the offset from it.
    QString tickText(std::int64_t ns) const;
    /// Full time with enough decimals to distinguish times `preciseNs` apart: "689.082 s + 12.4 µs".
    QString wholeText(std::int64_t ns, std::int64_t preciseNs) const;

private:
    std::int64_t m_stepNs;
    std::int64_t m_unitNs = 0; ///< Distance of origins; 0 without origins.
};

/// A single time with microsecond precision: "1234 µs", "689.082 s + 123 µs".
QString momentText(std::int64_t ns);

} // namespace jetscope
