// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/fileplaces.h"

#include "core/fleet/fleetfolder.h"
#include "ui/session/settings.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QStandardPaths>
#include <QUrl>

#include <algorithm>

namespace jetscope {

namespace {

constexpr const char *kFolderKey = "files/folder";
constexpr const char *kTraceEndings = "*.jscope *.json *.gz *.zst *.sqlite *.log *.txt *.csv";
constexpr const char *kSourceEndings = "*.mp4 *.mkv *.avi *.mov *.webm *.m4v *.ts *.png *.jpg *.jpeg *.bmp";

bool endsWithOneOf(const QString &path, const char *endings)
{
    const QStringList all = QString::fromLatin1(endings).split(u' ');
    return std::any_of(all.begin(), all.end(),
                       [&](const QString &ending) { return path.endsWith(ending.mid(1), Qt::CaseInsensitive); });
}

QString filterWord(const char *text)
{
    return QCoreApplication::translate("jetscope::FilePlaces", text);
}

} // namespace

FileDialogs realFileDialogs(QWidget *parent)
{
    return {[parent](const QString &title, const QString &folder, const QString &filter) {
                return QFileDialog::getOpenFileName(parent, title, folder, filter);
            },
            [parent](const QString &title, const QString &suggested, const QString &filter) {
                return QFileDialog::getSaveFileName(parent, title, suggested, filter);
            },
            [parent](const QString &title, const QString &folder) {
                return QFileDialog::getExistingDirectory(parent, title, folder);
            },
            [parent](const QString &title, const QString &question, const QStringList &texts) {
                bool accepted = false;
                const QString text = QInputDialog::getItem(parent, title, question, texts, 0, true, &accepted);
                return accepted ? text : QString();
            },
            [](const QString &path) { return QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }};
}

bool isTraceName(const QString &path)
{
    return endsWithOneOf(path, kTraceEndings);
}

bool isSourceName(const QString &path)
{
    return endsWithOneOf(path, kSourceEndings) || (QFileInfo(path).isDir() && fleetOfPath(path.toStdString()).empty());
}

void FilePlaces::remember(const QString &path)
{
    m_settings.save(kFolderKey, QFileInfo(path).absolutePath());
}

QString FilePlaces::askForTrace(const QString &title) const
{
    return m_dialogs.open(
        title, m_settings.text(kFolderKey),
        filterWord("Captures, sweeps and traces (%1);;All files (*)").arg(QLatin1String(kTraceEndings)));
}

QString FilePlaces::askForAny(const QString &title) const
{
    return m_dialogs.open(
        title, m_settings.text(kFolderKey),
        filterWord("Everything that can be opened (%1 %2);;Captures, sweeps and traces (%1);;Videos and "
                   "pictures (%2);;All files (*)")
            .arg(QLatin1String(kTraceEndings), QLatin1String(kSourceEndings)));
}

QString FilePlaces::askForFolder(const QString &title) const
{
    return m_dialogs.folder ? m_dialogs.folder(title, m_settings.text(kFolderKey)) : QString();
}

QString FilePlaces::askForPlace(const QString &title, const char *suffix, const QString &filter, const char *prefix)
{
    QString path = m_dialogs.save(title, suggestion(suffix, prefix), filter);
    if (path.isEmpty())
        return {};
    if (QFileInfo(path).suffix().isEmpty())
        path += u'.' + QLatin1String(suffix);
    remember(path);
    return path;
}

QString FilePlaces::askForNamed(const QString &title, const QString &name, const QString &filter)
{
    const QString path = m_dialogs.save(title, QFileInfo(suggestion("")).dir().filePath(name), filter);
    if (!path.isEmpty())
        remember(path);
    return path;
}

QString FilePlaces::suggestion(const char *suffix, const char *prefix) const
{
    const QString home = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    QDir folder(m_settings.text(kFolderKey, home));
    if (!folder.exists())
        folder = QDir::home();
    const QString name = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmmss"));
    return folder.filePath(QStringLiteral("%1-%2.%3").arg(QLatin1String(prefix), name, QLatin1String(suffix)));
}

} // namespace jetscope
