// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>

namespace jetscope {

/// "5 ms", with the unit and the decimals that tell neighbours apart that are a step from each other.
QString rulerText(std::int64_t ns, std::int64_t stepNs);

/// Says times in steps of a given length so that they stay short however far they are from 0: far from there they count
/// from an origin nearby, "689.082 s" and "+10 µs". Times are nanoseconds since what the ruler calls 0.
class RulerTexts {
public:
    /// For all times of a view from `fromNs` to `toNs`.
    RulerTexts(std::int64_t fromNs, std::int64_t toNs, std::int64_t stepNs);

    /// Whether times are said from an origin.
    bool hasOrigins() const { return m_unitNs > 0; }
    /// The origin that a time counts from.
    std::int64_t originOf(std::int64_t ns) const;
    /// "689.082 s"; exact.
    QString originText(std::int64_t originNs) const;
    /// Of a tick of the ruler: the origin itself, or what is added to it.
    QString tickText(std::int64_t ns) const;
    /// The whole of a time, as finely as neighbours `preciseNs` apart need it: "689.082 s + 12.4 µs".
    QString wholeText(std::int64_t ns, std::int64_t preciseNs) const;

private:
    std::int64_t m_stepNs;
    std::int64_t m_unitNs = 0; ///< Between two origins; 0 without any.
};

/// A single time, to a microsecond: "1234 µs", "689.082 s + 123 µs".
QString momentText(std::int64_t ns);

} // namespace jetscope
