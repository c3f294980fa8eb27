// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/contents.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace jetscope {

/// The far end's monotonic clock minus this one's. The truth is within the bound, whatever the ways there and back
/// take.
struct ClockOffset {
    std::int64_t offsetNs = 0;
    std::int64_t boundNs = 0; ///< Half the round trip, without the time that the far end took to answer.
    std::int64_t atNs = 0;    ///< When it was so, by this clock.

    /// A time of the far end by this clock.
    std::int64_t hereNs(std::int64_t farNs) const { return farNs - offsetNs; }
};

/// Finds the offset of a far end's clock from pings and their answers: of kPings in a row the one with the least round
/// trip counts. With two such rounds or more, the drift between them is a line. Not thread-safe.
class ClockOffsetMeter {
public:
    static constexpr std::size_t kPings = 8;

    /// A pong that came at `cameNs`. False: its stamps cannot be.
    bool add(const Pong &pong, std::int64_t cameNs);
    /// Whether the present round is complete.
    bool isRoundComplete() const { return m_round.empty(); }
    /// One of the clocks stood still, because its machine slept: what was measured says nothing any more.
    void forget();
    /// The offset at `nowNs`; its bound grows with the age of the newest round by kDriftPpm. None before the first
    /// answer.
    std::optional<ClockOffset> at(std::int64_t nowNs) const;

private:
    /// Two clocks of quartz differ by less.
    static constexpr std::int64_t kDriftPpm = 100;
    static constexpr std::size_t kRounds = 16;

    std::vector<ClockOffset> m_round;
    std::deque<ClockOffset> m_rounds; ///< The best of each, the newest last.
};

} // namespace jetscope
