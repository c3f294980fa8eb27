// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/sweepjson.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/settingsjson.h"
#include "core/measure/sweep/sweepsummary.h"

namespace jetscope {

namespace {

QJsonObject metricsJson(const StoredSweep &sweep, std::size_t cell)
{
    QJsonObject metrics;
    for (const Figure figure : sweepFigures()) {
        const FigureRow &row = rowOf(figure);
        QString key = jsonText(row.name).toString();
        key.replace(u'-', u'_');
        const std::optional<Summary> summary = sweep.result.summary(cell, figure);
        if (!summary) {
            metrics[key] = QJsonValue(QJsonValue::Null);
            continue;
        }
        metrics[key] =
            QJsonObject{{"central", jsonNumber(summary->central)},     {"noise", jsonNumber(summary->noise)},
                        {"p50", jsonNumber(summary->percentiles.p50)}, {"p95", jsonNumber(summary->percentiles.p95)},
                        {"p99", jsonNumber(summary->percentiles.p99)}, {"unit", jsonText(unitName(row.unit))}};
    }
    return metrics;
}

QJsonObject cellJson(const StoredSweep &sweep, const SweepRow &row)
{
    const SweepCell &cell = sweep.plan.cells[row.cell];
    QJsonObject object = settingsJson(cell.config);
    object["width"] = cell.width;
    object["height"] = cell.height;
    object["cell"] = static_cast<qint64>(row.cell);
    object["rounds"] = static_cast<qint64>(sweep.result.roundsOf(row.cell));
    object["best"] = row.isBest;
    object["tie"] = row.isTie;
    object["failure"] = jsonTextOrNull(row.failure);
    object["hazards"] = static_cast<qint64>(row.hazards);
    object["metrics"] = metricsJson(sweep, row.cell);
    return object;
}

} // namespace

QJsonObject sweepJson(const StoredSweep &sweep)
{
    const SweepSummary summary = summariseSweep(sweep);
    QJsonArray cells;
    for (const SweepRow &row : summary.rows)
        cells.append(cellJson(sweep, row));
    QJsonArray leftOut;
    for (const LeftOutReason &reason : sweep.plan.reasons())
        leftOut.append(
            QJsonObject{{"reason", jsonText(reason.reason)}, {"combinations", static_cast<qint64>(reason.cells)}});
    return {{"device", jsonText(sweep.conditions.deviceName)},
            {"device_id", jsonText(sweep.conditions.deviceId)},
            {"source", jsonText(sweep.conditions.source)},
            {"paced", sweep.conditions.paced},
            {"seed", static_cast<qint64>(sweep.conditions.seed)},
            {"rounds", static_cast<qint64>(summary.rounds)},
            {"complete", sweep.isComplete()},
            {"verdict", jsonText(sweepWords(summary))},
            {"no_verdict", jsonTextOrNull(summary.noVerdict)},
            {"cells", cells},
            {"left_out", leftOut}};
}

} // namespace jetscope
