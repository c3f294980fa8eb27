// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/sweepjson.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/settingsjson.h"
#include "core/measure/sweep/sweepsummary.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

QJsonValue number(double value)
{
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue(QJsonValue::Null);
}

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
        metrics[key] = QJsonObject{{"central", number(summary->central)},     {"noise", number(summary->noise)},
                                   {"p50", number(summary->percentiles.p50)}, {"p95", number(summary->percentiles.p95)},
                                   {"p99", number(summary->percentiles.p99)}, {"unit", jsonText(unitName(row.unit))}};
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
    const auto state = sweep.remarks.find("state");
    return {{"device", jsonText(sweep.conditions.deviceName)},
            {"device_id", jsonText(sweep.conditions.deviceId)},
            {"source", jsonText(sweep.conditions.source)},
            {"paced", sweep.conditions.paced},
            {"seed", static_cast<qint64>(sweep.conditions.seed)},
            {"rounds", static_cast<qint64>(summary.rounds)},
            {"complete", state != sweep.remarks.end() && state->second == "complete"},
            {"verdict", jsonText(sweepWords(summary))},
            {"no_verdict", jsonTextOrNull(summary.noVerdict)},
            {"cells", cells},
            {"left_out", leftOut}};
}

} // namespace jetscope
