// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/comparefiles.h"

#include "app/commandline/jsonvalues.h"
#include "core/settings/settingtable.h"
#include "core/tracefile/tracefileschema.h"

namespace jetscope {

namespace {

QJsonObject figureJson(const ComparedFigure &figure)
{
    const Difference &difference = figure.difference;
    return {{"a", jsonNumber(figure.a)},
            {"b", jsonNumber(figure.b)},
            {"change", jsonNumber(figure.isStated() ? std::optional(figure.change()) : std::nullopt)},
            {"estimate", jsonNumber(difference.difference.value)},
            {"at_least", jsonNumber(difference.difference.atLeast)},
            {"at_most", jsonNumber(difference.difference.atMost)},
            {"verdict", jsonText(verdictName(figure.verdict))}};
}

/// A capture does not have how it was to be measured, and a trace of another program has no settings.
QJsonValue choicesOfCapture(const CaptureFigures &capture)
{
    if (!capture.origin.config)
        return QJsonValue::Null;
    QJsonObject choices = settingsJson(*capture.origin.config);
    for (const SettingRow &row : settingTable())
        if (row.isOfMeasurement)
            choices[QString::fromStdString(row.column())] = QJsonValue::Null;
    return choices;
}

QJsonArray filesJson(const std::vector<CaptureFigures> &side)
{
    QJsonArray files;
    for (const CaptureFigures &capture : side)
        files.append(QJsonObject{{"file", jsonText(capture.file)},
                                 {"device", jsonTextOrNull(capture.origin.device)},
                                 {"source", jsonTextOrNull(capture.origin.source)},
                                 {"frame_size", jsonTextOrNull(capture.frameSize)},
                                 {"choices", choicesOfCapture(capture)},
                                 {"frames", static_cast<qint64>(capture.frames)},
                                 {"energy_reason", jsonTextOrNull(capture.energyReason)}});
    return files;
}

QJsonArray metricsJson(const CaptureComparison &comparison)
{
    QJsonArray metrics;
    for (const ComparedMetric &metric : comparison.metrics) {
        QJsonObject object = figureJson(metric.figure);
        object["name"] = jsonText(rowOf(metric.metric).name);
        object["unit"] = jsonText(unitName(rowOf(metric.metric).unit));
        metrics.append(object);
    }
    return metrics;
}

QJsonArray pathJson(const CaptureComparison &comparison)
{
    QJsonArray path;
    for (const ComparedPiece &piece : comparison.path) {
        QJsonObject object = figureJson(piece.ms);
        object["what"] = jsonText(piece.kind.what);
        object["role"] = jsonText(laneRoleName(piece.kind.role));
        path.append(object);
    }
    return path;
}

QJsonArray spansJson(const CaptureComparison &comparison)
{
    QJsonArray spans;
    for (const ComparedSpans &row : comparison.spans)
        spans.append(QJsonObject{{"name", jsonText(row.kind.name)},
                                 {"category", jsonText(categoryName(row.kind.category))},
                                 {"role", jsonText(laneRoleName(row.kind.role))},
                                 {"total_ms", figureJson(row.totalMs)},
                                 {"median_ms", figureJson(row.medianMs)}});
    return spans;
}

} // namespace

QJsonObject compareJson(const ComparedCaptures &captures, const CaptureComparison &comparison)
{
    return {{"kind", "captures"},
            {"a", filesJson(captures.a)},
            {"b", filesJson(captures.b)},
            {"summary", jsonText(comparisonWords(comparison))},
            {"no_verdict", jsonTextOrNull(comparison.noVerdict)},
            {"other_work", jsonTextOrNull(comparison.otherWork)},
            {"settings", jsonTextOrNull(comparison.settings)},
            {"run_to_run_noise", comparison.betweenRuns},
            {"per", comparison.perFrame ? "frame" : "second"},
            {"metrics", metricsJson(comparison)},
            {"path", pathJson(comparison)},
            {"spans", spansJson(comparison)},
            {"spans_left_out", static_cast<qint64>(comparison.spansLeftOut)},
            {"notes", jsonTexts(captures.notes)}};
}

QJsonObject compareJson(const Options &options, const SweepComparison &comparison)
{
    QJsonArray cells;
    for (const ComparedCell &cell : comparison.cells) {
        QJsonObject object = figureJson(cell.figure);
        object["settings"] = jsonText(cell.words);
        object["choices"] = settingsJson(cell.cell.config);
        object["cell_a"] = static_cast<qint64>(cell.cellA);
        object["cell_b"] = static_cast<qint64>(cell.cellB);
        object["failure"] = jsonTextOrNull(cell.failure);
        cells.append(object);
    }
    return {{"kind", "sweeps"},
            {"a", jsonTexts(options.compare.a)},
            {"b", jsonTexts(options.compare.b)},
            {"summary", jsonText(comparisonWords(comparison))},
            {"no_verdict", jsonTextOrNull(comparison.noVerdict)},
            {"other_work", jsonTextOrNull(comparison.otherWork)},
            {"metric", jsonText(rowOf(comparison.metric).name)},
            {"unit", jsonText(unitName(rowOf(comparison.metric).unit))},
            {"cells", cells},
            {"only_a", jsonTexts(comparison.onlyA)},
            {"only_b", jsonTexts(comparison.onlyB)}};
}

} // namespace jetscope
