// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/share/ownnames.h"

#include <QDir>
#include <QRegularExpression>
#include <QSysInfo>

#include <algorithm>
#include <pwd.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr qsizetype kShortestWord = 3;

void addHome(QStringList &homes, const QString &path)
{
    const QString clean = QDir::cleanPath(path);
    // "/" is the home folder of some services and containers.
    if (!path.isEmpty() && clean.size() > 1 && !homes.contains(clean))
        homes.append(clean);
}

/// Replaces a name where it stands alone: between characters that no name has.
void replaceName(QString &text, const QString &name, const QString &by)
{
    if (name.isEmpty())
        return;
    const QString exact = QRegularExpression::escape(name);
    const QString pattern = name.size() >= kShortestWord
        ? QStringLiteral("(?<![\\w.-])%1(?![\\w-])").arg(exact)
        : QStringLiteral("(?<=/)%1(?=[/\"'\\s]|$)|(?<![\\w.-])%1(?=@)").arg(exact);
    text.replace(QRegularExpression(
                     pattern, QRegularExpression::UseUnicodePropertiesOption | QRegularExpression::MultilineOption),
                 by);
}

} // namespace

OwnNames ownNames()
{
    OwnNames names;
    addHome(names.homes, QDir::homePath());
    if (const passwd *entry = ::getpwuid(::getuid())) {
        names.user = QString::fromLocal8Bit(entry->pw_name);
        addHome(names.homes, QString::fromLocal8Bit(entry->pw_dir));
    }
    for (const QString &home : QStringList(names.homes))
        addHome(names.homes, QDir(home).canonicalPath());
    names.host = QSysInfo::machineHostName();
    return names;
}

QString withoutNames(QString text, const OwnNames &names)
{
    static const QRegularExpression login(QStringLiteral("://[^/\\s\"']+@"));
    text.replace(login, QStringLiteral("://…@"));
    QStringList homes = names.homes;
    std::sort(homes.begin(), homes.end(), [](const QString &a, const QString &b) { return a.size() > b.size(); });
    for (const QString &home : homes)
        text.replace(QRegularExpression(QRegularExpression::escape(home) + QStringLiteral("(?![\\w.-])"),
                                        QRegularExpression::UseUnicodePropertiesOption),
                     QStringLiteral("~"));
    replaceName(text, names.user, QStringLiteral("USER"));
    replaceName(text, names.host, QStringLiteral("HOST"));
    return text;
}

} // namespace jetscope
