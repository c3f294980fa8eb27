// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/pipelinechannel.h"

#include "core/stream/appendnewest.h"
#include "core/time/clock.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

// What is kept for an owner that does not drain: seconds of spans of the fastest pipeline, minutes of figures.
constexpr std::size_t kSpansKept = 1 << 17;
constexpr std::size_t kFiguresKept = 1 << 13;
constexpr std::size_t kNumbersKept = 1 << 13;
constexpr std::size_t kAnswersUndrained = 8;
constexpr std::size_t kNoticesKept = 1 << 12;
constexpr std::size_t kSamplesKept = 1 << 14;
/// After this many drains without a new frame, frames no longer wait for others to be followed together.
constexpr int kQuietDrains = 3;
/// Missing frames are told no later than this, whether or not it is known what the pipeline did meanwhile.
constexpr std::int64_t kLongestExplainedNs = 2'000'000'000;

bool isOver(PipelineState state)
{
    return state == PipelineState::Ended || state == PipelineState::Failed;
}

std::optional<TraceMark::Kind> markKindOf(PipelineNotice::Kind kind)
{
    switch (kind) {
    case PipelineNotice::Kind::Switched:
        return TraceMark::Kind::Switch;
    case PipelineNotice::Kind::Dropped:
        return TraceMark::Kind::Drop;
    case PipelineNotice::Kind::Gap:
    case PipelineNotice::Kind::Untraced:
        return TraceMark::Kind::Gap;
    case PipelineNotice::Kind::Violation:
        return TraceMark::Kind::Hazard;
    case PipelineNotice::Kind::Stage:
    case PipelineNotice::Kind::Machine:
        return TraceMark::Kind::Other;
    case PipelineNotice::Kind::Refused:
    case PipelineNotice::Kind::Ended:
    case PipelineNotice::Kind::Failed:
        break;
    }
    return std::nullopt;
}

} // namespace

void PipelineChannel::post(PipelineCommand command)
{
    {
        const std::lock_guard lock(m_mutex);
        switch (command.kind) {
        case PipelineCommand::Kind::ChangeDevice:
            m_commands.deviceId = std::move(command.address);
            m_commands.config = std::move(command.config);
            break;
        case PipelineCommand::Kind::ChangeConfig:
            m_commands.config = std::move(command.config);
            break;
        case PipelineCommand::Kind::ChangeSource:
            m_commands.sourceUri = std::move(command.address);
            break;
        case PipelineCommand::Kind::SetPaused:
            m_commands.paused = command.on;
            break;
        case PipelineCommand::Kind::Step:
            ++m_commands.steps;
            break;
        }
    }
    m_wakeEvent.wake();
}

void PipelineChannel::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_commands.stop = true;
    }
    m_wakeEvent.wake();
}

PendingCommands PipelineChannel::takeCommands()
{
    const std::lock_guard lock(m_mutex);
    PendingCommands taken = std::exchange(m_commands, {});
    m_commands.paused = taken.paused;
    m_commands.stop = taken.stop;
    return taken;
}

bool PipelineChannel::hasCommands() const
{
    const std::lock_guard lock(m_mutex);
    return m_commands.any();
}

void PipelineChannel::publish(PipelineStatus status, std::optional<PipelineNotice> news)
{
    {
        const std::lock_guard lock(m_mutex);
        if (news)
            append(std::move(*news));
        m_status = std::move(status);
        m_status.powerMode = m_powerMode;
    }
    m_statusChanged.notify_all();
}

void PipelineChannel::setPowerMode(const std::string &mode)
{
    const std::lock_guard lock(m_mutex);
    m_powerMode = mode;
    m_status.powerMode = mode;
}

PipelineStatus PipelineChannel::status() const
{
    const std::lock_guard lock(m_mutex);
    return m_status;
}

void PipelineChannel::waitForEnd() const
{
    std::unique_lock lock(m_mutex);
    m_statusChanged.wait(lock, [this] { return isOver(m_status.state); });
}

void PipelineChannel::report(PipelineNotice notice)
{
    const std::lock_guard lock(m_mutex);
    append(std::move(notice));
}

/// Call with the mutex locked.
void PipelineChannel::append(PipelineNotice notice)
{
    if (notice.timeNs == 0)
        notice.timeNs = nowNs();
    const bool ends = notice.kind == PipelineNotice::Kind::Ended || notice.kind == PipelineNotice::Kind::Failed;
    m_ended = ends || (m_ended && notice.kind != PipelineNotice::Kind::Switched);
    m_update.notices.push_back(std::move(notice));
    if (m_update.notices.size() > kNoticesKept)
        m_update.notices.erase(m_update.notices.begin());
}

void PipelineChannel::add(std::vector<LaneInfo> newLanes, std::vector<Span> spans, std::vector<FrameFigures> figures,
                          std::uint64_t lost, std::uint64_t missed)
{
    const std::lock_guard lock(m_mutex);
    std::move(newLanes.begin(), newLanes.end(), std::back_inserter(m_update.lanes));
    m_update.spansLost += appendNewest(m_update.spans, std::move(spans), kSpansKept);
    appendNewest(m_update.figures, std::move(figures), kFiguresKept);
    m_update.spansLost += lost - std::exchange(m_lost, lost);
    m_update.missedSpans += missed - std::exchange(m_missed, missed);
}

void PipelineChannel::addFrameNumber(const FrameNumber &number)
{
    const std::lock_guard lock(m_mutex);
    if (!m_number || m_number->of(number.frame) != number.number)
        appendNewest(m_update.numbers, {number}, kNumbersKept);
    m_number = number;
}

void PipelineChannel::addAnswers(std::vector<CpuAnswer> answers)
{
    const std::lock_guard lock(m_mutex);
    appendNewest(m_update.answers, std::move(answers), kAnswersUndrained);
}

CounterId PipelineChannel::addCounter(std::string name, std::string unit, std::optional<LaneId> lane)
{
    const std::lock_guard lock(m_mutex);
    m_update.counters.push_back({m_nextCounter, std::move(name), std::move(unit), lane});
    return m_nextCounter++;
}

void PipelineChannel::addCounters(const std::vector<CounterInfo> &infos)
{
    const std::lock_guard lock(m_mutex);
    m_update.counters.insert(m_update.counters.end(), infos.begin(), infos.end());
}

void PipelineChannel::addSamples(std::vector<CounterSample> samples)
{
    const std::lock_guard lock(m_mutex);
    appendNewest(m_update.samples, std::move(samples), kSamplesKept);
}

PipelineUpdate PipelineChannel::drain()
{
    PipelineUpdate update;
    PipelineStatus status;
    bool ended = false;
    {
        const std::lock_guard lock(m_mutex);
        update = std::exchange(m_update, {});
        status = m_status;
        ended = m_ended;
    }
    appendNewNames(update, m_names); // Behind the spans, so that each of them has its name.
    appendChangedFacts(update, factsOf(status), m_facts);
    const std::vector<TraceFact> board = std::exchange(m_board, {});
    update.facts.insert(update.facts.end(), board.begin(), board.end());
    m_head.add(update);
    m_follower.setLanes(m_head.lanes());
    m_follower.setUncertainty(m_head.counters(), update.samples);
    m_follower.add(update.spans);
    m_follower.add(update.figures);
    m_quietDrains = update.figures.empty() ? m_quietDrains + 1 : 0;
    m_follower.take(update.path, update.pathGains, ended || m_quietDrains >= kQuietDrains);
    explainLosses(update, ended);
    for (const PipelineNotice &notice : update.notices)
        if (std::optional<TraceMark> mark = markOf(notice))
            update.marks.push_back(std::move(*mark));
    return update;
}

/// What the pipeline did while frames were lost because of it is known a little later than that they were lost: such
/// notices wait for it. `all`: nothing more will be known.
void PipelineChannel::explainLosses(PipelineUpdate &update, bool all)
{
    m_late.add(update.path);
    const std::int64_t ns = nowNs();
    const auto isOfPipeline = [](const LostFrames &lost) { return LateStages::isOfPipeline(lost.cause); };
    const auto waits = [&](const PipelineNotice &notice) {
        return !all && std::ranges::any_of(notice.lost, [&](const LostFrames &lost) {
            return isOfPipeline(lost) && !m_late.knows(lost.timeNs) && ns - lost.timeNs < kLongestExplainedNs;
        });
    };
    std::vector<PipelineNotice> before = std::exchange(m_unexplained, {});
    std::move(update.notices.begin(), update.notices.end(), std::back_inserter(before));
    update.notices.clear();
    for (PipelineNotice &notice : before) {
        if (waits(notice) && m_unexplained.size() < kNoticesKept) {
            m_unexplained.push_back(std::move(notice));
            continue;
        }
        m_late.explain(
            notice.lost, [this](std::uint32_t name) { return m_head.name(name); },
            [this](LaneId lane) { return m_head.lane(lane); });
        update.notices.push_back(std::move(notice));
    }
}

std::optional<TraceMark> markOf(const PipelineNotice &notice)
{
    const auto kind = markKindOf(notice.kind);
    if (!kind)
        return std::nullopt;
    return TraceMark{*kind,      notice.timeNs, notice.frame, notice.text,   notice.rule,
                     notice.fix, notice.memory, notice.first, notice.second, notice.lost};
}

std::vector<TraceFact> factsOf(const PipelineStatus &status)
{
    std::vector<TraceFact> facts = {
        {"gpu_time", std::string(nameOf(status.gpuTime))},
        {"gpu_time_reason", status.gpuTimeReason},
        {"gpu_time_unseen_ns", std::to_string(status.gpuTimeUnseenNs)},
        {"trace_cost",
         status.traceCost ? traceCostSentence(status.traceCost) : "not measured before or during the recording"}};
    if (!status.powerMode.empty())
        facts.emplace_back("power_mode", status.powerMode);
    const ImageLayout &layout = status.source.layout;
    if (layout.width > 0)
        facts.emplace_back("frame_size", std::to_string(layout.width) + "x" + std::to_string(layout.height));
    for (StreamFactRow &row : streamFactRows(status.sourceState.facts))
        facts.emplace_back("stream_" + row.key, std::move(row.text));
    if (std::string faults = sourceFaultsText(status.sourceState.faults); !faults.empty())
        facts.emplace_back("source_faults", std::move(faults));
    return facts;
}

} // namespace jetscope
