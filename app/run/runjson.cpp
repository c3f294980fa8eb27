// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/runreport.h"

#include "app/commandline/jsonvalues.h"
#include "app/run/adviceoutput.h"
#include "app/run/cameraoutput.h"

namespace jetscope {

namespace {

/// Of several cameras the faults of each are with it.
void addCounts(JsonObject &object, const std::optional<PipelineCounts> &counts, bool hasFaults)
{
    if (!counts) {
        for (const char *key : {"emulation_bytes", "dropped", "source_faults", "lost_frames"})
            object[key] = JsonValue();
        return;
    }
    object["emulation_bytes"] = counts->emulationBytes;
    object["dropped"] = counts->dropped;
    object["source_faults"] = hasFaults ? JsonValue(sourceFaultsJson(counts->faults)) : JsonValue();
    object["lost_frames"] = lossCountsJson(counts->lost);
}

JsonValue percentiles(const Percentiles &values)
{
    return JsonObject{
        {"p50", jsonNumber(values.p50)}, {"p95", jsonNumber(values.p95)}, {"p99", jsonNumber(values.p99)}};
}

/// Percentiles, or a value with its bounds, or the reason why there is none.
void addFigures(JsonObject &object, const RunFigures &figures)
{
    for (const FigureRow &row : figureTable()) {
        if (row.key.empty() || (!row.ofRun && !row.ofFrame))
            continue;
        const FigureReading reading = readingOf(figures, row.figure);
        const std::string key(row.key);
        object[key] = jsonNumberOrNull(reading.value);
        if (row.percentiles)
            object[key] = figures.frames > 0 ? percentiles(figures.*row.percentiles) : JsonValue();
        if (reading.least || row.leastOfFrame)
            object[std::string(row.leastKey)] = jsonNumberOrNull(reading.least);
        if (reading.most)
            object[std::string(row.mostKey)] = jsonNumberOrNull(reading.most);
        if (!reading.reason.empty())
            object[key + "_reason"] = reading.reason;
    }
}

JsonObject streamJson(const StreamCounts &counts)
{
    return {{"returned", counts.returned}, {"timeouts", counts.timeouts}, {"repeats", counts.repeats}};
}

/// The unexplained share is a normal entry; null if the path is unknown.
JsonValue pathJson(const PathSummary &path)
{
    if (path.empty())
        return JsonValue();
    JsonArray array;
    for (const PathShare &share : path.shares)
        array.push_back(JsonObject{{"what", share.what},
                                   {"lane", jsonTextOrNull(share.lane)},
                                   {"ms", jsonNumber(share.ms)},
                                   {"share", jsonNumber(share.share)}});
    return array;
}

JsonObject endsJson(const std::vector<CounterEnds> &counters)
{
    JsonObject object;
    for (const CounterEnds &ends : counters)
        object[std::string(ends.name)] = JsonObject{{"begin", jsonNumberOrNull(ends.begin)},
                                                    {"end", jsonNumberOrNull(ends.end)},
                                                    {"low", jsonNumberOrNull(ends.low)},
                                                    {"high", jsonNumberOrNull(ends.high)}};
    return object;
}

JsonValue flagOrNull(const std::optional<bool> &flag)
{
    return flag ? JsonValue(*flag) : JsonValue();
}

JsonObject machineJson(const RunReport &report, const SegmentReport &segment)
{
    const MachineSpan &machine = segment.machine;
    return {
        {"power_mode", jsonTextOrNull(report.powerMode)},
        {"clocks_locked", flagOrNull(machine.clocksLocked)},
        {"clocks_hz", endsJson(machine.clocks)},
        {"temperatures_c", endsJson(machine.temperatures)},
        {"throttled", flagOrNull(machine.limited)},
        {"throttled_by", jsonTextOrNull(machine.limits)},
        {"change", jsonTextOrNull(machineChangeWords(machine))},
    };
}

void addEnergy(JsonObject &object, const SegmentReport &segment)
{
    object["energy_mj_per_frame"] = jsonNumberOrNull(segment.energyMj.value);
    object["energy_source"] = jsonTextOrNull(segment.machine.energy.source);
    if (!segment.energyMj.known())
        object["energy_reason"] = segment.energyMj.reason;
}

JsonObject segmentJson(const RunReport &report, const SegmentReport &segment)
{
    PipelineConfig inForce = segment.config;
    inForce.wait = segment.wait;
    inForce.gpuTime = segment.gpuTime;
    JsonObject object = settingsJson(inForce);
    object["device"] = report.device;
    object["source"] = report.source;
    object["frames"] = segment.frames;
    object["copies_to_gpu"] = segment.copies.size();
    object["copies"] = segment.copies;
    object["source_trouble"] = jsonTextOrNull(segment.trouble);
    object["path"] = pathJson(segment.path);
    object["verdict"] = segment.verdict;
    object["ended"] = segment.ended;
    object["camera"] = segment.camera ? JsonValue(*segment.camera + 1) : JsonValue();
    addCounts(object, segment.counts, !segment.camera);
    addEnergy(object, segment);
    object["machine"] = machineJson(report, segment);
    if (segment.inputStream)
        object["eglstream_input"] = streamJson(*segment.inputStream);
    if (segment.stream)
        object["eglstream"] = streamJson(*segment.stream);
    addFigures(object, segment.figures);
    return object;
}

JsonObject hazardJson(const HazardRow &row)
{
    return {
        {"rule", row.rule},
        {"level", nameOf(row.level)},
        {"first_frame", row.firstFrame},
        {"last_frame", row.lastFrame},
        {"count", row.count},
        {"buffer", jsonTextOrNull(row.buffer)},
        {"text", row.text},
        {"a", jsonTextOrNull(row.a)},
        {"b", jsonTextOrNull(row.b)},
        {"fix", jsonTextOrNull(row.fix)},
    };
}

JsonValue traceCostJson(const std::optional<TraceCost> &cost)
{
    if (!cost)
        return JsonValue();
    return JsonObject{
        {"frame_ratio", jsonNumber(cost->frameRatio)}, {"noise", jsonNumber(cost->noise)}, {"turns", cost->turns}};
}

} // namespace

JsonObject runJson(const RunReport &report, const Options &options)
{
    JsonObject object = segmentJson(report, report.whole);
    object["stream"] = streamFactsJson(report.stream);
    object["source_remark"] = jsonTextOrNull(report.remark);
    object["lost"] = lostFramesJson(report.lost);
    object["cameras"] = report.cameras ? JsonValue(camerasJson(*report.cameras)) : JsonValue();
    object["gpu_time"] = nameOf(report.gpuTime);
    object["gpu_time_unseen_ns"] = report.gpuTimeUnseenNs;
    object["gpu_time_reason"] = jsonTextOrNull(report.gpuTimeReason);
    object["trace_cost"] = traceCostJson(report.traceCost);
    if (report.missedSpans > 0)
        object["missed_spans"] = report.missedSpans;
    object["advice"] = adviceJson(report.advice);
    if (!report.adviceTrouble.empty())
        object["advice_trouble"] = report.adviceTrouble;
    if (options.checksum)
        object["checksum"] = jsonTextOrNull(report.checksum);
    if (options.hazards) {
        JsonArray hazards;
        for (const HazardRow &row : report.hazards)
            hazards.push_back(hazardJson(row));
        object["hazards"] = hazards;
        object["hazard_rules"] = coverageJson(report.rules);
    }
    if (!options.at.empty()) {
        JsonArray segments;
        for (const SegmentReport &segment : report.segments)
            segments.push_back(segmentJson(report, segment));
        object["segments"] = segments;
    }
    return object;
}

} // namespace jetscope
