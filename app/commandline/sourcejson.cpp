// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/sourcejson.h"

#include "app/commandline/jsonvalues.h"

namespace jetscope {

namespace {

QJsonValue aboveZeroOrNull(double value)
{
    return value > 0 ? QJsonValue(value) : QJsonValue(QJsonValue::Null);
}

} // namespace

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
