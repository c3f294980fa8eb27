// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/settingsjson.h"

#include "app/commandline/jsonvalues.h"
#include "core/settings/settingtable.h"

namespace jetscope {

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

} // namespace jetscope
