// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/latencyreport.h"

#include "core/text/numbertext.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::array kRefusals{ClockSight::NotFound, ClockSight::Several, ClockSight::Faint, ClockSight::Changing,
                               ClockSight::Contradicts};
constexpr std::size_t kSlowestListed = 20;

std::string shortMs(double value)
{
    return fixedText(value, 1) + " ms";
}

/// Why most of the frames without a reading have none.
ClockSight mostOften(const LatencyCounts &counts)
{
    ClockSight most = kRefusals.front();
    for (const ClockSight sight : kRefusals)
        if (counts.of(sight) > counts.of(most))
            most = sight;
    return most;
}

/// A cell of a table must not end it.
std::string cellText(std::string text)
{
    for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos; at += 2)
        text.replace(at, 1, text[at] == '|' ? "\\|" : "  ");
    return text;
}

std::string markdownRow(const std::vector<std::string> &cells)
{
    std::string row = "|";
    for (const std::string &cell : cells)
        row += " " + cellText(cell) + " |";
    return row + "\n";
}

std::string figuresMarkdown(const LatencyFigures &figures)
{
    std::string text = "## Latency\n\n" + markdownRow({"p50", "p95", "p99", "least", "most", "jitter"})
        + "|---|---|---|---|---|---|\n"
        + markdownRow({shortMs(figures.p50Ms), shortMs(figures.p95Ms), shortMs(figures.p99Ms), shortMs(figures.leastMs),
                       shortMs(figures.mostMs), shortMs(figures.jitterMs())})
        + "\nEach frame is known to ±" + shortMs(figures.boundMs) + ": the clock changes every "
        + shortMs(figures.stepMs) + ". What a panel adds is not measured.\n";
    if (!figures.hasStamps)
        text +=
            "The time stamps of the source say nothing earlier than the arrival of a frame: the driver's part is in "
            "that of the camera.\n";
    text += "\n## Parts\n\n" + markdownRow({"part", "around p50", "around p99", "until"}) + "|---|---|---|---|\n";
    for (std::size_t i = 0; i < kLatencyParts; ++i) {
        const auto part = static_cast<LatencyPart>(i);
        text += markdownRow({std::string(latencyPartName(part)), shortMs(figures.aroundP50[i]),
                             shortMs(figures.aroundP99[i]), std::string(latencyPartText(part))});
    }
    return text + markdownRow({"sum", shortMs(figures.totalP50), shortMs(figures.totalP99), ""});
}

std::string slowestMarkdown(const std::deque<FrameLatency> &frames, bool hasStamps)
{
    std::vector<FrameLatency> slowest(frames.begin(), frames.end());
    const std::size_t count = std::min(kSlowestListed, slowest.size());
    std::partial_sort(slowest.begin(), slowest.begin() + static_cast<std::ptrdiff_t>(count), slowest.end(),
                      [](const FrameLatency &a, const FrameLatency &b) { return a.totalNs() > b.totalNs(); });
    slowest.resize(count);
    std::string text = "\n## Slowest frames\n\n";
    std::vector<std::string> heads{"frame", "latency"};
    std::string line = "|---|---|";
    for (std::size_t i = 0; i < kLatencyParts; ++i) {
        heads.emplace_back(latencyPartName(static_cast<LatencyPart>(i)));
        line += "---|";
    }
    text += markdownRow(heads) + line + "\n";
    for (const FrameLatency &frame : slowest) {
        std::vector<std::string> cells{std::to_string(frame.number),
                                       shortMs(static_cast<double>(frame.totalNs()) / 1e6)};
        for (const std::int64_t ns : frame.parts(hasStamps))
            cells.push_back(shortMs(static_cast<double>(ns) / 1e6));
        text += markdownRow(cells);
    }
    return text;
}

} // namespace

std::string latencyVerdict(const LatencyReport &report)
{
    if (!report.trouble.empty())
        return report.trouble;
    if (report.counts.frames == 0)
        return "no frame came";
    if (!report.figures)
        return report.counts.notShown > 0
            ? "the clock in view is another one: it shows times that this one has not shown"
            : std::string(clockSightText(mostOften(report.counts)));
    return "from the screen until the output is complete half of the frames take at most "
        + shortMs(report.figures->p50Ms) + ", each known to ±" + shortMs(report.figures->boundMs);
}

std::string joinedClocks(const LatencyReport &report)
{
    return "that of " + report.board + " and that of this machine are joined within ±"
        + fixedText(report.clockBoundMs.value_or(0), 3) + " ms, which is in the bound";
}

std::vector<std::string> refusedFrames(const LatencyCounts &counts)
{
    std::vector<std::string> rows;
    for (const ClockSight sight : kRefusals)
        if (counts.of(sight) > 0)
            rows.push_back(std::to_string(counts.of(sight)) + " " + std::string(clockSightText(sight)));
    if (counts.notShown > 0)
        rows.push_back(std::to_string(counts.notShown) + " showed a time that this clock had not shown");
    if (counts.unfinished > 0)
        rows.push_back(std::to_string(counts.unfinished) + " were read, and a newer one took their place");
    return rows;
}

std::string latencyMarkdown(const LatencyReport &report, const std::deque<FrameLatency> &frames)
{
    std::string text = "# Glass to glass\n\n" + latencyVerdict(report) + ".\n\n" + markdownRow({"", ""}) + "|---|---|\n"
        + markdownRow({"device", report.device}) + markdownRow({"source", report.source});
    if (!report.screen.empty())
        text += markdownRow({"clock on", report.screen});
    if (report.clockBoundMs)
        text += markdownRow({"clocks", joinedClocks(report)});
    text += markdownRow({"frames", std::to_string(report.counts.frames)})
        + markdownRow({"read",
                       std::to_string(report.counts.known()) + ", " + std::to_string(report.counts.fitted)
                           + " of them by the shares of the times that they mix"});
    for (const std::string &refused : refusedFrames(report.counts))
        text += markdownRow({"not read", refused});
    if (report.isMirrored)
        text += markdownRow({"picture", "mirrored"});
    text += "\n";
    if (report.figures)
        text += figuresMarkdown(*report.figures) + slowestMarkdown(frames, report.figures->hasStamps);
    return text;
}

std::string latencyCsv(const std::deque<FrameLatency> &frames, bool hasStamps)
{
    std::string text = "frame,shown_from_ns,shown_until_ns,stamp_ns,arrived_ns,start_ns,complete_ns,end_ns,total_ms";
    for (std::size_t i = 0; i < kLatencyParts; ++i)
        text += "," + std::string(latencyPartName(static_cast<LatencyPart>(i))) + "_ms";
    text += "\n";
    for (const FrameLatency &frame : frames) {
        text += std::to_string(frame.number);
        for (const std::int64_t ns : {frame.shown.fromNs, frame.shown.untilNs, frame.stampNs, frame.arrivedNs,
                                      frame.startNs, frame.completeNs, frame.endNs})
            text += "," + std::to_string(ns);
        text += "," + fixedText(static_cast<double>(frame.totalNs()) / 1e6, 3);
        for (const std::int64_t ns : frame.parts(hasStamps))
            text += "," + fixedText(static_cast<double>(ns) / 1e6, 3);
        text += "\n";
    }
    return text;
}

} // namespace jetscope
