// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>
#include <optional>

namespace jetscope {

/// Times of a series of a board in words: of day where the clock is known, else since the first reading.
class BoardTimes {
public:
    BoardTimes() = default;
    /// `unixOffsetNs`: Unix time minus the clock of the series.
    BoardTimes(std::int64_t startNs, std::optional<std::int64_t> unixOffsetNs)
        : m_startNs(startNs), m_unixOffsetNs(unixOffsetNs)
    {
    }

    bool isOfDay() const { return m_unixOffsetNs.has_value(); }
    /// "14:46:36"; "1:02" since the start. With tenths if `stepNs` is below a second, without seconds from a minute on.
    QString text(std::int64_t ns, std::int64_t stepNs = 1'000'000'000) const;
    /// The first time at or after `ns` that is a multiple of the step.
    std::int64_t firstTick(std::int64_t ns, std::int64_t stepNs) const;

    /// A step of seconds, minutes or hours of at least this length.
    static std::int64_t stepFor(double ns);

private:
    /// Nanoseconds since midnight of some day, or since the start.
    std::int64_t local(std::int64_t ns) const;

    std::int64_t m_startNs = 0;
    std::optional<std::int64_t> m_unixOffsetNs;
};

} // namespace jetscope
