// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/missedspans.h"

#include "core/remote/wire/viewcontents.h"
#include "core/remote/wire/windowpacking.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kSayUnsentAfter{200};
constexpr std::size_t kMostAskedSpans = 2; ///< Pieces on their way: what is newer need not wait for long.
/// More spans a pixel take more bytes than the columns that show them.
constexpr double kMostSpansOfPixel = 2;
/// A piece that takes more of the screen is looked at closely.
constexpr int kMostCoarseColumns = 1024;

bool isIn(const UnsentSpans &piece, Interval seen)
{
    return piece.startNs < seen.endNs && piece.endNs >= seen.startNs;
}

} // namespace

void fields(Wire &w, UnsentSpans &u)
{
    w.members(u, u.pipeline, u.first, u.last, u.startNs, u.endNs, u.spans);
}

void fields(Wire &w, AskSpans &a)
{
    w.members(a, a.pipeline, a.first, a.last);
}

void fields(Wire &w, LateSpans &l)
{
    w.members(l, l.pipeline, l.first, l.isForgotten, l.spans);
}

void fields(Wire &w, AskCoarse &a)
{
    w.members(a, a.pipeline, a.nsPerColumn, a.pieces);
}

void fields(Wire &w, LateCoarse::Piece &p)
{
    w.members(p, p.first, p.isForgotten, p.tracks, p.columns);
}

void fields(Wire &w, LateCoarse &l)
{
    w.members(l, l.pipeline, l.pieces);
}

ColumnWindow AskCoarse::window(const UnsentSpans &piece) const
{
    const double columns = std::ceil(static_cast<double>(piece.endNs - piece.startNs) / nsPerColumn);
    return {piece.startNs, nsPerColumn, static_cast<int>(std::clamp<double>(columns, 1, kMostCoarseColumns + 1))};
}

bool AskCoarse::isPossible() const
{
    return std::isfinite(nsPerColumn) && nsPerColumn >= 1 && nsPerColumn < static_cast<double>(kMaxTraceNs)
        && !pieces.empty() && pieces.size() <= kMostPieces
        && std::ranges::all_of(pieces, [this](const UnsentSpans &piece) {
               return piece.isPossible() && window(piece).count <= kMostCoarseColumns;
           });
}

LateCoarse::Piece LateCoarse::Piece::of(std::uint64_t first, const CoarseSpans &coarse)
{
    Piece piece{first, false, {}, {}};
    WindowPicture picture;
    picture.window = coarse.window;
    const std::size_t most = kMostViewCells / static_cast<std::size_t>(coarse.window.count);
    for (const auto &[place, track] : coarse.tracks) {
        if (piece.tracks.size() == most)
            break; // Nobody's screen has so many rows.
        picture.tracks[static_cast<std::uint32_t>(piece.tracks.size())] = track;
        piece.tracks.push_back(place);
    }
    piece.columns = packColumns(picture);
    return piece;
}

std::optional<CoarseSpans> LateCoarse::Piece::coarse(const ColumnWindow &window) const
{
    WindowWish wish;
    wish.window = window;
    wish.nsPerPixel = window.nsPerColumn;
    for (std::uint32_t i = 0; i < tracks.size(); ++i)
        wish.tracks.push_back(i);
    WindowPicture picture;
    if (!isPossibleWish(wish) || !unpackColumns(columns, wish, picture))
        return std::nullopt;
    CoarseSpans coarse{window, {}};
    for (auto &[i, track] : picture.tracks)
        coarse.tracks[tracks[i]] = std::move(track);
    return coarse;
}

bool UnsentSpans::isPossible() const
{
    return first > 0 && first <= last && last - first < kMostUpdates && isTraceTime(startNs) && isTraceTime(endNs)
        && startNs <= endNs;
}

void UnsentNotes::add(std::uint32_t pipeline, std::uint64_t position, const std::vector<Span> &spans)
{
    UnsentSpans added{pipeline,
                      position,
                      position,
                      spans.front().startNs,
                      spans.front().startNs,
                      static_cast<std::uint32_t>(spans.size())};
    for (const Span &span : spans) {
        added.startNs = std::min(added.startNs, span.startNs);
        added.endNs = std::max(added.endNs, span.startNs + span.durationNs);
    }
    if (!m_open || m_open->last + 1 != position || position - m_open->first >= UnsentSpans::kMostUpdates) {
        if (m_open)
            m_closed.push_back(*m_open);
        m_open = added;
        m_since = std::chrono::steady_clock::now();
        return;
    }
    m_open->last = position;
    m_open->startNs = std::min(m_open->startNs, added.startNs);
    m_open->endNs = std::max(m_open->endNs, added.endNs);
    m_open->spans += added.spans;
}

std::vector<UnsentSpans> UnsentNotes::take(bool all)
{
    if (m_open && (all || std::chrono::steady_clock::now() - m_since >= kSayUnsentAfter))
        m_closed.push_back(*std::exchange(m_open, std::nullopt));
    return std::exchange(m_closed, {});
}

bool MissedSpans::add(const UnsentSpans &unsent)
{
    if (!unsent.isPossible())
        return false;
    m_pieces[unsent.first] = {unsent, 0, false, 0};
    if (m_pieces.size() > kMostPieces)
        m_pieces.erase(m_pieces.begin());
    return true;
}

bool MissedSpans::take(const LateSpans &late)
{
    const auto piece = m_pieces.find(late.first);
    if (piece == m_pieces.end() || piece->second.askedOver == 0 || piece->second.isForgotten)
        return false;
    piece->second.isForgotten = late.isForgotten;
    if (!late.isForgotten)
        m_pieces.erase(piece);
    return !late.isForgotten;
}

void MissedSpans::cameWhole(std::uint64_t position)
{
    auto piece = m_pieces.upper_bound(position);
    if (piece == m_pieces.begin() || position > (--piece)->second.what.last)
        return;
    UnsentSpans &what = piece->second.what;
    if (position == what.last) // They come in order.
        m_pieces.erase(piece);
}

WantedSpans MissedSpans::want(Interval seen, double nsPerPixel, std::uint32_t connection)
{
    WantedSpans wanted;
    if (connection == 0)
        return wanted;
    auto waiting = static_cast<std::size_t>(std::ranges::count_if(m_pieces, [connection](const auto &each) {
        return each.second.askedOver == connection && !each.second.isForgotten;
    }));
    for (auto each = m_pieces.rbegin(); each != m_pieces.rend() && waiting < kMostAskedSpans; ++each) {
        Piece &piece = each->second;
        if (!isIn(piece.what, seen) || piece.isForgotten || piece.askedOver == connection
            || wantsColumns(piece, nsPerPixel))
            continue;
        piece.askedOver = connection;
        ++waiting;
        wanted.spans.push_back({piece.what.pipeline, piece.what.first, piece.what.last});
    }
    if (nsPerPixel > 0 && std::isfinite(nsPerPixel))
        wantCoarse(seen, nsPerPixel, connection, wanted);
    return wanted;
}

bool MissedSpans::wantsColumns(const Piece &piece, double nsPerPixel) const
{
    const double pixels = static_cast<double>(piece.what.endNs - piece.what.startNs) / nsPerPixel;
    return nsPerPixel > 0 && pixels < kMostCoarseColumns / 2.0
        && piece.what.spans > kMostSpansOfPixel * std::max(1.0, pixels);
}

/// One ask at a time: its answer is small, and what is newer need not wait for long.
void MissedSpans::wantCoarse(Interval seen, double nsPerPixel, std::uint32_t connection, WantedSpans &wanted)
{
    if (m_askedCoarse && m_askedCoarseOver == connection)
        return;
    AskCoarse ask;
    ask.nsPerColumn = std::exp2(std::floor(std::log2(std::max(1.0, nsPerPixel))));
    for (auto each = m_pieces.rbegin(); each != m_pieces.rend() && ask.pieces.size() < AskCoarse::kMostPieces; ++each) {
        const Piece &piece = each->second;
        const bool isKnown = piece.coarseNs > 0 && piece.coarseNs <= ask.nsPerColumn;
        if (isIn(piece.what, seen) && !piece.isForgotten && !isKnown && wantsColumns(piece, nsPerPixel))
            ask.pieces.push_back(piece.what);
    }
    if (ask.pieces.empty())
        return;
    ask.pipeline = ask.pieces.front().pipeline;
    m_askedCoarse = ask;
    m_askedCoarseOver = connection;
    wanted.coarse = std::move(ask);
}

std::optional<std::vector<CoarseSpans>> MissedSpans::take(const LateCoarse &late)
{
    std::vector<CoarseSpans> came;
    if (!m_askedCoarse || late.pieces.empty() || late.pieces.size() > m_askedCoarse->pieces.size())
        return std::nullopt;
    for (std::size_t i = 0; i < late.pieces.size(); ++i) {
        const UnsentSpans &asked = m_askedCoarse->pieces[i];
        std::optional<CoarseSpans> coarse = late.pieces[i].coarse(m_askedCoarse->window(asked));
        if (late.pieces[i].first != asked.first || (!coarse && !late.pieces[i].isForgotten))
            return std::nullopt;
        const auto piece = m_pieces.find(asked.first);
        if (piece == m_pieces.end()) // It has come whole meanwhile.
            continue;
        piece->second.isForgotten = late.pieces[i].isForgotten;
        if (late.pieces[i].isForgotten)
            continue;
        piece->second.coarseNs = m_askedCoarse->nsPerColumn;
        came.push_back(std::move(*coarse));
    }
    m_askedCoarse.reset();
    return came;
}

void MissedSpans::forgetCoarse()
{
    for (auto &[first, piece] : m_pieces)
        piece.coarseNs = 0;
}

Intervals MissedSpans::times() const
{
    Intervals times;
    for (const auto &[first, piece] : m_pieces)
        times.push_back({piece.what.startNs, std::max(piece.what.endNs, piece.what.startNs + 1)});
    std::ranges::sort(times, {}, &Interval::startNs);
    Intervals joined;
    for (const Interval &time : times)
        if (!joined.empty() && time.startNs <= joined.back().endNs)
            joined.back().endNs = std::max(joined.back().endNs, time.endNs);
        else
            joined.push_back(time);
    return joined;
}

std::uint64_t MissedSpans::updates() const
{
    std::uint64_t updates = 0;
    for (const auto &[first, piece] : m_pieces)
        updates += piece.what.last + 1 - piece.what.first;
    return updates;
}

} // namespace jetscope
