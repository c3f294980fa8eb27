// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/lab/latencyoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"

namespace jetscope {

namespace {

constexpr std::size_t kLatencyLabel = 16;
constexpr std::size_t kLatencyNumber = 10;
constexpr std::array kSights{ClockSight::NotFound, ClockSight::Several, ClockSight::Faint, ClockSight::Changing,
                             ClockSight::Contradicts};
/// The keys of these in JSON.
constexpr std::array<std::string_view, kSights.size()> kSightKeys{"no_clock", "several_clocks", "faint", "changing",
                                                                  "contradicts"};

std::string latencyRow(std::string_view label, const std::string &text)
{
    return padded(label, kLatencyLabel) + text + "\n";
}

std::string msText(double value)
{
    return fixedText(value, 1) + " ms";
}

std::string partsText(const LatencyFigures &figures)
{
    std::string text = padded("part", kLatencyLabel) + rightAligned("at p50", kLatencyNumber)
        + rightAligned("at p99", kLatencyNumber) + "\n";
    for (std::size_t i = 0; i < kLatencyParts; ++i) {
        const auto part = static_cast<LatencyPart>(i);
        text += padded(latencyPartName(part), kLatencyLabel)
            + rightAligned(msText(figures.aroundP50[i]), kLatencyNumber)
            + rightAligned(msText(figures.aroundP99[i]), kLatencyNumber) + "  " + std::string(latencyPartText(part))
            + "\n";
    }
    return text + padded("sum", kLatencyLabel) + rightAligned(msText(figures.totalP50), kLatencyNumber)
        + rightAligned(msText(figures.totalP99), kLatencyNumber) + "\n";
}

JsonObject partsJson(const std::array<double, kLatencyParts> &parts, double total)
{
    JsonObject object{{"total_ms", jsonNumber(total)}};
    for (std::size_t i = 0; i < kLatencyParts; ++i)
        object[std::string(latencyPartName(static_cast<LatencyPart>(i))) + "_ms"] = jsonNumber(parts[i]);
    return object;
}

} // namespace

std::string latencyText(const LatencyReport &report)
{
    std::string text = latencyRow("device", report.device) + latencyRow("source", report.source)
        + latencyRow("verdict", latencyVerdict(report)) + latencyRow("frames", std::to_string(report.counts.frames))
        + latencyRow("read", std::to_string(report.counts.known()));
    if (report.clockBoundMs)
        text += latencyRow("clocks", joinedClocks(report));
    if (report.counts.fitted > 0)
        text +=
            latencyRow("", std::to_string(report.counts.fitted) + " of them by the shares of the times that they mix");
    for (const std::string &refused : refusedFrames(report.counts))
        text += latencyRow("", refused);
    if (report.isMirrored)
        text += latencyRow("", "the camera's picture is mirrored");
    if (!report.figures)
        return text;
    const LatencyFigures &figures = *report.figures;
    text += latencyRow("latency",
                       "p50 " + msText(figures.p50Ms) + "   p95 " + msText(figures.p95Ms) + "   p99 "
                           + msText(figures.p99Ms))
        + latencyRow("jitter", msText(figures.jitterMs()) + " from p50 to p95")
        + latencyRow("bound",
                     "±" + msText(figures.boundMs) + " for one frame: the clock changes every "
                         + msText(figures.stepMs))
        + partsText(figures);
    if (!figures.hasStamps)
        text += "The time stamps of the source say nothing earlier than the arrival of a frame: the driver's part is "
                "in that of the camera.\n";
    return text + "Without a window nothing is presented. What a panel adds is not measured.\n";
}

JsonObject latencyJson(const LatencyReport &report)
{
    JsonObject refused;
    for (std::size_t i = 0; i < kSights.size(); ++i)
        refused[std::string(kSightKeys[i])] = report.counts.of(kSights[i]);
    refused["not_shown"] = report.counts.notShown;
    JsonObject object{{"device", report.device},
                      {"source", report.source},
                      {"board", jsonTextOrNull(report.board)},
                      {"clock_bound_ms", jsonNumberOrNull(report.clockBoundMs)},
                      {"verdict", latencyVerdict(report)},
                      {"frames", report.counts.frames},
                      {"read", report.counts.known()},
                      {"fitted", report.counts.fitted},
                      {"refused", refused},
                      {"unfinished", report.counts.unfinished},
                      {"mirrored", report.isMirrored},
                      {"latency_ms", JsonValue()},
                      {"jitter_ms", JsonValue()},
                      {"bound_ms", JsonValue()},
                      {"step_ms", JsonValue()},
                      {"has_stamps", JsonValue()},
                      {"around_p50", JsonValue()},
                      {"around_p99", JsonValue()}};
    if (!report.figures)
        return object;
    const LatencyFigures &figures = *report.figures;
    object["latency_ms"] = JsonObject{{"p50", jsonNumber(figures.p50Ms)},
                                      {"p95", jsonNumber(figures.p95Ms)},
                                      {"p99", jsonNumber(figures.p99Ms)},
                                      {"min", jsonNumber(figures.leastMs)},
                                      {"max", jsonNumber(figures.mostMs)}};
    object["jitter_ms"] = jsonNumber(figures.jitterMs());
    object["bound_ms"] = jsonNumber(figures.boundMs);
    object["step_ms"] = jsonNumber(figures.stepMs);
    object["has_stamps"] = figures.hasStamps;
    object["around_p50"] = partsJson(figures.aroundP50, figures.totalP50);
    object["around_p99"] = partsJson(figures.aroundP99, figures.totalP99);
    return object;
}

} // namespace jetscope
