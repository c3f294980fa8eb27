// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/stream/traceupdate.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace jetscope {

/// The newest updates of a producer: for a capture of what came before an event that nobody could foresee. Memory is
/// bounded. Not thread-safe.
class LastUpdates {
public:
    static constexpr std::size_t kMostSpans = 1'000'000;

    /// Updates of the last `keepNs` are kept, and older ones may be.
    explicit LastUpdates(std::int64_t keepNs, std::size_t mostSpans = kMostSpans)
        : m_keepNs(keepNs), m_mostSpans(mostSpans)
    {
    }

    /// `nowNs`: CLOCK_MONOTONIC; only grows.
    void add(TraceUpdate update, std::int64_t nowNs);
    /// What ends behind this time, as the first update for who joins now. Paths are left out.
    TraceUpdate since(std::int64_t fromNs) const;

private:
    struct Kept {
        std::int64_t ns = 0;
        TraceUpdate update;
    };
    const std::int64_t m_keepNs;
    const std::size_t m_mostSpans;
    TraceHead m_head;
    std::vector<FrameNumber> m_numberBefore; ///< In force before those that are kept, if there is one.
    std::deque<Kept> m_kept;
    std::size_t m_spans = 0;
};

} // namespace jetscope
