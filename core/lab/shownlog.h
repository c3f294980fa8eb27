// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/exposurefit.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace jetscope {

/// When a time of the clock was on the screen.
struct ShownTime {
    std::int64_t fromNs = 0;
    std::int64_t untilNs = 0;

    std::int64_t middleNs() const { return fromNs + (untilNs - fromNs) / 2; }
};

/// What knows when a clock showed its times. Any thread.
class ShownTimes {
public:
    virtual ~ShownTimes() = default;
    /// The last time before `seenNs` at which `ms` was shown; none if it was not.
    virtual std::optional<ShownTime> of(int ms, std::int64_t seenNs) const = 0;
    /// What was shown between two times, in order and without holes; whole stretches.
    virtual std::vector<ShownStretch> between(std::int64_t fromNs, std::int64_t untilNs) const = 0;
};

/// A clock that always shows the present time, updated at each multiple of a steady period.
class SteadyTimes final : public ShownTimes {
public:
    explicit SteadyTimes(double updatesPerSecond) : m_periodNs(1e9 / updatesPerSecond) {}
    std::optional<ShownTime> of(int ms, std::int64_t seenNs) const override;
    std::vector<ShownStretch> between(std::int64_t fromNs, std::int64_t untilNs) const override;

private:
    std::int64_t at(double update) const { return static_cast<std::int64_t>(update * m_periodNs); }

    const double m_periodNs; ///< No whole number: it is multiplied by millions.
};

/// What a clock of this program has shown.
class ShownLog final : public ShownTimes {
public:
    /// The screen shows `ms` from then on. In order.
    void add(int ms, std::int64_t shownNs);
    /// The screen shows no time any more.
    void end(std::int64_t ns);
    std::optional<ShownTime> of(int ms, std::int64_t seenNs) const override;
    std::vector<ShownStretch> between(std::int64_t fromNs, std::int64_t untilNs) const override;
    /// How long each of the latest times was shown, on average; 0 if unknown.
    std::int64_t stepNs() const;

private:
    struct Entry {
        int ms = 0; ///< Negative for none.
        std::int64_t shownNs = 0;
    };
    mutable std::mutex m_mutex;
    std::deque<Entry> m_entries; ///< Of the last few seconds.
};

} // namespace jetscope
