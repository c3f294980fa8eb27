// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/stretchrunner.h"

#include "core/board/energy.h"

#include <algorithm>
#include <cmath>
#include <sys/resource.h>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMinFrames = 3;
/// Readings of the power before a stretch that are kept.
constexpr std::int64_t kEnergyMemoryNs = 2'000'000'000;

double cpuSecondsOfProcess()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

} // namespace

std::int64_t expectedNs(const StretchLimits &limits, std::int64_t frameNs)
{
    const std::int64_t warmUp =
        std::min(frameNs * static_cast<std::int64_t>(limits.warmUp),
                 std::max(limits.warmUpNs, frameNs * static_cast<std::int64_t>(kMaxFramesInFlight)));
    const std::int64_t wanted = std::max(frameNs * static_cast<std::int64_t>(limits.frames), limits.ns);
    const std::int64_t most = std::max(frameNs * static_cast<std::int64_t>(kMinFrames), limits.mostNs);
    return warmUp + std::min(wanted, most);
}

StretchRunner::StretchRunner(PipelineControl &pipeline, SourceForSize address, const StretchLimits &limits)
    : m_pipeline(pipeline), m_address(std::move(address)), m_limits(limits)
{
}

void StretchRunner::know(const TraceUpdate &update)
{
    m_head.add(update);
    m_machine.add(update.counters, update.samples);
}

void StretchRunner::begin(const CellTurn &turn, const SweepCell &cell, bool keepsUpdates, std::int64_t ns)
{
    m_mostWarm = m_state == State::Done && cell == m_cell ? 0 : m_limits.warmUp;
    m_taken = {};
    m_taken.stretch = turn;
    m_taken.startNs = ns;
    m_cell = cell;
    m_keepsUpdates = keepsUpdates;
    m_beginNs = ns;
    m_lastFrameNs = ns;
    m_warm = 0;
    m_cpuSeconds = cpuSecondsOfProcess();
    m_countedNs = ns;
    m_frames.clear();
    m_updates.clear();
    m_failure.clear();
    m_replaced = false;
    m_state = State::Switching;
    m_sourcePending = !(cell.size() == m_size);
    m_change = m_sourcePending ? std::string() : describeChange(m_pipeline.status().config, cell.config);
    if (!m_sourcePending)
        return switchOn();
    const Result<std::string> address = m_address(cell.size());
    if (!address.ok())
        return fail(address.error().text);
    m_pipeline.changeSource(address.value());
}

/// After the source is the right one.
void StretchRunner::switchOn()
{
    const PipelineStatus status = m_pipeline.status();
    if (status.config == m_cell.config) // Nothing to switch, so no switch would be reported.
        return measureFrom(static_cast<std::uint32_t>(status.frames));
    m_pipeline.change(m_cell.config);
}

void StretchRunner::measureFrom(std::uint32_t frame)
{
    m_firstFrame = frame;
    m_state = State::Measuring;
    m_counterSums.clear();
    m_machine.dropBefore(m_beginNs - kEnergyMemoryNs);
    for (const auto &[id, value] : m_counterValues)
        m_counterSums[id] = {value, 1};
}

bool StretchRunner::take(const PipelineUpdate &update, std::int64_t ns)
{
    for (const PipelineNotice &notice : update.notices)
        take(notice);
    takeCounters(update);
    if (m_state == State::Measuring) {
        takeFigures(update, ns);
        if (m_keepsUpdates) {
            if (m_updates.empty())
                static_cast<TraceUpdate &>(m_updates.emplace_back()) = m_head.asUpdate();
            m_updates.push_back(update);
        }
        if (isLongEnough())
            finish(ns);
    }
    const auto waits = [this] { return m_state == State::Switching || m_state == State::Measuring; };
    if (waits() && ns - m_lastFrameNs > m_limits.timeoutNs)
        fail("no frame came for " + std::to_string(m_limits.timeoutNs / 1'000'000'000) + " s");
    return !waits();
}

void StretchRunner::take(const PipelineNotice &notice)
{
    switch (notice.kind) {
    case PipelineNotice::Kind::Switched:
        if (m_state != State::Switching)
            break;
        if (!std::exchange(m_sourcePending, false))
            return measureFrom(notice.frame);
        if (notice.ofSource) {
            m_size = m_cell.size();
            return switchOn();
        }
        m_sourcePending = true; // An earlier change of the configuration.
        break;
    case PipelineNotice::Kind::Refused:
        if (m_state == State::Switching && notice.text.starts_with(m_change))
            fail(notice.text);
        break;
    case PipelineNotice::Kind::Violation:
        if (m_state == State::Measuring && notice.frame >= m_firstFrame && notice.level <= HazardLevel::Luck)
            ++m_taken.hazards;
        break;
    case PipelineNotice::Kind::Ended:
    case PipelineNotice::Kind::Failed:
        m_lost = true;
        m_deviceLost = notice.deviceLost;
        fail(notice.text);
        break;
    case PipelineNotice::Kind::Dropped:
    case PipelineNotice::Kind::Untraced:
    case PipelineNotice::Kind::Gap:
    case PipelineNotice::Kind::Stage:
    case PipelineNotice::Kind::Machine:
        break;
    }
}

void StretchRunner::takeFigures(const PipelineUpdate &update, std::int64_t ns)
{
    for (const FrameFigures &frame : update.figures) {
        if (frame.frame < m_firstFrame)
            continue;
        m_lastFrameNs = ns;
        const std::int64_t since = m_frames.empty() ? 0 : frame.startNs - m_frames.front().startNs;
        const bool cold = m_frames.size() == m_warm && m_warm < m_mostWarm
            && (m_warm < kMaxFramesInFlight || since < m_limits.warmUpNs);
        m_frames.push_back(frame);
        if (cold) {
            m_warm = m_frames.size();
            m_cpuSeconds = cpuSecondsOfProcess();
            m_countedNs = ns;
        }
    }
}

void StretchRunner::takeCounters(const PipelineUpdate &update)
{
    know(update);
    for (const CounterSample &sample : update.samples) {
        if (!std::isfinite(sample.value)) {
            m_counterValues.erase(sample.counter);
            continue;
        }
        m_counterValues[sample.counter] = sample.value;
        if (m_state != State::Measuring)
            continue;
        Sum &sum = m_counterSums[sample.counter];
        sum.sum += sample.value;
        ++sum.count;
    }
}

bool StretchRunner::isLongEnough() const
{
    const std::size_t counted = m_frames.size() - m_warm;
    if (m_state != State::Measuring || counted < kMinFrames)
        return false;
    const FrameFigures &last = m_frames.back();
    const std::int64_t ns = last.startNs + last.periodNs() - m_frames[m_warm].startNs;
    return (counted >= m_limits.frames && ns >= m_limits.ns) || ns >= m_limits.mostNs;
}

/// Of the counted frames; empty if the power is not known.
std::optional<double> StretchRunner::energyMjPerFrame() const
{
    const FrameFigures &last = m_frames.back();
    const Energy energy =
        energyWithin(m_machine.counters(), {m_frames[m_warm].startNs, last.startNs + last.periodNs()});
    if (!energy.joules.known())
        return std::nullopt;
    return *energy.joules.value * 1e3 / static_cast<double>(m_frames.size() - m_warm);
}

void StretchRunner::finish(std::int64_t ns)
{
    m_replaced = m_pipeline.status().config != m_cell.config;
    if (m_replaced)
        return fail("another configuration came into force meanwhile");
    StretchExtras extras;
    if (ns > m_countedNs)
        extras.cpuUse = (cpuSecondsOfProcess() - m_cpuSeconds) * 1e9 / static_cast<double>(ns - m_countedNs);
    extras.energyMj = energyMjPerFrame();
    StatisticsMethod method;
    method.warmUp = m_warm;
    m_taken.figures = figuresOfStretch(m_frames, extras, method);
    for (const CounterInfo &counter : m_head.counters())
        if (const auto found = m_counterSums.find(counter.id); found != m_counterSums.end())
            m_taken.counters.push_back(
                {counter.name, counter.unit, found->second.sum / static_cast<double>(found->second.count)});
    m_taken.tookNs = ns - m_beginNs;
    m_state = State::Done;
}

void StretchRunner::fail(std::string reason)
{
    m_failure = std::move(reason);
    m_state = State::Failed;
}

} // namespace jetscope
