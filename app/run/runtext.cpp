// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/runreport.h"

#include "app/commandline/textlayout.h"
#include "app/run/adviceoutput.h"
#include "app/run/cameraoutput.h"
#include "core/board/boardwords.h"
#include "core/figures/gputimetext.h"
#include "core/settings/settingtable.h"
#include "gpu/sources/copies.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kLabelWidth = 16;
constexpr std::size_t kFigureWidth = 12;
constexpr std::size_t kLineWidth = 100;

std::string row(std::string_view label, std::string_view text)
{
    return hangingParagraph(label, text, kLabelWidth, kLineWidth);
}

std::string milliseconds(double value)
{
    return fixedText(value, 2) + " ms";
}

std::string figuresText(const RunFigures &figures)
{
    std::string text = padded("", kLabelWidth);
    for (const char *head : {"p50", "p95", "p99"})
        text += rightAligned(head, kFigureWidth);
    text += "\n";
    for (const PercentilesLine &line : percentilesLines(figures)) {
        text += padded(line.label, kLabelWidth);
        for (const std::string &each : line.texts)
            text += rightAligned(each, kFigureWidth);
        text += "\n";
    }
    for (const auto &[label, value] : figureLines(figures))
        text += row(label, value);
    return text;
}

/// "kernel gaussian15 62 % (3.10 ms), GL draw 20 % (1.02 ms), 2 others 4 %, unexplained 3 %".
std::string pathText(const PathSummary &path)
{
    constexpr std::size_t kMaxNamed = 5;
    constexpr double kWorthNaming = 0.02;
    std::string text;
    std::size_t named = 0;
    std::size_t others = 0;
    double otherShare = 0;
    for (const PathShare &share : path.shares) {
        if (share.cause == PathCause::Unknown)
            continue;
        if (named == kMaxNamed || share.share < kWorthNaming) {
            ++others;
            otherShare += share.share;
            continue;
        }
        ++named;
        text += (text.empty() ? "" : ", ") + share.what + (share.lane.empty() ? "" : " [" + share.lane + "]") + " "
            + fixedText(share.share * 100, 0) + " % (" + milliseconds(share.ms) + ")";
    }
    if (others > 0)
        text += (text.empty() ? "" : ", ") + counted(others, "other") + " " + fixedText(otherShare * 100, 0) + " %";
    if (path.unexplained() > kUnexplainedSaid)
        text += (text.empty() ? "" : "; ") + std::string("nothing explains ") + fixedText(path.unexplained() * 100, 0)
            + " %";
    return text;
}

std::string sourceText(const SegmentReport &segment)
{
    std::string text = row("Copies", copiesSentence(segment.copies));
    if (const std::string faults = segment.counts ? sourceFaultsText(segment.counts->faults) : ""; !faults.empty())
        text += row("Trouble", faults);
    if (const std::string lost = segment.counts ? lossText(segment.counts->lost) : ""; !lost.empty())
        text += row("Missing", counted(segment.counts->lost.sum(), "frame") + ": " + lost);
    return text + (segment.trouble.empty() ? "" : row("Trouble", segment.trouble));
}

std::string streamText(const StreamCounts &counts)
{
    return std::to_string(counts.returned) + " frames returned, " + std::to_string(counts.timeouts) + " time-outs, "
        + std::to_string(counts.repeats) + " repeats";
}

/// "MODE_30W (2); clocks locked; GPU clock 612 MHz, CPU clock 1.51 GHz; nothing limited them".
std::string machineText(const SegmentReport &segment, const std::string &powerMode)
{
    const MachineSpan &machine = segment.machine;
    std::string text = powerMode;
    const auto add = [&text](const std::string &part) { text += (text.empty() ? "" : "; ") + part; };
    if (machine.clocksLocked)
        add(*machine.clocksLocked ? "clocks locked" : "clocks not locked");
    std::string clocks;
    for (const CounterEnds &clock : machine.clocks)
        if (clock.begin && clock.end)
            clocks += (clocks.empty() ? "" : ", ") + clock.name + " " + valueText(*clock.begin, clock.unit) + " to "
                + valueText(*clock.end, clock.unit);
    if (!clocks.empty())
        add(clocks);
    if (const std::string change = machineChangeWords(machine); !change.empty())
        add(change);
    else if (machine.limited)
        add("nothing limited the clocks");
    return text;
}

std::string energyText(const SegmentReport &segment)
{
    if (!segment.energyMj.known())
        return "not known: " + segment.energyMj.reason;
    return figureText(Figure::Energy, segment.energyMj.value) + " a frame (" + segment.machine.energy.source + ")";
}

std::string segmentText(const SegmentReport &segment, const std::string &powerMode)
{
    std::string text = row("Settings", describeSettings(segment.config, ",", segment.wait));
    if (segment.camera)
        text += row("Camera", std::to_string(*segment.camera + 1));
    text += row("Frames",
                std::to_string(segment.frames)
                    + (segment.counts ? ", " + std::to_string(segment.counts->dropped) + " dropped" : "")
                    + (segment.ended == kInterrupted ? ", " : ", ended by ") + segment.ended);
    text += sourceText(segment);
    if (segment.figures.frames > 0)
        text += figuresText(segment.figures);
    if (segment.counts && segment.counts->emulationBytes > 0)
        text += row("Emulation",
                    figureText(FigureUnit::Bytes, static_cast<double>(segment.counts->emulationBytes))
                        + " moved in all to reach textures");
    if (segment.inputStream)
        text += row("EGLStream, input", streamText(*segment.inputStream));
    if (segment.stream)
        text += row("EGLStream", streamText(*segment.stream));
    if (const std::string machine = machineText(segment, powerMode); !machine.empty())
        text += row("Machine", machine);
    text += row("Energy", energyText(segment));
    if (!segment.path.empty())
        text += row("Path", pathText(segment.path));
    return text + row("Verdict", segment.verdict);
}

/// "31 rules checked over 300 frames; 9 cannot be checked here (jetscope rules --device DEVICE lists them)"
std::string coverageText(const RunReport &report)
{
    std::string text = counted(static_cast<std::uint64_t>(report.rules.checked), "rule") + " checked over "
        + counted(report.whole.frames, "frame");
    if (report.rules.cannotCheck > 0)
        text += "; " + std::to_string(report.rules.cannotCheck)
            + " cannot be checked here (\"jetscope rules --device DEVICE\" lists them)";
    return text;
}

std::string hazardText(const HazardRow &hazard)
{
    std::string text = hazard.rule + " (" + std::string(nameOf(hazard.level)) + ", " + counted(hazard.count, "time")
        + ", first at frame " + std::to_string(hazard.firstFrame) + "): " + hazard.text;
    if (!hazard.buffer.empty())
        text += "; memory: " + hazard.buffer;
    if (!hazard.a.empty())
        text += "; first access: " + hazard.a;
    if (!hazard.b.empty())
        text += "; second access: " + hazard.b;
    return text + (hazard.fix.empty() ? "" : "; fix: " + hazard.fix);
}

/// Without --hazards, only what breaks a rule is mentioned; legal costs are not.
std::string hazardsText(const RunReport &report, bool wanted)
{
    if (!wanted) {
        const auto broken = std::count_if(report.hazards.begin(), report.hazards.end(),
                                          [](const HazardRow &row) { return row.level <= HazardLevel::Luck; });
        return broken == 0
            ? ""
            : row("Hazards", counted(static_cast<std::uint64_t>(broken), "broken rule") + "; --hazards lists them");
    }
    std::string text;
    for (const HazardRow &hazard : report.hazards)
        text += row("Hazard", hazardText(hazard));
    return text + row("Hazards", (report.hazards.empty() ? "none found: " : "") + coverageText(report));
}

std::string tracingText(const RunReport &report, const Options &options)
{
    if (!report.traceCost && options.recordPath)
        return "every frame of a recording is traced, so the overhead was not measured; run without --record "
               "measures it";
    return traceCostSentence(report.traceCost);
}

/// Empty if no span is missing.
std::string missedText(const RunReport &report)
{
    if (report.missedSpans == 0)
        return "";
    return row("Missed",
               "busy times and waits lack " + counted(report.missedSpans, "span")
                   + " that came after the figures of their frame were made, or that were too many to keep");
}

std::string measurementText(const RunReport &report, const Options &options)
{
    const std::string reason = report.gpuTimeReason.empty() ? "" : " (" + report.gpuTimeReason + ")";
    return row("GPU times", gpuTimeText(report.gpuTime, report.gpuTimeUnseenNs) + reason)
        + row("Tracing", tracingText(report, options)) + missedText(report);
}

std::string endText(const RunReport &report, const Options &options)
{
    return adviceText(report.advice, kLabelWidth, kLineWidth) + measurementText(report, options)
        + (report.cameras ? "\n" + camerasText(*report.cameras) + "\n" : "") + hazardsText(report, options.hazards)
        + (options.checksum ? row("Checksum", report.checksum) : "");
}

} // namespace

std::string runText(const RunReport &report, const Options &options)
{
    std::string text = row("Device", report.device) + row("Source", report.source);
    if (const std::string stream = streamFactsText(report.stream); !stream.empty())
        text += row("Stream", stream);
    if (!report.remark.empty())
        text += row("Remark", report.remark);
    if (options.at.empty())
        return text + segmentText(report.whole, report.powerMode) + endText(report, options);
    std::uint64_t first = 0;
    for (const SegmentReport &segment : report.segments) {
        text += "\nFrom frame " + std::to_string(first) + "\n" + segmentText(segment, report.powerMode);
        first += segment.frames;
    }
    const std::string end = endText(report, options);
    return end.empty() ? text : text + "\n" + end;
}

} // namespace jetscope
