// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/comparefiles.h"

#include "app/commandline/jsonvalues.h"
#include "core/settings/settingtable.h"
#include "core/tracefile/tracefileschema.h"

namespace jetscope {

namespace {

JsonObject figureJson(const ComparedFigure &figure)
{
    const Difference &difference = figure.difference;
    return {{"a", jsonNumber(figure.a)},
            {"b", jsonNumber(figure.b)},
            {"change", jsonNumber(figure.isStated() ? std::optional(figure.change()) : std::nullopt)},
            {"estimate", jsonNumber(difference.difference.value)},
            {"at_least", jsonNumber(difference.difference.atLeast)},
            {"at_most", jsonNumber(difference.difference.atMost)},
            {"verdict", verdictName(figure.verdict)}};
}

/// A capture does not have how it was to be measured, and a trace of another program has no settings.
JsonValue choicesOfCapture(const CaptureFigures &capture)
{
    if (!capture.origin.config)
        return JsonValue();
    JsonObject choices = settingsJson(*capture.origin.config);
    for (const SettingRow &row : settingTable())
        if (row.isOfMeasurement)
            choices[row.column()] = JsonValue();
    return choices;
}

JsonArray filesJson(const std::vector<CaptureFigures> &side)
{
    JsonArray files;
    for (const CaptureFigures &capture : side)
        files.push_back(JsonObject{{"file", capture.file},
                                   {"device", jsonTextOrNull(capture.origin.device)},
                                   {"source", jsonTextOrNull(capture.origin.source)},
                                   {"frame_size", jsonTextOrNull(capture.frameSize)},
                                   {"choices", choicesOfCapture(capture)},
                                   {"frames", capture.frames},
                                   {"energy_reason", jsonTextOrNull(capture.energyReason)}});
    return files;
}

JsonArray metricsJson(const CaptureComparison &comparison)
{
    JsonArray metrics;
    for (const ComparedMetric &metric : comparison.metrics) {
        JsonObject object = figureJson(metric.figure);
        object["name"] = rowOf(metric.metric).name;
        object["unit"] = unitName(rowOf(metric.metric).unit);
        metrics.push_back(object);
    }
    return metrics;
}

JsonArray pathJson(const CaptureComparison &comparison)
{
    JsonArray path;
    for (const ComparedPiece &piece : comparison.path) {
        JsonObject object = figureJson(piece.ms);
        object["what"] = piece.kind.what;
        object["role"] = laneRoleName(piece.kind.role);
        path.push_back(object);
    }
    return path;
}

JsonArray spansJson(const CaptureComparison &comparison)
{
    JsonArray spans;
    for (const ComparedSpans &row : comparison.spans)
        spans.push_back(JsonObject{{"name", row.kind.name},
                                   {"category", categoryName(row.kind.category)},
                                   {"role", laneRoleName(row.kind.role)},
                                   {"total_ms", figureJson(row.totalMs)},
                                   {"median_ms", figureJson(row.medianMs)}});
    return spans;
}

} // namespace

JsonObject compareJson(const ComparedCaptures &captures, const CaptureComparison &comparison)
{
    return {{"kind", "captures"},
            {"a", filesJson(captures.a)},
            {"b", filesJson(captures.b)},
            {"summary", comparisonWords(comparison)},
            {"no_verdict", jsonTextOrNull(comparison.noVerdict)},
            {"other_work", jsonTextOrNull(comparison.otherWork)},
            {"settings", jsonTextOrNull(comparison.settings)},
            {"run_to_run_noise", comparison.betweenRuns},
            {"per", comparison.perFrame ? "frame" : "second"},
            {"metrics", metricsJson(comparison)},
            {"path", pathJson(comparison)},
            {"spans", spansJson(comparison)},
            {"spans_left_out", comparison.spansLeftOut},
            {"notes", captures.notes}};
}

JsonObject compareJson(const Options &options, const SweepComparison &comparison)
{
    JsonArray cells;
    for (const ComparedCell &cell : comparison.cells) {
        JsonObject object = figureJson(cell.figure);
        object["settings"] = cell.words;
        object["choices"] = settingsJson(cell.cell.config);
        object["cell_a"] = cell.cellA;
        object["cell_b"] = cell.cellB;
        object["failure"] = jsonTextOrNull(cell.failure);
        cells.push_back(object);
    }
    return {{"kind", "sweeps"},
            {"a", options.compare.a},
            {"b", options.compare.b},
            {"summary", comparisonWords(comparison)},
            {"no_verdict", jsonTextOrNull(comparison.noVerdict)},
            {"other_work", jsonTextOrNull(comparison.otherWork)},
            {"metric", rowOf(comparison.metric).name},
            {"unit", unitName(rowOf(comparison.metric).unit)},
            {"cells", cells},
            {"only_a", comparison.onlyA},
            {"only_b", comparison.onlyB}};
}

} // namespace jetscope
