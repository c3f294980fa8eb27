// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/fileplaces.h"

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

namespace jetscope {

namespace {

constexpr const char *kFolderKey = "files/folder";

} // namespace

FileDialogs realFileDialogs(QWidget *parent)
{
    return {[parent](const QString &title, const QString &folder, const QString &filter) {
                return QFileDialog::getOpenFileName(parent, title, folder, filter);
            },
            [parent](const QString &title, const QString &suggested, const QString &filter) {
                return QFileDialog::getSaveFileName(parent, title, suggested, filter);
            },
            [parent](const QString &title, const QString &question, const QStringList &texts) {
                bool accepted = false;
                const QString text = QInputDialog::getItem(parent, title, question, texts, 0, true, &accepted);
                return accepted ? text : QString();
            },
            [](const QString &path) { return QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }};
}

void FilePlaces::remember(const QString &path)
{
    m_settings.save(kFolderKey, QFileInfo(path).absolutePath());
}

QString FilePlaces::askForTrace(const QString &title) const
{
    return m_dialogs.open(title, m_settings.text(kFolderKey),
                          QCoreApplication::translate("jetscope::FilePlaces",
                                                      "Captures, sweeps and traces (*.jscope *.json *.gz *.zst "
                                                      "*.sqlite *.log *.txt);;All files (*)"));
}

QString FilePlaces::askForPlace(const QString &title, const char *suffix, const QString &filter)
{
    QString path = m_dialogs.save(title, suggestion(suffix), filter);
    if (path.isEmpty())
        return {};
    if (QFileInfo(path).suffix().isEmpty())
        path += u'.' + QLatin1String(suffix);
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
