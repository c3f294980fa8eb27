// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/settingtable.h"

#include <QJsonObject>
#include <QStringList>

/// The keys of all settings, as every JSON document that shows settings has them.
inline QStringList settingColumns()
{
    QStringList columns;
    for (const jetscope::SettingRow &row : jetscope::settingTable())
        columns += QString::fromStdString(row.column());
    return columns;
}

/// Empty if an object has them all.
inline QStringList missingSettings(const QJsonObject &object)
{
    QStringList missing = settingColumns();
    missing.removeIf([&](const QString &key) { return object.contains(key); });
    return missing;
}
