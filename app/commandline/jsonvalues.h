// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/hazards/rules.h"
#include "core/recording/lostframes.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/sources/streamfacts.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

inline JsonValue jsonTextOrNull(std::string_view utf8)
{
    return utf8.empty() ? JsonValue() : JsonValue(utf8);
}

/// Null if unknown; not rounded.
inline JsonValue jsonNumber(std::optional<double> value)
{
    return value ? JsonValue(*value) : JsonValue();
}

/// Rounded to millionths.
inline JsonValue jsonNumber(double value)
{
    return JsonValue(std::round(value * 1e6) / 1e6);
}

/// The same; null if unknown.
inline JsonValue jsonNumberOrNull(const std::optional<double> &value)
{
    return value ? jsonNumber(*value) : JsonValue();
}

/// How many rules for shared memory are checked on a device: `{checked, cannot_check, does_not_apply}`.
inline JsonObject coverageJson(const CoverageCounts &counts)
{
    return {{"checked", counts.checked}, {"cannot_check", counts.cannotCheck}, {"does_not_apply", counts.doesNotApply}};
}

/// The object in one line: invalid UTF-8 (possible in file names) becomes replacement characters, a number that is not
/// finite becomes null, and whole numbers have no fraction (1, not 1.0).
std::string jsonLine(JsonObject object);

/// Every setting under its column (core/settings/settingtable.h): counts are numbers, all others texts.
JsonObject settingsJson(const PipelineConfig &config);

/// Each known fact in words by its key, and the numbers among them.
JsonObject streamFactsJson(const StreamFacts &facts);
JsonObject sourceFaultsJson(const SourceFaults &faults);
/// Frames that are missing: "frames", and how many by each cause that there is.
JsonObject lossCountsJson(const LossCounts &counts);
/// Which, and why.
JsonValue lostFramesJson(const std::vector<LostFrames> &lost);

} // namespace jetscope
