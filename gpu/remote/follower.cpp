// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/follower.h"

#include "gpu/remote/messages.h"
#include "gpu/remote/picturemessages.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kCountsEvery{100};
/// How much of the past waits in a link at most; more would only wait there.
constexpr std::size_t kMostPastWaiting = 256 << 10;
/// A link that does not carry figures at all is told the newest, not later and later ones.
constexpr std::uint64_t kMostFiguresBehind = 3000;

/// Of updates one after the other; none if they are not all kept.
std::optional<std::vector<Span>> spansOf(const UpdateLog &log, std::uint64_t first, std::uint64_t last)
{
    if (first < log.oldest() || last > log.newest())
        return std::nullopt;
    std::vector<Span> spans;
    for (std::uint64_t position = first; position <= last; ++position)
        if (const auto part = fromBytes<UpdatePart>(log.at(position)))
            spans.insert(spans.end(), part->update.spans.begin(), part->update.spans.end());
    return spans;
}

} // namespace

void Follower::join(const UpdateLog &log, std::uint64_t known)
{
    m_link.send(log.head());
    if (known < log.newest())
        m_nextPast = known + 1;
}

void Follower::turn(const UpdateLog &log, bool keepsBack)
{
    if (keepsBack && isCaughtUp())
        m_nextPast = log.newest() + 1;
    else if (!keepsBack && m_nextPast > log.newest() && m_link.waitingBytes() == 0)
        m_nextPast = 0; // Not before: what comes may not overtake it.
}

void Follower::send(std::uint32_t pipeline, std::uint64_t position, const std::vector<Message> &parts,
                    const std::vector<Span> &spans)
{
    if (m_nextPast > 0)
        return;
    if (m_link.hasCredit(MessageClass::Spans))
        sendUnsent(true); // A laptop that has newer spans, and is cut off, would not ask for those.
    for (const Message &part : parts) {
        const bool isFigures = part.kind == MessageKind::FigureUpdate;
        if (isFigures && m_nextFigures == 0 && !m_link.hasCredit(MessageClass::Figures))
            m_nextFigures = position;
        if (isFigures && m_nextFigures > 0)
            continue;
        if (!m_link.send(part) && part.kind == MessageKind::SpanUpdate && !spans.empty())
            m_unsent.add(pipeline, position, spans);
    }
}

void Follower::sendFigures(const UpdateLog &log)
{
    if (m_nextFigures == 0)
        return;
    const std::uint64_t end = log.newest() + 1;
    m_nextFigures = std::max(m_nextFigures, log.oldest());
    for (; m_nextFigures < end; ++m_nextFigures) {
        if (!m_link.hasCredit(MessageClass::Figures) && m_nextFigures + kMostFiguresBehind >= end)
            return; // Older ones are not sent, which the link counts.
        if (const auto part = fromBytes<UpdatePart>(log.at(m_nextFigures)))
            for (Message &message : partsOf(part->pipeline, part->position, part->update))
                if (message.kind == MessageKind::FigureUpdate)
                    m_link.send(std::move(message));
    }
    m_nextFigures = 0;
}

void Follower::sendUnsent(bool all)
{
    for (const UnsentSpans &unsent : m_unsent.take(all))
        m_link.send(messageOf(unsent));
}

/// They wait behind all else that the link carries.
bool Follower::answer(const UpdateLog &log, const AskSpans &ask)
{
    if (ask.first == 0 || ask.last < ask.first || ask.last - ask.first >= UnsentSpans::kMostUpdates)
        return false;
    std::optional<std::vector<Span>> spans = spansOf(log, ask.first, ask.last);
    m_link.send(messageOf(LateSpans{ask.pipeline, ask.first, !spans, spans ? std::move(*spans) : std::vector<Span>()}));
    return true;
}

bool Follower::answer(const UpdateLog &log, const AskCoarse &ask)
{
    if (!ask.isPossible())
        return false;
    LateCoarse late{ask.pipeline, {}};
    std::size_t bytes = 0;
    for (const UnsentSpans &piece : ask.pieces) {
        if (const std::optional<std::vector<Span>> spans = spansOf(log, piece.first, piece.last))
            late.pieces.push_back(LateCoarse::Piece::of(piece.first, coarseSpans(*spans, ask.window(piece))));
        else
            late.pieces.push_back({piece.first, true, {}, {}});
        bytes += late.pieces.back().columns.size();
        if (bytes > LateCoarse::kManyBytes)
            break;
    }
    m_link.send(messageOf(late));
    return true;
}

void Follower::sendPast(const UpdateLog &log)
{
    if (m_nextPast == 0)
        return;
    m_nextPast = std::max(m_nextPast, log.oldest());
    sendUnsent(true);
    while (m_nextPast <= log.newest() && m_link.waitingBytes() < kMostPastWaiting)
        m_link.send({MessageKind::Past, log.at(m_nextPast++)});
}

void Follower::sendState(std::uint32_t pipeline, const PipelineStatus &status)
{
    State state;
    state.pipeline = pipeline;
    state.counts = StateCounts::of(status);
    PipelineStatus rest = status;
    StateCounts().putInto(rest);
    std::vector<std::byte> restBytes = toBytes(std::pair(pipeline, rest));
    std::vector<std::byte> countBytes = toBytes(state.counts.frames);
    if (restBytes != m_statusSaid) {
        state.status = std::move(rest);
        m_statusSaid = std::move(restBytes);
    } else if (countBytes == m_countsSaid || Clock::now() < m_nextCounts) {
        return;
    }
    m_countsSaid = std::move(countBytes);
    m_nextCounts = Clock::now() + kCountsEvery;
    m_link.send(messageOf(state));
}

void Follower::sendCost(std::uint32_t pipeline, const WatchCostMeter &meter)
{
    WatchCost cost;
    cost.pipeline = pipeline;
    if (const std::optional<WatchCostMeter::Cost> &known = meter.cost()) {
        cost.frameRatio = std::min(known->frameRatio, kMostCostRatio);
        cost.noise = std::min(known->noise, kMostCostRatio);
        cost.rounds = static_cast<std::uint32_t>(known->rounds);
    }
    sendIfNew(messageOf(cost), m_costSaid);
}

void Follower::sendProgram(const Message &state)
{
    sendIfNew(state, m_programSaid);
}

void Follower::sendIfNew(const Message &message, std::vector<std::byte> &said)
{
    if (message.content == said)
        return;
    said = message.content;
    m_link.send(message);
}

} // namespace jetscope
