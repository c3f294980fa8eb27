// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/stampoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "core/text/numbertext.h"

#include <cmath>

namespace jetscope {

namespace {

constexpr std::size_t kStampLabel = 16;
constexpr std::size_t kStampLine = 100;

std::string stampRow(std::string_view label, std::string_view text)
{
    return hangingParagraph(label, text, kStampLabel, kStampLine);
}

std::string stampClockText(const StampFinding &finding)
{
    std::string text = finding.system ? std::string(rowOf(*finding.system).name) : std::string(nameOf(finding.clock));
    for (const SystemClock also : finding.alsoPossible)
        text += " (or " + std::string(rowOf(also).name) + ", which shows the same here)";
    return text + "; the source says: " + std::string(nameOf(finding.toldClock));
}

std::string edgeText(const StampFinding &finding)
{
    return std::string(nameOf(finding.edge)) + "; the source says: " + std::string(nameOf(finding.toldEdge));
}

std::string offsetText(const StampFinding &finding)
{
    std::string text = fixedText(*finding.offsetMs, 3) + " ms";
    text += finding.isOffsetLeast ? ", or more: by the unknown age of the youngest frame"
                                  : " ± " + fixedText(finding.offsetBoundMs, 4);
    if (finding.driftPpm)
        text += "; drift " + signedText(*finding.driftPpm, 1) + " ± " + fixedText(finding.driftBoundPpm, 1) + " ppm";
    return text;
}

std::string spreadText(const StampSpread &spread)
{
    return "p50 " + threeFigures(spread.p50) + " ms, p99 " + threeFigures(spread.p99) + " ms";
}

JsonObject spreadJson(const StampSpread &spread)
{
    return {{"p50", jsonNumber(spread.p50)}, {"p99", jsonNumber(spread.p99)}};
}

} // namespace

std::string stampText(const StampReport &report)
{
    const StampFinding &finding = report.finding;
    std::string text = stampRow("Source", report.source);
    text += stampRow("Frames", counted(finding.frames, "frame") + " in " + fixedText(finding.seconds, 1) + " s");
    text += stampRow("Clock", stampClockText(finding));
    text += stampRow("Edge", edgeText(finding));
    if (finding.offsetMs)
        text += stampRow("Offset to ours", offsetText(finding));
    if (finding.ageMs)
        text += stampRow("Age", spreadText(*finding.ageMs) + " from the stamp to the program");
    if (finding.periodMs > 0) {
        text += stampRow("Period", threeFigures(finding.periodMs) + " ms");
        text += stampRow("Jitter",
                         spreadText(finding.jitterMs) + " of the stamps; " + spreadText(finding.arrivalJitter)
                             + " of the arrivals");
    }
    text += stampRow("Odd stamps",
                     std::to_string(finding.missing) + " missing, " + std::to_string(finding.backwards) + " back, "
                         + std::to_string(finding.repeated) + " repeated, " + std::to_string(finding.steps) + " leaps");
    for (const std::string &conflict : finding.conflicts)
        text += stampRow("Conflict", conflict);
    if (!report.trouble.empty())
        text += stampRow("Trouble", report.trouble);
    return text + stampRow("Verdict", finding.verdict);
}

JsonObject stampFindingJson(const StampFinding &finding)
{
    JsonArray also;
    for (const SystemClock clock : finding.alsoPossible)
        also.push_back(rowOf(clock).key);
    JsonObject object{
        {"frames", finding.frames},
        {"seconds", jsonNumber(finding.seconds)},
        {"clock", finding.system ? rowOf(*finding.system).key : nameOf(finding.clock)},
        {"also_possible", also},
        {"told_clock", nameOf(finding.toldClock)},
        {"edge", nameOf(finding.edge)},
        {"told_edge", nameOf(finding.toldEdge)},
        {"offset_ms", jsonNumberOrNull(finding.offsetMs)},
        {"offset_bound_ms", finding.isOffsetLeast ? JsonValue() : jsonNumber(finding.offsetBoundMs)},
        {"drift_ppm", jsonNumberOrNull(finding.driftPpm)},
        {"drift_bound_ppm", jsonNumber(finding.driftBoundPpm)},
        {"age_ms", finding.ageMs ? JsonValue(spreadJson(*finding.ageMs)) : JsonValue()},
        {"period_ms", finding.periodMs > 0 ? jsonNumber(finding.periodMs) : JsonValue()},
        {"jitter_ms", spreadJson(finding.jitterMs)},
        {"arrival_jitter_ms", spreadJson(finding.arrivalJitter)},
        {"missing", finding.missing},
        {"backwards", finding.backwards},
        {"repeated", finding.repeated},
        {"steps", finding.steps},
        {"conflicts", finding.conflicts},
        {"verdict", finding.verdict},
    };
    return object;
}

JsonObject stampJson(const StampReport &report)
{
    JsonObject object = stampFindingJson(report.finding);
    object["source"] = report.source;
    object["trouble"] = jsonTextOrNull(report.trouble);
    return object;
}

} // namespace jetscope
