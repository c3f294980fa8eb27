// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/attachreport.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace jetscope {

namespace {

constexpr std::size_t kMinForFigures = 2;

JsonArray tiersJson(const AttachReport &report)
{
    JsonArray tiers;
    if (report.gpu.records())
        tiers.push_back("A");
    if (report.sawCuda)
        tiers.push_back("B");
    if (report.sawEgl)
        tiers.push_back("C");
    if (report.scheduler.refusal.empty())
        tiers.push_back("D");
    return tiers;
}

JsonArray refusedJson(const AttachReport &report)
{
    JsonArray rows;
    const auto refuse = [&](const char *tier, const char *reason) {
        rows.push_back(JsonObject{{"tier", tier}, {"reason", reason}});
    };
    addHardwareRefusals(rows, report.gpu);
    if (!report.sawCuda)
        refuse("B", "no call of CUDA was seen");
    if (!report.watchRefusal.empty())
        rows.push_back(JsonObject{{"tier", "B"}, {"reason", report.watchRefusal}});
    if (!report.sawEgl)
        refuse("C", "no call of EGL, GL or NvBuf was seen");
    if (!report.scheduler.refusal.empty())
        rows.push_back(JsonObject{{"tier", "D"}, {"reason", report.scheduler.refusal}});
    return rows;
}

void addFrameFigures(JsonObject &object, const AttachReport &report)
{
    const bool known = report.figures.frames >= kMinForFigures;
    object["fps"] = known ? jsonNumber(report.fps) : JsonValue();
    const Percentiles &period = report.figures.periodMs;
    object["period_ms"] = known ? JsonValue(JsonObject{{"mean", jsonNumber(report.loops.meanPeriodMs)},
                                                       {"p50", jsonNumber(period.p50)},
                                                       {"p95", jsonNumber(period.p95)},
                                                       {"p99", jsonNumber(period.p99)}})
                                : JsonValue();
    if (known) {
        addHardwareFigures(object, report.gpu, report.figures, report.sawGl);
        return;
    }
    for (const std::string figure : {"fps", "period", "overlap", "headroom"})
        object[figure + "_reason"] = "there are fewer than two frames";
    object["overlap"] = object["headroom"] = JsonValue();
}

void addPath(JsonObject &object, const PathSummary &path)
{
    if (path.empty()) {
        object["path"] = JsonValue();
        object["path_reason"] = "there are no frames with calls";
        return;
    }
    JsonArray array;
    for (const PathShare &share : path.shares)
        array.push_back(JsonObject{{"what", share.what},
                                   {"lane", jsonTextOrNull(share.lane)},
                                   {"ms", jsonNumber(share.ms)},
                                   {"share", jsonNumber(share.share)}});
    object["path"] = array;
    object["path_frames"] = path.frames;
}

JsonArray sitesJson(const AttachReport &report, const std::string &what)
{
    JsonArray array;
    if (const auto sites = report.sites.find(what); sites != report.sites.end())
        for (const auto &[at, calls] : sites->second)
            array.push_back(JsonObject{{"at", at}, {"calls", calls}});
    return array;
}

JsonArray findingsJson(const AttachReport &report)
{
    JsonArray array;
    for (const WasteFinding &finding : report.findings)
        array.push_back(JsonObject{{"what", finding.what},
                                   {"grade", nameOf(finding.grade)},
                                   {"text", finding.text},
                                   {"calls", finding.calls},
                                   {"frames", finding.frames},
                                   {"ms_per_frame", jsonNumberOrNull(finding.msPerFrame)},
                                   {"most_share", jsonNumberOrNull(finding.mostShare)},
                                   {"sites", sitesJson(report, finding.what)}});
    return array;
}

JsonArray checksJson(const std::vector<WasteCheck> &checks)
{
    JsonArray array;
    for (const WasteCheck &check : checks)
        array.push_back(JsonObject{
            {"what", check.what}, {"checked", check.reason.empty()}, {"reason", jsonTextOrNull(check.reason)}});
    return array;
}

/// Threads with calls, those with the most first; the rest of a program with very many threads is left out.
JsonArray threadsJson(const AttachReport &report)
{
    constexpr std::size_t kMaxThreads = 256;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < std::min(report.threads.size(), report.threadCounts.size()); ++i)
        if (report.threadCounts[i].counted > 0)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return report.threadCounts[a].counted > report.threadCounts[b].counted;
    });
    order.resize(std::min(order.size(), kMaxThreads));
    JsonArray rows;
    for (const std::size_t i : order)
        rows.push_back(JsonObject{{"process", report.threads[i].process},
                                  {"pid", report.threads[i].pid},
                                  {"thread", report.threads[i].name},
                                  {"tid", report.threads[i].tid},
                                  {"counted", report.threadCounts[i].counted},
                                  {"recorded", report.threadCounts[i].recorded},
                                  {"lost", report.threadCounts[i].lost}});
    return rows;
}

double milliseconds(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}

JsonObject contextsJson(const SchedulerReport &scheduler)
{
    JsonArray contexts;
    for (const ContextTimes &times : scheduler.contexts)
        contexts.push_back(JsonObject{{"context", times.context},
                                      {"pid", times.pid},
                                      {"process", jsonTextOrNull(times.process)},
                                      {"times", times.times},
                                      {"loaded_ms", jsonNumber(milliseconds(times.loadedNs))},
                                      {"leaving_ms", jsonNumber(milliseconds(times.leavingNs))}});
    return JsonObject{{"contexts", contexts},
                      {"switching_ms", jsonNumber(milliseconds(scheduler.switchingNs))},
                      {"lost", scheduler.contextsLost},
                      {"reason", jsonTextOrNull(scheduler.contextsRefusal)}};
}

JsonValue schedulerJson(const AttachReport &report)
{
    if (!report.scheduler.refusal.empty())
        return JsonValue();
    JsonArray threads;
    for (const auto &[thread, times] : report.scheduler.times)
        threads.push_back(JsonObject{{"tid", report.threads[thread].tid},
                                     {"on_cpu_ms", jsonNumber(milliseconds(times.onCpuNs))},
                                     {"ready_ms", jsonNumber(milliseconds(times.readyNs))},
                                     {"blocked_ms", jsonNumber(milliseconds(times.blockedNs))}});
    JsonArray engines;
    for (const EngineWork &work : report.scheduler.engines)
        engines.push_back(JsonObject{{"name", work.name}, {"submitted", work.submitted}, {"complete", work.complete}});
    JsonArray events;
    for (const TracedGroup &group : report.scheduler.groups)
        events.push_back(JsonObject{{"group", group.name}, {"has", group.has}, {"of", group.of}});
    return JsonObject{{"lines", report.scheduler.lines},
                      {"lost", report.scheduler.lost},
                      {"damaged", report.scheduler.damaged},
                      {"threads", threads},
                      {"engines", engines},
                      {"gpu", contextsJson(report.scheduler)},
                      {"events", events}};
}

JsonValue costJson(const AttachReport &report)
{
    const std::optional<double> trialMs = report.gpu.plan.trialMs;
    JsonObject cost{{"collector_cores", jsonNumber(report.collectorShare)}, {"trial_ms", jsonNumberOrNull(trialMs)}};
    if (report.recordCostNs <= 0)
        return cost;
    const double totalMs = report.recordCostNs * static_cast<double>(report.recorded) / 1e6;
    cost["ns_per_call"] = jsonNumber(report.recordCostNs);
    cost["total_ms"] = jsonNumber(totalMs);
    cost["ms_per_frame"] = report.frames > 0 ? jsonNumber(totalMs / static_cast<double>(report.frames)) : JsonValue();
    return cost;
}

std::string figureText(double value, const char *unit)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.2f %s", value, unit);
    return text.data();
}

/// Of the thread that makes the frames.
std::string schedulerText(const SchedulerReport &scheduler)
{
    const auto thread = scheduler.times.find(scheduler.frameThread.value_or(UINT32_MAX));
    if (thread == scheduler.times.end())
        return {};
    const SchedulerTimes &times = thread->second;
    const auto share = [&](std::int64_t ns) {
        return figureText(100 * static_cast<double>(ns) / static_cast<double>(times.allNs()), "%");
    };
    return "  the thread of the frames: " + share(times.onCpuNs) + " of the time on a CPU, " + share(times.readyNs)
        + " ready while no CPU was free, " + share(times.blockedNs) + " blocked (the kernel's scheduler"
        + (scheduler.lost > 0 ? ", which has lost lines " + counted(scheduler.lost, "time") : "") + ")\n";
}

std::string enginesText(const SchedulerReport &scheduler)
{
    std::string text;
    for (const EngineWork &work : scheduler.engines)
        text += "  " + work.name + ": " + counted(work.submitted, "submission") + " of all programs, "
            + std::to_string(work.complete) + " seen complete (the kernel's trace)\n";
    return text;
}

std::string contextsText(const SchedulerReport &scheduler)
{
    constexpr std::size_t kMaxShown = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(scheduler.contexts.size(), kMaxShown); ++i) {
        const ContextTimes &times = scheduler.contexts[i];
        text += "  GPU context " + std::to_string(times.context) + " of "
            + (times.process.empty() ? "another process" : times.process) + ": loaded "
            + figureText(milliseconds(times.loadedNs), "ms") + " in " + counted(times.times, "time")
            + ", of which it had been asked to leave for " + figureText(milliseconds(times.leavingNs), "ms")
            + " (nvgpu; it need not have had work)\n";
    }
    return text;
}

/// What is not found may only not have been looked for.
std::string uncheckedText(const std::vector<WasteCheck> &checks)
{
    std::vector<std::pair<std::string, std::string>> byReason;
    for (const WasteCheck &check : checks) {
        if (check.reason.empty())
            continue;
        const auto known = std::find_if(byReason.begin(), byReason.end(),
                                        [&](const auto &reason) { return reason.first == check.reason; });
        if (known == byReason.end())
            byReason.emplace_back(check.reason, check.what);
        else
            known->second += ", " + check.what;
    }
    std::string text;
    for (const auto &[reason, what] : byReason)
        text += "  not checked, or not in full: " + what + " (" + reason + ")\n";
    return text;
}

std::string pathText(const PathSummary &path, std::uint64_t frames)
{
    std::string text;
    for (const PathShare &share : path.shares)
        if (constexpr double kMinShown = 0.02; share.share >= kMinShown)
            text += "  " + figureText(share.share * 100, "%") + " of the period: " + share.what + "\n";
    if (!path.empty() && path.frames < frames)
        text += "  the shares are of the paths of " + std::to_string(path.frames) + " of " + counted(frames, "frame")
            + ", because the program makes many calls\n";
    return text;
}

} // namespace

JsonObject attachJson(const AttachReport &report)
{
    JsonObject object{
        {"program", report.program},
        {"exit", report.end ? JsonValue(report.end->exitCode) : JsonValue()},
        {"exit_signal", report.end && report.end->signal != 0 ? JsonValue(report.end->signal) : JsonValue()},
        {"tiers", tiersJson(report)},
        {"refused", refusedJson(report)},
        {"frames", report.frames},
        {"frame_source", jsonTextOrNull(report.frameSource)},
        {"frame_note", report.frameNote},
        {"calls", report.calls},
        {"findings", findingsJson(report)},
        {"checks", checksJson(report.checks)},
        {"threads", threadsJson(report)},
        {"counted", report.counted},
        {"recorded", report.recorded},
        {"lost",
         JsonObject{{"calls", report.lost},
                    {"damaged", report.damaged},
                    {"threads", report.threadsRefused},
                    {"unhooked", report.unhooked}}},
        {"gpu", hardwareJson(report.gpu, report.figures, report.sawGl)},
        {"scheduler", schedulerJson(report)},
        {"cost", costJson(report)},
        {"notes", report.notes},
    };
    addFrameFigures(object, report);
    addPath(object, report.path);
    addLoops(object, report.loops);
    if (report.hangs)
        object["hang_witness"] = hangsJson(*report.hangs);
    return object;
}

std::string attachText(const AttachReport &report)
{
    std::string text = report.program + ": " + counted(report.counted, "call") + " counted, "
        + std::to_string(report.recorded) + " recorded, " + std::to_string(report.lost) + " lost; "
        + counted(report.frames, "frame") + " (" + report.frameNote + ")\n";
    if (report.figures.frames >= kMinForFigures)
        text += "  " + figureText(Figure::Rate, report.fps) + ", mean period "
            + figureText(Figure::Period, report.loops.meanPeriodMs) + " (half of them: at most "
            + figureText(Figure::Period, report.figures.periodMs.p50)
            + "; 95 %: " + figureText(Figure::Period, report.figures.periodMs.p95)
            + ", 99 %: " + figureText(Figure::Period, report.figures.periodMs.p99) + ")\n";
    text += loopsText(report.loops);
    if (report.hangs)
        text += hangsText(*report.hangs);
    if (report.sawCuda)
        text += hardwareText(report.gpu, report.figures);
    if (report.gpu.plan.trialMs)
        text += "  the trial of CUPTI made the start " + figureText(*report.gpu.plan.trialMs, "ms")
            + " longer; later starts take its result, if it can be kept\n";
    text += schedulerText(report.scheduler) + enginesText(report.scheduler) + contextsText(report.scheduler);
    text += pathText(report.path, report.figures.frames - report.loops.warmUpFrames);
    if (!report.findings.empty())
        text += foundFramesText(report.loops);
    for (const WasteFinding &finding : report.findings)
        text += "  " + std::string(nameOf(finding.grade)) + ": " + finding.text + "\n";
    text += uncheckedText(report.checks);
    if (report.lost > 0)
        text += "  " + counted(report.lost, "call")
            + " lost, because the program was faster than they could be read: the counts of calls are exact, frames "
              "and times lack these calls\n";
    for (const std::string &note : report.notes)
        text += "  " + note + "\n";
    if (report.end && report.end->signal != 0)
        text += "  the program was ended by signal " + std::to_string(report.end->signal) + " ("
            + strsignal(report.end->signal) + ")" + "\n";
    return text;
}

} // namespace jetscope
