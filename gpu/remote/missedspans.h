// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/messages.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace jetscope {

// Spans of a running pipeline that were not sent for want of credit: what the board says of them, and what a laptop
// asks.

/// From the board: the spans of these updates, one after the other, were not sent.
struct UnsentSpans {
    static constexpr MessageKind kKind = MessageKind::UnsentSpans;
    /// Few enough for one answer.
    static constexpr std::uint64_t kMostUpdates = 16;
    std::uint32_t pipeline = 0;
    std::uint64_t first = 0; ///< Positions, the last included.
    std::uint64_t last = 0;
    std::int64_t startNs = 0; ///< Of the first of them.
    std::int64_t endNs = 0;   ///< Of the last of them.
};

/// From the laptop: what an UnsentSpans was about.
struct AskSpans {
    static constexpr MessageKind kKind = MessageKind::AskSpans;
    std::uint32_t pipeline = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

/// Answers an AskSpans.
struct LateSpans {
    static constexpr MessageKind kKind = MessageKind::LateSpans;
    std::uint32_t pipeline = 0;
    std::uint64_t first = 0;
    bool isForgotten = false; ///< The board does not have all of these updates any more; there are no spans.
    std::vector<Span> spans;
};

void fields(Wire &wire, UnsentSpans &unsent);
void fields(Wire &wire, AskSpans &ask);
void fields(Wire &wire, LateSpans &late);

/// The board's side of one laptop: joins updates whose spans were not sent. Not thread-safe.
class UnsentNotes {
public:
    void add(std::uint32_t pipeline, std::uint64_t position, const std::vector<Span> &spans);
    /// What is to be said now: not each update by itself, unless all is.
    std::vector<UnsentSpans> take(bool all);

private:
    std::optional<UnsentSpans> m_open;
    std::vector<UnsentSpans> m_closed;
    std::chrono::steady_clock::time_point m_since;
};

/// The laptop's side. Not thread-safe.
class MissedSpans {
public:
    /// False: it cannot be.
    bool add(const UnsentSpans &unsent);
    /// Whether its spans are wanted; they are not any more from now on.
    bool take(const LateSpans &late);
    /// An update came whole after all.
    void cameWhole(std::uint64_t position);
    /// Over a connection of this number: the newest of a time that were not asked for over it, a few.
    std::vector<AskSpans> want(Interval seen, std::uint32_t connection);
    Intervals times() const;
    /// How many updates lack spans.
    std::uint64_t updates() const;

private:
    struct Piece {
        UnsentSpans what;
        std::uint32_t askedOver = 0; ///< The number of a connection; 0: of none.
        bool isForgotten = false;
    };
    static constexpr std::size_t kMostPieces = 1 << 14;
    std::map<std::uint64_t, Piece> m_pieces; ///< By the first position.
};

} // namespace jetscope
