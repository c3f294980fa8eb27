// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetrun.h"

#include "core/board/boardlayout.h"
#include "core/board/energy.h"
#include "core/board/machinechanges.h"
#include "core/exchange/opentrace.h"
#include "core/fleet/runfacts.h"
#include "core/measure/sweep/sweepfile.h"
#include "core/text/parsenumber.h"
#include "core/trace/tracefigures.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr StatisticsMethod kFleetStatistics{};

class FleetOpening : public OpenProgress {
public:
    explicit FleetOpening(Progress &progress) : m_progress(progress) {}
    bool advance(double fraction) override { return m_progress.advance(fraction); }

private:
    Progress &m_progress;
};

Interval timeOfFrames(const Trace &trace)
{
    const FrameTable &frames = trace.frames();
    const FrameFigures last = frames.at(frames.endIndex() - 1);
    return {frames.at(frames.firstIndex()).startNs, last.startNs + last.periodNs()};
}

void addMachine(FleetRow &row, const Trace &trace)
{
    const MachineSpan machine = machineWithin(trace.counters(), timeOfFrames(trace));
    row.clocksLocked = machine.clocksLocked;
    row.throttled = machine.limited;
    for (const CounterEnds &zone : machine.temperatures)
        row.temperature = std::max(row.temperature.value_or(*zone.high), *zone.high);
    row.machineChange = machineChangeWords(machine);
    if (row.powerMode.empty() && machine.powerMode)
        row.powerMode = std::to_string(std::llround(*machine.powerMode->low));
}

/// What all rows of the run have in common.
FleetRow factsOfRun(const Trace &trace, const RunFacts &facts)
{
    const TraceOrigin &origin = trace.origin();
    FleetRow row = facts.row(configText(facts.facts, origin.device, origin.source, factOf(facts.facts, "frame_size"),
                                        origin.config ? &*origin.config : nullptr),
                             facts.sum);
    if (const auto offset = trace.unixOffsetNs())
        setStart(row, timeOfFrames(trace).startNs + *offset);
    row.source = origin.source;
    row.device = origin.device;
    row.program = origin.program;
    row.hazards =
        static_cast<double>(std::count_if(trace.marks().all().begin(), trace.marks().all().end(),
                                          [](const TraceMark &mark) { return mark.kind == TraceMark::Kind::Hazard; }));
    addMachine(row, trace);
    return row;
}

std::optional<double> figureOf(const Trace &trace, const RunFigures &run, Figure figure)
{
    std::optional<double> value = readingOf(run, figure).value;
    if (figure == Figure::Energy) {
        const Energy energy = energyWithin(trace.counters(), timeOfFrames(trace));
        value = energy.joules.known() && run.frames > 0
            ? std::optional(*energy.joules.value * 1e3 / static_cast<double>(run.frames))
            : std::nullopt;
    }
    return value && std::isfinite(*value) ? value : std::nullopt;
}

/// Noise and percentiles, of figures that frames have.
void addFrames(FleetRow &row, const FigureRow &figure, const std::vector<FrameFigures> &frames)
{
    if (!figure.ofFrame)
        return;
    std::vector<double> values;
    for (const FrameFigures &frame : frames)
        if (const auto value = figure.ofFrame(frame))
            values.push_back(*value);
    const std::optional<Summary> summary = summarise(values, kFleetStatistics);
    if (!summary)
        return;
    row.noise = summary->noise;
    row.n = static_cast<double>(summary->samples);
    row.p50 = summary->percentiles.p50;
    row.p95 = summary->percentiles.p95;
    row.p99 = summary->percentiles.p99;
}

void addRows(FleetRun &run, const FleetRow &facts, const Trace &trace)
{
    const RunFigures figures = summariseTrace(trace);
    for (const FigureRow &figure : figureTable()) {
        const auto value = figureOf(trace, figures, figure.figure);
        if (!value)
            continue;
        FleetRow row = facts;
        setFigure(row, figure);
        row.value = *value;
        row.n = static_cast<double>(run.frames.size());
        addFrames(row, figure, run.frames);
        run.rows.push_back(std::move(row));
    }
}

Result<FleetRun> runOfCapture(const std::string &capture, const FleetLabels &labels, Progress &progress)
{
    FleetOpening opening(progress);
    JETSCOPE_TRY_ASSIGN(const OpenedTrace opened, openTrace(capture, opening));
    const Trace &trace = opened.trace;
    if (trace.frames().empty())
        return sentence(capture + " has no frames: nothing was recorded that could be compared");
    JETSCOPE_TRY_ASSIGN(const RunFacts facts, RunFacts::read(capture, labels));
    FleetRun run;
    for (std::uint64_t i = trace.frames().firstIndex(); i < trace.frames().endIndex(); ++i)
        run.frames.push_back(trace.frames().at(i));
    addRows(run, factsOfRun(trace, facts), trace);
    if (run.rows.empty())
        return sentence(capture + " has no figures: nothing was recorded that could be compared");
    return run;
}

/// The state of the machine while a stretch ran; of a sweep only means are kept.
void addStretchMachine(FleetRow &row, const KeptStretch &stretch)
{
    for (const StretchCounter &counter : stretch.counters) {
        if (counter.name == kClocksLockedCounter)
            row.clocksLocked = counter.mean >= 1;
        else if (isLimitCounter(counter.name))
            row.throttled = row.throttled.value_or(false) || counter.mean > 0;
        else if (counter.name == kPowerModeCounter && row.powerMode.empty())
            row.powerMode = std::to_string(std::llround(counter.mean));
        else if (counter.unit == "°C")
            row.temperature = std::max(row.temperature.value_or(counter.mean), counter.mean);
    }
}

FleetRun runOfStretch(const StoredSweep &sweep, const KeptStretch &stretch, const RunFacts &facts, std::int64_t clockNs)
{
    const auto [cell, round] = std::pair{stretch.stretch.cell, stretch.stretch.round};
    const SweepCell &settings = sweep.plan.cells.at(cell);
    const std::string size = std::to_string(settings.width) + "x" + std::to_string(settings.height);
    FleetRow row =
        facts.row(configText(facts.facts, sweep.conditions.deviceName, sweep.conditions.source, size, &settings.config),
                  std::to_string(stretch.startNs + clockNs) + "," + std::to_string(cell) + "," + std::to_string(round));
    row.source = sweep.conditions.source;
    row.device = sweep.conditions.deviceName;
    row.program = sweep.conditions.madeBy;
    row.hazards = static_cast<double>(stretch.hazards);
    setStart(row, clockNs > 0 ? stretch.startNs + clockNs : 0);
    addStretchMachine(row, stretch);
    FleetRun run;
    for (const Figure figure : sweepFigures()) {
        const std::vector<double> rounds = sweep.result.roundFigures(cell, figure);
        if (round >= rounds.size() || !std::isfinite(rounds[round]))
            continue;
        setFigure(row, rowOf(figure));
        row.value = rounds[round];
        run.rows.push_back(row);
    }
    return run;
}

/// A run for each round of each combination.
Result<std::vector<FleetRun>> runsOfSweep(const std::string &path, const FleetLabels &labels)
{
    JETSCOPE_TRY_ASSIGN(const StoredSweep sweep, readSweep(path));
    JETSCOPE_TRY_ASSIGN(const RunFacts facts, RunFacts::read(path, labels));
    const std::string clock = factOf(facts.facts, "wall_clock_offset_ns");
    const std::int64_t clockNs = parseNumber<std::int64_t>(clock).value_or(0);
    std::vector<FleetRun> runs;
    for (const KeptStretch &stretch : sweep.stretches)
        if (FleetRun run = runOfStretch(sweep, stretch, facts, clockNs); !run.rows.empty())
            runs.push_back(std::move(run));
    if (runs.empty())
        return sentence(path + " has no results: nothing was recorded that could be compared");
    return runs;
}

} // namespace

Result<std::vector<FleetRun>> fleetRunsOf(const std::string &path, const FleetLabels &labels, Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(const FileKind kind, fileKindOf(path));
    if (kind != FileKind::Capture)
        return sentence(path + " is no capture of Jetscope: \"jetscope convert\" makes one of it");
    if (isSweepFile(path))
        return runsOfSweep(path, labels);
    JETSCOPE_TRY_ASSIGN(FleetRun run, runOfCapture(path, labels, progress));
    std::vector<FleetRun> runs;
    runs.push_back(std::move(run));
    return runs;
}

} // namespace jetscope
