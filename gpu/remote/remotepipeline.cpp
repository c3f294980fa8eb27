// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remotepipeline.h"

#include "core/stream/appendnewest.h"
#include "core/time/clock.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

/// What is kept for an owner that does not take it.
constexpr std::size_t kMostValues = 1 << 17;
constexpr std::size_t kMostNotices = 1 << 12;
constexpr std::size_t kMostAnswers = 8;
constexpr std::chrono::seconds kLongestState{10};

bool hasEnded(PipelineState state)
{
    return state == PipelineState::Ended || state == PipelineState::Failed;
}

} // namespace

bool RemotePipeline::take(MessageKind kind, UpdatePart part)
{
    const std::lock_guard lock(m_mutex);
    const UpdatePositions before = m_positions;
    dropKnown(kind, part);
    PipelineUpdate &update = part.update;
    if (!m_check.accepts(update)) {
        m_positions = before;
        return false;
    }
    m_names += update.names.size();
    m_lanes += update.lanes.size();
    for (const CounterInfo &counter : update.counters)
        m_counters.insert(counter.id);
    appendNewest(m_update.notices, std::move(update.notices), kMostNotices);
    appendNewest(m_update.answers, std::move(update.answers), kMostAnswers);
    append(m_update, std::move(update), kMostValues);
    return true;
}

/// Values that came before, and heads that were told again.
void RemotePipeline::dropKnown(MessageKind kind, UpdatePart &part)
{
    PipelineUpdate &u = part.update;
    const auto isNew = [&](std::uint64_t &known, MessageKind its) {
        const bool is = part.position > known;
        if (is && (kind == its || kind == MessageKind::Past))
            known = part.position;
        return is;
    };
    // Values before any position are those of a whole head.
    if (part.position > 0) {
        // Heads are always sent; figures and spans of the updates before may be none, or have found no credit.
        if (kind == MessageKind::Past && part.position > m_positions.head + 1)
            m_missedUpdates += part.position - m_positions.head - 1;
        if (!isNew(m_positions.head, MessageKind::Head)) {
            u.notices.clear();
            u.answers.clear();
            u.marks.clear();
            u.numbers.clear();
            u.facts.clear();
            u.spansLost = u.missedSpans = 0;
        }
        if (!isNew(m_positions.figures, MessageKind::FigureUpdate)) {
            u.figures.clear();
            u.path.clear();
            u.pathGains.clear();
            u.samples.clear();
        }
        if (!isNew(m_positions.spans, MessageKind::SpanUpdate)) {
            u.spans.clear();
        } else if (kind == MessageKind::Past) {
            m_missed.cameWhole(part.position);
        }
    }
    const std::size_t told = std::min(u.names.size(), m_names - std::min<std::size_t>(m_names, u.firstName));
    u.names.erase(u.names.begin(), u.names.begin() + static_cast<std::ptrdiff_t>(told));
    u.firstName += static_cast<std::uint32_t>(told);
    std::erase_if(u.lanes, [this](const LaneInfo &lane) { return lane.id < m_lanes; });
    std::erase_if(u.counters, [this](const CounterInfo &counter) { return m_counters.contains(counter.id); });
}

bool RemotePipeline::take(const UnsentSpans &unsent)
{
    const std::lock_guard lock(m_mutex);
    return m_missed.add(unsent);
}

bool RemotePipeline::take(LateSpans late)
{
    const std::lock_guard lock(m_mutex);
    TraceUpdate update;
    update.firstName = static_cast<std::uint32_t>(m_names);
    update.spans = std::move(late.spans);
    if (m_late.size() + update.spans.size() > kMostValues || !m_check.accepts(update))
        return false;
    if (m_missed.take(late)) // Else they have come otherwise.
        m_late.insert(m_late.end(), update.spans.begin(), update.spans.end());
    return true;
}

std::vector<Span> RemotePipeline::takeLate()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_late, {});
}

bool RemotePipeline::take(const LateCoarse &late)
{
    const std::lock_guard lock(m_mutex);
    std::optional<std::vector<CoarseSpans>> came = m_missed.take(late);
    if (!came)
        return false;
    const auto isKnown = [this](const CoarseSpans &coarse) {
        return std::ranges::all_of(coarse.tracks, [this](const auto &track) {
            const auto isName = [this](TraceName name) { return name < m_names; };
            return track.first.first < m_lanes
                && std::ranges::all_of(track.second.columns,
                                       [&](const TraceColumn &column) { return isName(column.longest); })
                && std::ranges::all_of(track.second.bars, [&](const TraceBar &bar) { return isName(bar.span.name); });
        });
    };
    if (!std::ranges::all_of(*came, isKnown))
        return false;
    std::ranges::move(*came, std::back_inserter(m_coarse));
    return true;
}

std::vector<CoarseSpans> RemotePipeline::takeCoarse()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_coarse, {});
}

/// Not while much waits for the owner.
WantedSpans RemotePipeline::wantMissing(Interval seen, double nsPerPixel, std::uint32_t connection)
{
    const std::lock_guard lock(m_mutex);
    const bool isTaken = m_late.size() < kMostValues / 4 && m_coarse.size() < AskCoarse::kMostPieces;
    return isTaken ? m_missed.want(seen, nsPerPixel, connection) : WantedSpans();
}

void RemotePipeline::forgetCoarse()
{
    const std::lock_guard lock(m_mutex);
    m_missed.forgetCoarse();
}

Intervals RemotePipeline::missingTimes() const
{
    const std::lock_guard lock(m_mutex);
    return m_missed.times();
}

std::uint64_t RemotePipeline::updatesWithoutSpans() const
{
    const std::lock_guard lock(m_mutex);
    return m_missed.updates();
}

void RemotePipeline::take(const State &state)
{
    {
        const std::lock_guard lock(m_mutex);
        if (state.status)
            m_status = *state.status;
        m_hasState = m_hasState || state.status;
        state.counts.putInto(m_status);
    }
    m_changed.notify_all();
}

void RemotePipeline::take(const ProgramState &program)
{
    const std::lock_guard lock(m_mutex);
    m_program = program.state();
}

std::optional<InspectionState> RemotePipeline::program() const
{
    const std::lock_guard lock(m_mutex);
    return m_program;
}

void RemotePipeline::lose(const std::string &why)
{
    {
        const std::lock_guard lock(m_mutex);
        m_isLost = true;
        if (hasEnded(m_status.state))
            return;
        PipelineNotice notice;
        notice.kind = PipelineNotice::Kind::Failed;
        notice.frame = kNoFrame;
        notice.timeNs = nowNs();
        notice.text = why;
        m_update.notices.push_back(std::move(notice));
        m_status.state = PipelineState::Failed;
        m_hasState = true;
    }
    m_changed.notify_all();
}

UpdatePositions RemotePipeline::positions() const
{
    const std::lock_guard lock(m_mutex);
    return m_positions;
}

PipelineUpdate RemotePipeline::drain()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_update, {});
}

PipelineStatus RemotePipeline::status() const
{
    const std::lock_guard lock(m_mutex);
    return m_status;
}

void RemotePipeline::waitForEnd() const
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return hasEnded(m_status.state); });
}

bool RemotePipeline::waitForState() const
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, kLongestState, [this] { return m_hasState; });
}

bool RemotePipeline::isLost() const
{
    const std::lock_guard lock(m_mutex);
    return m_isLost;
}

std::uint64_t RemotePipeline::missedUpdates() const
{
    const std::lock_guard lock(m_mutex);
    return m_missedUpdates;
}

} // namespace jetscope
