// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/missedspans.h"

#include "core/trace/timelimits.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kSayUnsentAfter{200};
constexpr std::size_t kMostAskedSpans = 2; ///< Pieces on their way: what is newer need not wait for long.

} // namespace

void fields(Wire &w, UnsentSpans &u)
{
    w.members(u, u.pipeline, u.first, u.last, u.startNs, u.endNs);
}

void fields(Wire &w, AskSpans &a)
{
    w.members(a, a.pipeline, a.first, a.last);
}

void fields(Wire &w, LateSpans &l)
{
    w.members(l, l.pipeline, l.first, l.isForgotten, l.spans);
}

void UnsentNotes::add(std::uint32_t pipeline, std::uint64_t position, const std::vector<Span> &spans)
{
    UnsentSpans added{pipeline, position, position, spans.front().startNs, spans.front().startNs};
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
}

std::vector<UnsentSpans> UnsentNotes::take(bool all)
{
    if (m_open && (all || std::chrono::steady_clock::now() - m_since >= kSayUnsentAfter))
        m_closed.push_back(*std::exchange(m_open, std::nullopt));
    return std::exchange(m_closed, {});
}

bool MissedSpans::add(const UnsentSpans &unsent)
{
    if (unsent.first == 0 || unsent.first > unsent.last || unsent.last - unsent.first >= UnsentSpans::kMostUpdates
        || !isTraceTime(unsent.startNs) || !isTraceTime(unsent.endNs) || unsent.startNs > unsent.endNs)
        return false;
    m_pieces[unsent.first] = {unsent, 0, false};
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

std::vector<AskSpans> MissedSpans::want(Interval seen, std::uint32_t connection)
{
    std::vector<AskSpans> asks;
    if (connection == 0)
        return asks;
    auto waiting = static_cast<std::size_t>(std::ranges::count_if(m_pieces, [connection](const auto &each) {
        return each.second.askedOver == connection && !each.second.isForgotten;
    }));
    for (auto each = m_pieces.rbegin(); each != m_pieces.rend() && waiting < kMostAskedSpans; ++each) {
        Piece &piece = each->second;
        const bool isSeen = piece.what.startNs < seen.endNs && piece.what.endNs >= seen.startNs;
        if (!isSeen || piece.isForgotten || piece.askedOver == connection)
            continue;
        piece.askedOver = connection;
        ++waiting;
        asks.push_back({piece.what.pipeline, piece.what.first, piece.what.last});
    }
    return asks;
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
