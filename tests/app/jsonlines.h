// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/jsonvalues.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <vector>

namespace jetscope {

/// An object as its readers get it.
inline QJsonObject printed(const JsonObject &object)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(jsonLine(object))).object();
}

/// What `--progress` tells: the lines of the output before the result.
inline std::vector<QJsonObject> eventsOf(const QString &output)
{
    std::vector<QJsonObject> events;
    const QList<QByteArray> lines = output.toUtf8().trimmed().split('\n');
    for (const QByteArray &line : lines)
        if (const QJsonObject object = QJsonDocument::fromJson(line).object(); object.contains("event"))
            events.push_back(object);
    return events;
}

} // namespace jetscope
