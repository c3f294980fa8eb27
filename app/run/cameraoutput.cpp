// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/cameraoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "app/run/stampoutput.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

namespace jetscope {

namespace {

constexpr std::size_t kNameWidth = 30;
constexpr std::size_t kColumn = 12;

/// Addresses differ at their end.
std::string nameInColumn(const std::string &source)
{
    constexpr std::size_t kMost = kNameWidth - 4; // Its number, and space.
    if (source.size() <= kMost)
        return source;
    std::size_t from = source.size() - (kMost - 3);
    while (from < source.size() && (static_cast<unsigned char>(source[from]) & 0xc0U) == 0x80U) // Within a character.
        ++from;
    return "..." + source.substr(from);
}

std::string cameraLine(const CamerasReport &report, std::size_t i)
{
    const CameraFinding &camera = report.skew.cameras[i];
    std::string line = padded(std::to_string(i + 1) + " " + nameInColumn(report.cameras[i].source), kNameWidth);
    for (const std::string &cell :
         {std::to_string(camera.frames), threeFigures(camera.periodMs) + " ms", signedText(camera.skewMs, 2) + " ms",
          signedText(camera.arrivalSkewMs, 2) + " ms", threeFigures(camera.ageMs) + " ms",
          camera.driftPpm ? signedText(*camera.driftPpm, 0) + " ppm" : "none", std::to_string(report.lost[i].sum())})
        line += rightAligned(cell, kColumn);
    return line + "\n";
}

} // namespace

std::string camerasText(const CamerasReport &report)
{
    std::string text = padded("camera", kNameWidth);
    for (const char *head : {"frames", "period", "stamps off", "arrive off", "age", "drift", "missing"})
        text += rightAligned(head, kColumn);
    text += "\n";
    for (std::size_t i = 0; i < report.cameras.size(); ++i)
        text += cameraLine(report, i);
    for (std::size_t i = 0; i < report.cameras.size(); ++i) {
        const std::string name = capitalized(cameraName(i, report.cameras[i].source)) + ": ";
        if (const std::string lost = lossText(report.lost[i]); !lost.empty())
            text += name + lost + "\n";
        for (const std::string &conflict : report.cameras[i].finding.conflicts)
            text += name + conflict + "\n";
        if (!report.cameras[i].trouble.empty())
            text += name + report.cameras[i].trouble + "\n";
    }
    if (!report.trouble.empty())
        text += report.trouble + "\n";
    return text + counted(report.skew.groups, "moment") + " of which each camera has a frame. " + report.skew.verdict
        + "\n";
}

JsonObject camerasJson(const CamerasReport &report)
{
    JsonArray cameras;
    for (std::size_t i = 0; i < report.cameras.size(); ++i) {
        const CameraFinding &camera = report.skew.cameras[i];
        cameras.push_back(JsonObject{
            {"source", report.cameras[i].source},
            {"frames", camera.frames},
            {"period_ms", jsonNumber(camera.periodMs)},
            {"skew_ms", jsonNumber(camera.skewMs)},
            {"skew_p99_ms", jsonNumber(camera.skewP99Ms)},
            {"arrival_skew_ms", jsonNumber(camera.arrivalSkewMs)},
            {"age_ms", jsonNumber(camera.ageMs)},
            {"age_p99_ms", jsonNumber(camera.ageP99Ms)},
            {"drift_ppm", jsonNumberOrNull(camera.driftPpm)},
            {"drift_bound_ppm", camera.driftPpm ? jsonNumber(camera.driftBoundPpm) : JsonValue()},
            {"lost_frames", lossCountsJson(report.lost[i])},
            {"stamps", stampFindingJson(report.cameras[i].finding)},
            {"trouble", jsonTextOrNull(report.cameras[i].trouble)},
        });
    }
    const SkewFinding &skew = report.skew;
    return {
        {"cameras", cameras},
        {"moments", skew.groups},
        {"skew_ms", JsonObject{{"p50", jsonNumber(skew.skewMs)}, {"p99", jsonNumber(skew.skewP99Ms)}}},
        {"arrival_skew_ms",
         JsonObject{{"p50", jsonNumber(skew.arrivalSkewMs)}, {"p99", jsonNumber(skew.arrivalSkewP99Ms)}}},
        {"cause", nameOf(skew.cause)},
        {"culprit", skew.culprit ? JsonValue(report.cameras[*skew.culprit].source) : JsonValue()},
        {"trouble", jsonTextOrNull(report.trouble)},
        {"verdict", skew.verdict},
    };
}

} // namespace jetscope
