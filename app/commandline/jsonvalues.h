// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/sources/streamfacts.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A JSON string; invalid UTF-8 (possible in file names) becomes replacement characters.
inline QJsonValue jsonText(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

inline QJsonValue jsonTextOrNull(std::string_view utf8)
{
    return utf8.empty() ? QJsonValue(QJsonValue::Null) : jsonText(utf8);
}

/// Null if unknown or not finite.
inline QJsonValue jsonNumber(std::optional<double> value)
{
    return value && std::isfinite(*value) ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

inline QJsonArray jsonTexts(const std::vector<std::string> &texts)
{
    QJsonArray array;
    for (const std::string &text : texts)
        array.append(jsonText(text));
    return array;
}

inline QJsonValue jsonCount(std::uint64_t value)
{
    return QJsonValue(static_cast<qint64>(value));
}

/// Rounded to millionths; null if it is not finite.
inline QJsonValue jsonNumber(double value)
{
    return std::isfinite(value) ? QJsonValue(std::round(value * 1e6) / 1e6) : QJsonValue(QJsonValue::Null);
}

/// How many rules for shared memory are checked on a device: `{checked, cannot_check, does_not_apply}`.
inline QJsonObject coverageJson(const CoverageCounts &counts)
{
    return {{"checked", counts.checked}, {"cannot_check", counts.cannotCheck}, {"does_not_apply", counts.doesNotApply}};
}

/// The object in one line.
std::string jsonLine(const QJsonObject &object);

/// Every setting under its column (core/settings/settingtable.h): counts are numbers, all others texts.
QJsonObject settingsJson(const PipelineConfig &config);

/// Each known fact in words by its key, and the numbers among them.
QJsonObject streamFactsJson(const StreamFacts &facts);
QJsonObject sourceFaultsJson(const SourceFaults &faults);

} // namespace jetscope
