// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/runreport.h"

#include "app/commandline/jsonvalues.h"
#include "app/run/adviceoutput.h"

#include <QJsonArray>

namespace jetscope {

namespace {

void addCounts(QJsonObject &object, const std::optional<PipelineCounts> &counts)
{
    if (!counts) {
        for (const char *key : {"emulation_bytes", "dropped", "source_faults"})
            object[key] = QJsonValue(QJsonValue::Null);
        return;
    }
    object["emulation_bytes"] = jsonCount(counts->emulationBytes);
    object["dropped"] = jsonCount(counts->dropped);
    object["source_faults"] = sourceFaultsJson(counts->faults);
}

QJsonValue percentiles(const Percentiles &values)
{
    return QJsonObject{
        {"p50", jsonNumber(values.p50)}, {"p95", jsonNumber(values.p95)}, {"p99", jsonNumber(values.p99)}};
}

QJsonValue figureOrNull(const std::optional<double> &value)
{
    return value ? jsonNumber(*value) : QJsonValue(QJsonValue::Null);
}

/// Percentiles, or a value with its bounds, or the reason why there is none.
void addFigures(QJsonObject &object, const RunFigures &figures)
{
    for (const FigureRow &row : figureTable()) {
        if (row.key.empty() || (!row.ofRun && !row.ofFrame))
            continue;
        const FigureReading reading = readingOf(figures, row.figure);
        const QString key = jsonText(row.key).toString();
        object[key] = figureOrNull(reading.value);
        if (row.percentiles)
            object[key] = figures.frames > 0 ? percentiles(figures.*row.percentiles) : QJsonValue(QJsonValue::Null);
        if (reading.least || row.leastOfFrame)
            object[jsonText(row.leastKey).toString()] = figureOrNull(reading.least);
        if (reading.most)
            object[jsonText(row.mostKey).toString()] = figureOrNull(reading.most);
        if (!reading.reason.empty())
            object[key + "_reason"] = jsonText(reading.reason);
    }
}

QJsonObject streamJson(const StreamCounts &counts)
{
    return {{"returned", jsonCount(counts.returned)},
            {"timeouts", jsonCount(counts.timeouts)},
            {"repeats", jsonCount(counts.repeats)}};
}

/// The unexplained share is a normal entry; null if the path is unknown.
QJsonValue pathJson(const PathSummary &path)
{
    if (path.empty())
        return QJsonValue(QJsonValue::Null);
    QJsonArray array;
    for (const PathShare &share : path.shares)
        array.append(QJsonObject{{"what", jsonText(share.what)},
                                 {"lane", jsonTextOrNull(share.lane)},
                                 {"ms", jsonNumber(share.ms)},
                                 {"share", jsonNumber(share.share)}});
    return array;
}

QJsonObject endsJson(const std::vector<CounterEnds> &counters)
{
    QJsonObject object;
    for (const CounterEnds &ends : counters)
        object[jsonText(ends.name).toString()] = QJsonObject{{"begin", figureOrNull(ends.begin)},
                                                             {"end", figureOrNull(ends.end)},
                                                             {"low", figureOrNull(ends.low)},
                                                             {"high", figureOrNull(ends.high)}};
    return object;
}

QJsonValue flagOrNull(const std::optional<bool> &flag)
{
    return flag ? QJsonValue(*flag) : QJsonValue(QJsonValue::Null);
}

QJsonObject machineJson(const RunReport &report, const SegmentReport &segment)
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

void addEnergy(QJsonObject &object, const SegmentReport &segment)
{
    object["energy_mj_per_frame"] = figureOrNull(segment.energyMj.value);
    object["energy_source"] = jsonTextOrNull(segment.machine.energy.source);
    if (!segment.energyMj.known())
        object["energy_reason"] = jsonText(segment.energyMj.reason);
}

QJsonObject segmentJson(const RunReport &report, const SegmentReport &segment)
{
    PipelineConfig inForce = segment.config;
    inForce.wait = segment.wait;
    inForce.gpuTime = segment.gpuTime;
    QJsonObject object = settingsJson(inForce);
    object["device"] = jsonText(report.device);
    object["source"] = jsonText(report.source);
    object["frames"] = jsonCount(segment.frames);
    object["copies_to_gpu"] = jsonCount(segment.copies.size());
    object["copies"] = jsonTexts(segment.copies);
    object["source_trouble"] = jsonTextOrNull(segment.trouble);
    object["path"] = pathJson(segment.path);
    object["verdict"] = jsonText(segment.verdict);
    object["ended"] = jsonText(segment.ended);
    addCounts(object, segment.counts);
    addEnergy(object, segment);
    object["machine"] = machineJson(report, segment);
    if (segment.inputStream)
        object["eglstream_input"] = streamJson(*segment.inputStream);
    if (segment.stream)
        object["eglstream"] = streamJson(*segment.stream);
    addFigures(object, segment.figures);
    return object;
}

QJsonObject hazardJson(const HazardRow &row)
{
    return {
        {"rule", jsonText(row.rule)},
        {"level", jsonText(nameOf(row.level))},
        {"first_frame", jsonCount(row.firstFrame)},
        {"last_frame", jsonCount(row.lastFrame)},
        {"count", jsonCount(row.count)},
        {"buffer", jsonTextOrNull(row.buffer)},
        {"text", jsonText(row.text)},
        {"a", jsonTextOrNull(row.a)},
        {"b", jsonTextOrNull(row.b)},
        {"fix", jsonTextOrNull(row.fix)},
    };
}

QJsonValue traceCostJson(const std::optional<TraceCost> &cost)
{
    if (!cost)
        return QJsonValue::Null;
    return QJsonObject{{"frame_ratio", jsonNumber(cost->frameRatio)},
                       {"noise", jsonNumber(cost->noise)},
                       {"turns", jsonCount(cost->turns)}};
}

} // namespace

QJsonObject runJson(const RunReport &report, const Options &options)
{
    QJsonObject object = segmentJson(report, report.whole);
    object["stream"] = streamFactsJson(report.stream);
    object["source_remark"] = jsonTextOrNull(report.remark);
    object["gpu_time"] = jsonText(nameOf(report.gpuTime));
    object["gpu_time_unseen_ns"] = static_cast<qint64>(report.gpuTimeUnseenNs);
    object["gpu_time_reason"] = jsonTextOrNull(report.gpuTimeReason);
    object["trace_cost"] = traceCostJson(report.traceCost);
    if (report.missedSpans > 0)
        object["missed_spans"] = jsonCount(report.missedSpans);
    object["advice"] = adviceJson(report.advice);
    if (!report.adviceTrouble.empty())
        object["advice_trouble"] = jsonText(report.adviceTrouble);
    if (options.checksum)
        object["checksum"] = jsonTextOrNull(report.checksum);
    if (options.hazards) {
        QJsonArray hazards;
        for (const HazardRow &row : report.hazards)
            hazards.append(hazardJson(row));
        object["hazards"] = hazards;
        object["hazard_rules"] = coverageJson(report.rules);
    }
    if (!options.at.empty()) {
        QJsonArray segments;
        for (const SegmentReport &segment : report.segments)
            segments.append(segmentJson(report, segment));
        object["segments"] = segments;
    }
    return object;
}

} // namespace jetscope
