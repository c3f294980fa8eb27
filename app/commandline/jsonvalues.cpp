// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/jsonvalues.h"

#include "core/settings/settingtable.h"
#include "core/text/parsenumber.h"

#include <cstdint>
#include <utility>

namespace jetscope {

namespace {

JsonValue aboveZeroOrNull(double value)
{
    return value > 0 ? JsonValue(value) : JsonValue();
}

/// The library prints 1.0 of a double.
void makeWholeNumbersIntegers(JsonValue &value)
{
    constexpr double kEndOfInt64 = 0x1p63;
    if (value.is_structured()) {
        for (JsonValue &part : value)
            makeWholeNumbersIntegers(part);
    } else if (value.is_number_float()) {
        const auto number = value.get<double>();
        if (std::trunc(number) == number && std::abs(number) < kEndOfInt64)
            value = static_cast<std::int64_t>(number);
    }
}

} // namespace

std::string jsonLine(JsonObject object)
{
    JsonValue whole = std::move(object);
    makeWholeNumbersIntegers(whole);
    return whole.dump(-1, ' ', false, JsonValue::error_handler_t::replace) + "\n";
}

JsonObject settingsJson(const PipelineConfig &config)
{
    JsonObject object;
    for (const SettingRow &row : settingTable()) {
        const std::string text = row.text(config);
        object[row.column()] =
            row.kind == SettingRow::Kind::Count ? JsonValue(parseNumber<int>(text).value_or(0)) : JsonValue(text);
    }
    return object;
}

JsonObject streamFactsJson(const StreamFacts &facts)
{
    JsonObject object;
    for (const StreamFactRow &row : streamFactRows(facts))
        object[row.key] = row.text;
    object["width"] = aboveZeroOrNull(facts.width);
    object["height"] = aboveZeroOrNull(facts.height);
    object["claimed_fps"] = aboveZeroOrNull(facts.isRateAssumed ? 0 : facts.claimedFps);
    object["measured_fps"] = aboveZeroOrNull(facts.measuredFps);
    return object;
}

JsonObject sourceFaultsJson(const SourceFaults &faults)
{
    return {{"missed", faults.missed},     {"damaged", faults.damaged},          {"torn", faults.torn},
            {"repeated", faults.repeated}, {"odd_timestamps", faults.oddStamps}, {"gaps", faults.gaps}};
}

JsonObject lossCountsJson(const LossCounts &counts)
{
    JsonObject causes;
    for (const LossCauseRow &row : kLossCauses)
        if (counts[row.cause] > 0)
            causes[std::string(row.key)] = counts[row.cause];
    return {{"frames", counts.sum()}, {"causes", causes}};
}

JsonValue lostFramesJson(const std::vector<LostFrames> &lost)
{
    JsonArray rows;
    for (const LostFrames &each : lost)
        rows.push_back(JsonObject{{"first", each.first},
                                  {"frames", each.count},
                                  {"cause", rowOf(each.cause).key},
                                  {"time_ns", each.timeNs},
                                  {"evidence", each.evidence}});
    return rows;
}

} // namespace jetscope
