// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/relaunch.h"

#include <QCoreApplication>
#include <QProcess>

namespace jetscope {

QStringList relaunchArguments(const SessionRequest &request)
{
    QStringList arguments{QStringLiteral("--source"), QString::fromStdString(request.source)};
    if (!request.deviceId.empty())
        arguments << QStringLiteral("--device") << QString::fromStdString(request.deviceId);
    for (const auto &[key, value] : settingsOf(request.config))
        arguments << QStringLiteral("--") + QString::fromStdString(key) << QString::fromStdString(value);
    if (request.frameLimit != 0)
        arguments << QStringLiteral("--frames") << QString::number(request.frameLimit);
    return arguments;
}

bool relaunch(const SessionRequest &request)
{
    if (!QProcess::startDetached(QCoreApplication::applicationFilePath(), relaunchArguments(request)))
        return false;
    QCoreApplication::quit();
    return true;
}

} // namespace jetscope
