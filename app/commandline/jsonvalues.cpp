// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/jsonvalues.h"

#include "core/settings/settingtable.h"

#include <QJsonDocument>

namespace jetscope {

namespace {

QJsonValue aboveZeroOrNull(double value)
{
    return value > 0 ? QJsonValue(value) : QJsonValue(QJsonValue::Null);
}

} // namespace

std::string jsonLine(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString() + "\n";
}

QJsonObject settingsJson(const PipelineConfig &config)
{
    QJsonObject object;
    for (const SettingRow &row : settingTable()) {
        const QJsonValue text = jsonText(row.text(config));
        object[QString::fromStdString(row.column())] =
            row.kind == SettingRow::Kind::Count ? QJsonValue(text.toString().toInt()) : text;
    }
    return object;
}

QJsonObject streamFactsJson(const StreamFacts &facts)
{
    QJsonObject object;
    for (const StreamFactRow &row : streamFactRows(facts))
        object[jsonText(row.key).toString()] = jsonText(row.text);
    object["width"] = aboveZeroOrNull(facts.width);
    object["height"] = aboveZeroOrNull(facts.height);
    object["claimed_fps"] = aboveZeroOrNull(facts.isRateAssumed ? 0 : facts.claimedFps);
    object["measured_fps"] = aboveZeroOrNull(facts.measuredFps);
    return object;
}

QJsonObject sourceFaultsJson(const SourceFaults &faults)
{
    return {{"missed", jsonCount(faults.missed)},
            {"damaged", jsonCount(faults.damaged)},
            {"torn", jsonCount(faults.torn)},
            {"repeated", jsonCount(faults.repeated)},
            {"odd_timestamps", jsonCount(faults.oddStamps)},
            {"gaps", jsonCount(faults.gaps)}};
}

} // namespace jetscope
