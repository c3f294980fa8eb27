// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/sourcejson.h"

#include "app/jsonvalues.h"

namespace jetscope {

namespace {

QJsonValue aboveZeroOrNull(double value)
{
    return value > 0 ? QJsonValue(value) : QJsonValue(QJsonValue::Null);
}

QJsonValue count(std::uint64_t value)
{
    return QJsonValue(static_cast<qint64>(value));
}

} // namespace

QJsonObject streamFactsJson(const StreamFacts &facts)
{
    QJsonObject object;
    for (const StreamFactRow &row : streamFactRows(facts))
        object[jsonText(row.key).toString()] = jsonText(row.text);
    object["width"] = aboveZeroOrNull(facts.width);
    object["height"] = aboveZeroOrNull(facts.height);
    object["claimed_fps"] = aboveZeroOrNull(facts.claimedFps);
    object["measured_fps"] = aboveZeroOrNull(facts.measuredFps);
    return object;
}

QJsonObject sourceFaultsJson(const SourceFaults &faults)
{
    return {{"missed", count(faults.missed)},
            {"damaged", count(faults.damaged)},
            {"torn", count(faults.torn)},
            {"repeated", count(faults.repeated)},
            {"odd_timestamps", count(faults.oddStamps)},
            {"gaps", count(faults.gaps)}};
}

} // namespace jetscope
