// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/board/topjson.h"

#include "app/commandline/jsonvalues.h"
#include "core/board/boardwords.h"

#include <QJsonArray>

namespace jetscope {

QJsonObject topJson(const BoardIdentity &identity, const BoardLayout &layout, const BoardState &state,
                    std::int64_t unixNs)
{
    QJsonObject values;
    for (std::size_t i = 0; i < layout.items.size(); ++i) {
        const BoardItem &item = layout.items[i];
        const Reading<double> &reading = state.values[i];
        QJsonObject value{{"part", jsonText(partName(item.part))}, {"unit", jsonTextOrNull(item.unit)}};
        value["value"] = reading.known() ? QJsonValue(*reading.value) : QJsonValue(QJsonValue::Null);
        if (!reading.known())
            value["reason"] = jsonText(reading.reason);
        values[jsonText(item.name).toString()] = value;
    }
    QJsonArray limits;
    for (const std::string &limit : state.limits)
        limits.append(jsonText(limit));
    const auto text = [](const Reading<std::string> &reading) { return jsonTextOrNull(reading.value.value_or("")); };
    return {
        {"time", static_cast<double>(unixNs) / 1e9},
        {"model", text(identity.model)},
        {"module", text(identity.module)},
        {"l4t", jsonTextOrNull(identity.l4t.known() ? identity.l4t.value->text() : std::string())},
        {"jetpack", text(identity.jetpack)},
        {"power_mode", jsonTextOrNull(state.powerMode)},
        {"limits", limits},
        {"values", values},
    };
}

} // namespace jetscope
