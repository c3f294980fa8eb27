// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/relaunch.h"

#include <QCoreApplication>
#include <QProcess>
#include <QProcessEnvironment>

#include <cstdlib>
#include <string_view>

namespace jetscope {

namespace {

constexpr const char *kReason = "JETSCOPE_STARTED_AGAIN";

} // namespace

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

void relaunchAtOnce(const SessionRequest &request, const QString &why)
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(kReason), why);
    program.setProcessEnvironment(environment);
    program.setProgram(QCoreApplication::applicationFilePath());
    program.setArguments(relaunchArguments(request));
    if (program.startDetached())
        std::_Exit(1);
}

QString takeRelaunchReason()
{
    const QString reason = qEnvironmentVariable(kReason);
    qunsetenv(kReason);
    return reason;
}

SessionRequest withoutKernel(SessionRequest request, const std::string &file)
{
    const std::string address = "cu:" + file;
    std::erase_if(request.config.filters, [&address](Filter filter) {
        const std::string_view name = nameOf(filter);
        return name == address || (name.starts_with(address) && name[address.size()] == '?');
    });
    return request;
}

bool relaunch(const SessionRequest &request)
{
    if (!QProcess::startDetached(QCoreApplication::applicationFilePath(), relaunchArguments(request)))
        return false;
    QCoreApplication::quit();
    return true;
}

} // namespace jetscope
