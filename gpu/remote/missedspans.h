// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/coarsespans.h"
#include "gpu/remote/messages.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
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
    std::uint32_t spans = 0;

    bool isPossible() const;
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

/// From the laptop: what several UnsentSpans were about, as columns.
struct AskCoarse {
    static constexpr MessageKind kKind = MessageKind::AskCoarse;
    static constexpr std::size_t kMostPieces = 64;
    std::uint32_t pipeline = 0;
    double nsPerColumn = 1;
    std::vector<UnsentSpans> pieces;

    /// Of a piece.
    ColumnWindow window(const UnsentSpans &piece) const;
    /// Whether the board may answer it.
    bool isPossible() const;
};

/// Answers an AskCoarse, as far as it becomes no long message; at least its first piece.
struct LateCoarse {
    static constexpr MessageKind kKind = MessageKind::LateCoarse;
    static constexpr std::size_t kManyBytes = 64 << 10; ///< Before packing; no further piece is added.
    struct Piece {
        std::uint64_t first = 0;
        bool isForgotten = false; ///< As in LateSpans.
        std::vector<std::pair<LaneId, std::uint8_t>> tracks;
        std::vector<std::byte> columns; ///< packColumns; the tracks are numbered from 0, and names are ids.

        static Piece of(std::uint64_t first, const CoarseSpans &coarse);
        /// None if that cannot be an answer.
        std::optional<CoarseSpans> coarse(const ColumnWindow &window) const;
    };
    std::uint32_t pipeline = 0;
    std::vector<Piece> pieces; ///< As many as were answered, in the order of the ask.
};

void fields(Wire &wire, UnsentSpans &unsent);
void fields(Wire &wire, AskSpans &ask);
void fields(Wire &wire, LateSpans &late);
void fields(Wire &wire, AskCoarse &ask);
void fields(Wire &wire, LateCoarse &late);
void fields(Wire &wire, LateCoarse::Piece &piece);

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

/// What a laptop asks now.
struct WantedSpans {
    std::vector<AskSpans> spans;
    std::optional<AskCoarse> coarse;
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
    /// What has come of the columns that were asked for; none if that cannot be.
    std::optional<std::vector<CoarseSpans>> take(const LateCoarse &late);
    void forgetCoarse();
    /// Over a connection of this number: the newest of a time that were not asked for over it, a few. Those that are
    /// dense at this scale as columns, in powers of two, so that a little zoom asks for nothing.
    WantedSpans want(Interval seen, double nsPerPixel, std::uint32_t connection);
    Intervals times() const;
    /// How many updates lack spans.
    std::uint64_t updates() const;

private:
    struct Piece {
        UnsentSpans what;
        std::uint32_t askedOver = 0; ///< The number of a connection; 0: of none.
        bool isForgotten = false;
        double coarseNs = 0; ///< The scale of the columns that have come; 0: none have.
    };
    bool wantsColumns(const Piece &piece, double nsPerPixel) const;
    void wantCoarse(Interval seen, double nsPerPixel, std::uint32_t connection, WantedSpans &wanted);

    static constexpr std::size_t kMostPieces = 1 << 14;
    std::map<std::uint64_t, Piece> m_pieces; ///< By the first position.
    std::optional<AskCoarse> m_askedCoarse;  ///< On its way.
    std::uint32_t m_askedCoarseOver = 0;
};

} // namespace jetscope
