// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetrun.h"

#include "core/board/boardfactrows.h"
#include "core/board/energy.h"
#include "core/board/machinechanges.h"
#include "core/exchange/opentrace.h"
#include "core/settings/settingtable.h"
#include "core/system/regularfile.h"
#include "core/text/sha256.h"
#include "core/text/shorttext.h"
#include "core/trace/tracefigures.h"
#include "core/tracefile/tracefile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <span>

namespace jetscope {

namespace {

using CaptureFacts = std::map<std::string, std::string>;

constexpr std::size_t kRunDigits = 16;
constexpr std::size_t kConfigDigits = 12;
constexpr StatisticsMethod kFleetStatistics{};

class FleetOpening : public OpenProgress {
public:
    explicit FleetOpening(Progress &progress) : m_progress(progress) {}
    bool advance(double fraction) override { return m_progress.advance(fraction); }

private:
    Progress &m_progress;
};

std::string hashOf(std::string_view text, std::size_t digits)
{
    Sha256 sum;
    sum.add(std::as_bytes(std::span(text)));
    return sum.hex().substr(0, digits);
}

Result<std::string> sumOfFile(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const FileStream file, openRegularFile(path));
    Sha256 sum;
    std::vector<std::byte> piece(std::size_t{1} << 18U);
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get()))
        sum.add(std::span(piece).first(got));
    if (std::ferror(file.get()) != 0)
        return sentence(path + " cannot be read to its end");
    return sum.hex();
}

std::string factOf(const CaptureFacts &facts, const char *name, const char *otherwise = "")
{
    const auto fact = facts.find(name);
    return fact == facts.end() ? otherwise : fact->second;
}

/// What must be equal for runs to be compared: where, what and how. How is measured does not count.
std::string configOf(const TraceOrigin &origin, const CaptureFacts &facts)
{
    std::string config = "device=" + factOf(facts, "device_id", origin.device.c_str());
    if (const std::string capability = factOf(facts, "compute_capability"); !capability.empty())
        config += " " + capability;
    config += ";source=" + origin.source + ";frame_size=" + factOf(facts, "frame_size");
    if (origin.config)
        for (const SettingRow &row : settingTable())
            if (!row.isOfMeasurement)
                config += ";" + row.column() + "=" + row.text(*origin.config);
    return config;
}

/// "2026-11-25T13:05:09Z"; empty if the time is not known.
std::string utcText(std::int64_t unixNs)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    if (unixNs <= 0)
        return {};
    const auto seconds = static_cast<std::time_t>(unixNs / kSecond);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 64> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), size};
}

Interval timeOfFrames(const Trace &trace)
{
    const FrameTable &frames = trace.frames();
    const FrameFigures last = frames.at(frames.endIndex() - 1);
    return {frames.at(frames.firstIndex()).startNs, last.startNs + last.periodNs()};
}

void addMachine(FleetRow &row, const Trace &trace, const CaptureFacts &facts)
{
    const MachineSpan machine = machineWithin(trace.counters(), timeOfFrames(trace));
    row.clocksLocked = machine.clocksLocked;
    row.throttled = machine.limited;
    for (const CounterEnds &zone : machine.temperatures)
        row.temperature = std::max(row.temperature.value_or(*zone.high), *zone.high);
    row.machineChange = machineChangeWords(machine);
    row.powerMode = factOf(facts, "power_mode");
    if (row.powerMode.empty() && machine.powerMode)
        row.powerMode = std::to_string(std::llround(*machine.powerMode->low));
}

/// What all rows of the run have in common.
FleetRow factsOfRun(const Trace &trace, const CaptureFacts &facts, const FleetLabels &labels)
{
    FleetRow row;
    row.board = labels.board.empty() ? factOf(facts, kBoardIdFact) : labels.board;
    row.commit = labels.commit;
    row.soc = factOf(facts, kBoardSocFact, "unknown");
    row.jetpack = factOf(facts, kBoardJetpackFact, "unknown");
    row.kernel = factOf(facts, kBoardKernelFact);
    row.bootId = factOf(facts, kBoardBootFact);
    if (const auto offset = trace.unixOffsetNs())
        row.start = utcText(timeOfFrames(trace).startNs + *offset);
    row.date = row.start.empty() ? "unknown" : row.start.substr(0, row.start.find('T'));
    row.source = trace.origin().source;
    row.device = trace.origin().device;
    row.program = trace.origin().program;
    row.config = configOf(trace.origin(), facts);
    row.configHash = hashOf(row.config, kConfigDigits);
    row.gpuTime = factOf(facts, "gpu_time");
    row.traceCost = factOf(facts, "trace_cost");
    row.hazards =
        static_cast<double>(std::count_if(trace.marks().all().begin(), trace.marks().all().end(),
                                          [](const TraceMark &mark) { return mark.kind == TraceMark::Kind::Hazard; }));
    addMachine(row, trace, facts);
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
        row.metric = figure.name;
        row.unit = unitName(figure.unit);
        row.direction = figure.direction == Direction::HigherIsBetter ? kHigherIsBetter : kLowerIsBetter;
        row.scale = figure.scale == Scale::Difference ? kByDifference : kByRatio;
        row.least = figure.leastInUnit;
        row.compared = figure.compared;
        row.value = *value;
        row.n = static_cast<double>(run.frames.size());
        addFrames(row, figure, run.frames);
        run.rows.push_back(std::move(row));
    }
}

} // namespace

Result<FleetRun> fleetRunOf(const std::string &capture, const FleetLabels &labels, Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(const FileKind kind, fileKindOf(capture));
    if (kind != FileKind::Capture)
        return sentence(capture + " is no capture of Jetscope: \"jetscope convert\" makes one of it");
    FleetOpening opening(progress);
    JETSCOPE_TRY_ASSIGN(const OpenedTrace opened, openTrace(capture, opening));
    const Trace &trace = opened.trace;
    if (trace.frames().empty())
        return sentence(capture + " has no frames: nothing was recorded that could be compared");
    JETSCOPE_TRY_ASSIGN(const CaptureFacts facts, captureFacts(capture));
    JETSCOPE_TRY_ASSIGN(const std::string sum, sumOfFile(capture));
    FleetRow row = factsOfRun(trace, facts, labels);
    if (row.board.empty())
        return sentence(capture + " does not say on which board it was recorded: name it with --board NAME");
    row.capture = capture;
    row.captureSha256 = sum;
    row.run = hashOf(sum + "\n" + row.board + "\n" + row.commit, kRunDigits);
    FleetRun run;
    for (std::uint64_t i = trace.frames().firstIndex(); i < trace.frames().endIndex(); ++i)
        run.frames.push_back(trace.frames().at(i));
    addRows(run, row, trace);
    if (run.rows.empty())
        return sentence(capture + " has no figures: nothing was recorded that could be compared");
    return run;
}

} // namespace jetscope
