// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/hardwarereport.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"

#include <optional>

namespace jetscope {

namespace {

const std::string kNoGlTimes = "the times of the GPU's work for GL are not seen";
const char *const kHowCounted = "time of the thread that makes the frames counts as CPU work but inside of calls that "
                                "wait: what its own code does between the calls is not seen";

JsonObject missingJson(const AttachGpuCounts &counts)
{
    return {{"ring_full", counts.lost},
            {"no_buffer", counts.dropped},
            {"no_times", counts.untimed},
            {"end_before_start", counts.negative},
            {"other_clock", counts.stray},
            {"damaged", counts.damaged},
            {"damaged_buffers", counts.damagedBuffers}};
}

void addFigure(JsonObject &object, const char *key, std::optional<double> figure, const std::string &reason)
{
    object[key] = jsonNumberOrNull(figure);
    if (!figure)
        object[std::string(key) + "_reason"] = reason;
}

/// So much of the GPU's work has no times that sums mean nothing; as a sentence, or empty.
std::string gapText(const HardwareReport &report)
{
    constexpr std::uint64_t kSmallestShare = 1000;
    const AttachGpuCounts &counts = report.counts;
    std::uint64_t all = counts.dropped;
    for (const std::uint64_t delivered : counts.delivered)
        all += delivered;
    if (counts.damagedBuffers + counts.damaged == 0 && counts.missing() * kSmallestShare <= all)
        return {};
    return "GPU times are missing: " + std::to_string(counts.missing()) + " of " + counted(all, "record")
        + (counts.damagedBuffers > 0 ? ", and what " + counted(counts.damagedBuffers, "damaged buffer") + " held" : "");
}

} // namespace

JsonObject hardwareJson(const HardwareReport &report, const RunFigures &figures, bool sawGl)
{
    const AttachGpuCounts &counts = report.counts;
    JsonObject object{{"times", report.source()}, {"cupti", jsonTextOrNull(report.plan.version)}};
    constexpr std::pair<const char *, jsa_gpu_kind> kKinds[] = {
        {"kernels", JSA_GPU_KERNEL},
        {"copies", JSA_GPU_COPY},
        {"memsets", JSA_GPU_SET},
        {"submissions", JSA_GPU_CALL},
    };
    for (const auto &[key, kind] : kKinds)
        object[key] = JsonObject{{"counted", counts.delivered[kind]}, {"recorded", counts.recorded[kind]}};
    object["linked"] = report.linked;
    object["not_linked"] = report.unlinked;
    object["missing"] = missingJson(counts);
    object["flush_ms"] = jsonNumber(static_cast<double>(counts.flushNs) / 1e6);
    std::string reason;
    if (figures.frames == 0)
        reason = "there are too few frames";
    else if (report.source() == "none")
        reason = sawGl ? kNoGlTimes : "there are no times of the GPU's work: " + report.refusal();
    const std::string most = sawGl ? kNoGlTimes : gapText(report); // Why there may be more.
    object["busy_ms_per_frame"] = reason.empty()
        ? JsonValue(JsonObject{{"at_least", jsonNumber(figures.least(Figure::GpuBusy))},
                               {"at_most", most.empty() ? jsonNumber(figures[Figure::GpuBusy]) : JsonValue()}})
        : JsonValue();
    if (const std::string &why = reason.empty() ? most : reason; !why.empty())
        object["busy_reason"] = why;
    return object;
}

void addHardwareRefusals(JsonArray &rows, const HardwareReport &report)
{
    if (const std::string refusal = report.refusal(); !refusal.empty())
        rows.push_back(JsonObject{{"tier", "A"}, {"reason", "unavailable: " + refusal}});
    for (const AttachGpuProcess &process : report.processes)
        for (const auto &[what, reason] : hardwareGaps(process))
            rows.push_back(JsonObject{{"tier", "A"}, {"reason", what + " are not recorded: " + reason}});
}

void addHardwareFigures(JsonObject &object, const HardwareReport &report, const RunFigures &figures, bool sawGl)
{
    std::string reason = gapText(report);
    if (report.source() == "none")
        reason = sawGl ? kNoGlTimes : "there are no times of the GPU's work: " + report.refusal();
    const Overlap pooled = sawGl ? figures.pooled.withUnseenGpuWork() : figures.pooled;
    const std::optional<RatioBounds> bounds = reason.empty() ? pooled.overlapBounds() : std::nullopt;
    std::string why = reason.empty() ? pooled.overlapReason() : reason;
    if (sawGl && bounds)
        why = boundsText(*bounds) + ": " + kNoGlTimes;
    addFigure(object, "overlap", why.empty() ? pooled.overlap() : std::nullopt, why);
    if (bounds) {
        object["overlap_at_least"] = jsonNumber(bounds->atLeast);
        object["overlap_at_most"] = jsonNumber(bounds->atMost);
        object["overlap_note"] = kHowCounted;
    }
    if (reason.empty() && sawGl)
        reason = kNoGlTimes;
    Headroom headroom = figures.headroom;
    headroom.sourceNs = kNoSourcePeriod; // What the program waits for outside of its calls counts as CPU work.
    addFigure(object, "headroom", reason.empty() ? headroom.ratio() : std::nullopt,
              reason.empty() ? headroom.reason() : reason);
}

std::string hardwareText(const HardwareReport &report, const RunFigures &figures)
{
    const std::string source = report.source();
    if (source == "none")
        return "  no GPU times: " + report.refusal() + "\n";
    std::string text;
    const AttachGpuCounts &counts = report.counts;
    if (report.records())
        text += "  GPU times from CUPTI " + report.plan.version + ": "
            + counted(counts.delivered[JSA_GPU_KERNEL], "kernel") + ", copies "
            + std::to_string(counts.delivered[JSA_GPU_COPY]) + ", memsets "
            + std::to_string(counts.delivered[JSA_GPU_SET]) + "; " + std::to_string(report.linked)
            + " of them are linked with their calls\n";
    if (counts.missing() > 0)
        text += "  missing GPU times: " + std::to_string(counts.dropped) + " that CUPTI had no buffer for, "
            + std::to_string(counts.lost) + " that were not read in time, " + std::to_string(counts.untimed)
            + " without times, " + std::to_string(counts.negative + counts.stray) + " with impossible times\n";
    if (source == "bounds")
        text += "  GPU times are bounds from the calls: " + report.refusal() + "\n";
    if (figures.frames == 0)
        return text;
    if (const std::string gap = gapText(report); !gap.empty())
        return text + "  " + gap + "\n";
    const std::string most = figureText(Figure::GpuBusy, figures[Figure::GpuBusy]);
    if (source != "bounds")
        return text + "  GPU busy: " + most + " a frame\n";
    return text + "  GPU busy: at least " + figureText(Figure::GpuBusy, figures.least(Figure::GpuBusy)) + ", at most "
        + most + " a frame\n";
}

} // namespace jetscope
