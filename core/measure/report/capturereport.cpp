// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/capturereport.h"

#include "core/exchange/opentrace.h"
#include "core/hazards/rules.h"
#include "core/measure/report/reporttext.h"
#include "core/path/tracepaths.h"
#include "core/settings/settingtable.h"
#include "core/trace/tracefigures.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kLongFrames = 10;
constexpr std::uint64_t kMaxFramesDescribed = 1 << 17;

std::vector<ReportedHazard> hazardsOf(const Trace &trace)
{
    std::vector<ReportedHazard> hazards;
    for (const TraceMark &mark : trace.marks().all()) {
        if (mark.kind != TraceMark::Kind::Hazard)
            continue;
        const auto same = std::find_if(hazards.begin(), hazards.end(), [&](const ReportedHazard &each) {
            return each.like->rule == mark.rule && each.like->text == mark.text && each.like->memory == mark.memory;
        });
        if (same != hazards.end()) {
            ++same->count;
            continue;
        }
        const std::optional<RuleId> rule = ruleNamed(mark.rule);
        hazards.push_back({&mark, rule ? std::string(nameOf(ruleOf(*rule).level)) : std::string(), 1});
    }
    return hazards;
}

FrameDistribution frameTimesOf(const Trace &trace)
{
    std::vector<double> values;
    const FrameTable &frames = trace.frames();
    const auto [first, last] = framesAfterWarmUp(trace);
    for (std::uint64_t i = last - std::min(last - first, kMaxFramesDescribed); i < last; ++i)
        if (const std::int64_t ns = frames.at(i).frameNs; ns > 0)
            values.push_back(static_cast<double>(ns) / 1e6);
    return distributionOf(values);
}

std::vector<LongFrame> longFramesOf(const Trace &trace)
{
    std::vector<LongFrame> frames;
    TracePaths paths(trace);
    const FrameTable &table = trace.frames();
    for (const std::uint64_t index : table.longest(table.firstIndex(), table.endIndex(), kLongFrames)) {
        std::vector<PathPiece> pieces;
        paths.follow(index, index + 1, pieces);
        PathSums sums;
        sums.add(pieces);
        const PathSummary summary = paths.summary(sums);
        std::string mostly;
        if (!summary.empty())
            mostly = summary.shares.front().what + " " + fixedText(summary.shares.front().share * 100, 0) + " %";
        frames.push_back({index, std::move(mostly)});
    }
    return frames;
}

} // namespace

std::string CaptureReport::date() const
{
    std::int64_t unixNs = 0;
    const std::optional<std::int64_t> offsetNs = trace.unixOffsetNs();
    if (!offsetNs || trace.empty() || __builtin_add_overflow(*offsetNs, trace.oldestNs(), &unixNs))
        return {};
    return dateText(unixNs);
}

std::vector<std::pair<std::string, std::string>> CaptureReport::banner() const
{
    const TraceOrigin &origin = trace.origin();
    const auto seconds = static_cast<double>(trace.newestNs() - trace.oldestNs()) / 1e9;
    const auto switches = std::count_if(trace.marks().all().begin(), trace.marks().all().end(),
                                        [](const TraceMark &mark) { return mark.kind == TraceMark::Kind::Switch; });
    std::string settings = origin.config ? describeSettings(*origin.config, "+") : std::string();
    if (switches > 0)
        settings += " at the end; changed " + counted(static_cast<std::uint64_t>(switches), "time") + " meanwhile";
    std::string clocks;
    for (const std::string &line : clockLines(origin.clocks))
        clocks += (clocks.empty() ? "" : "; ") + line;
    return {
        {"Device", origin.device},
        {"Source", origin.source},
        {"Settings", settings},
        {"Date", date()},
        {"Length",
         counted(frameCount(), "frame") + ", " + fixedText(seconds, 2) + " s, " + counted(trace.spanCount(), "span")},
        {"Clocks", clocks},
        {"Program", origin.program}};
}

Result<CaptureReport> readCaptureReport(const std::string &path, OpenProgress &progress)
{
    JETSCOPE_TRY_ASSIGN(const FileKind kind, fileKindOf(path));
    if (kind != FileKind::Capture)
        return sentence(path
                        + " is a trace of another program: \"jetscope convert\" makes a capture of it, which has a "
                          "report");
    JETSCOPE_TRY_ASSIGN(OpenedTrace opened, openTrace(path, progress));
    JETSCOPE_TRY_ASSIGN(DeviceRows device, readDeviceRows(path));
    CaptureReport report{path, std::move(opened.trace), std::move(opened.notes), std::move(device), {}, {}, {}, {}, {},
                         {}};
    report.figures = summariseTrace(report.trace);
    std::optional<PathSummary> paths = summarisePaths(report.trace, progress);
    if (!paths)
        return cancelledError();
    report.paths = *std::move(paths);
    report.verdict = verdictOf(report.paths);
    report.frameMs = frameTimesOf(report.trace);
    report.hazards = hazardsOf(report.trace);
    report.longest = longFramesOf(report.trace);
    return report;
}

} // namespace jetscope
