// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace jetscope {

class Settings;

/// Ask for a file name; empty if the user cancels. The only way to a dialog about files: tests replace it, since the
/// real ones delete and make files.
struct FileDialogs {
    std::function<QString(const QString &title, const QString &folder, const QString &filter)> open;
    std::function<QString(const QString &title, const QString &suggested, const QString &filter)> save;
    std::function<QString(const QString &title, const QString &folder)> folder = {};
    /// Asks for one of these texts, or another one.
    std::function<QString(const QString &title, const QString &question, const QStringList &texts)> choose = {};
    /// Opens a file with the program that the desktop has for it; false if there is none.
    std::function<bool(const QString &path)> show = {};
};
FileDialogs realFileDialogs(QWidget *parent);

/// Whether a file is a trace rather than a video or a picture, judged by its name.
bool isTraceName(const QString &path);
/// Whether a file or folder is a source of frames, judged by its name.
bool isSourceName(const QString &path);

/// Asks where files are, beginning in the folder that was used last. UI thread; the settings outlive it.
class FilePlaces {
public:
    FilePlaces(Settings &settings, FileDialogs dialogs) : m_settings(settings), m_dialogs(std::move(dialogs)) {}

    const FileDialogs &dialogs() const { return m_dialogs; }
    /// The folder of this file is the one that was used last.
    void remember(const QString &path);
    /// Asks for a trace; empty if the user cancels.
    QString askForTrace(const QString &title) const;
    /// Asks for anything that can be opened; empty if the user cancels.
    QString askForAny(const QString &title) const;
    /// Asks for a folder; empty if the user cancels.
    QString askForFolder(const QString &title) const;
    /// Asks for a new file, which gets the suffix if its name has none; empty if the user cancels. The dialog has asked
    /// whether to overwrite it.
    QString askForPlace(const QString &title, const char *suffix, const QString &filter,
                        const char *prefix = "jetscope");
    /// The same, with this name suggested.
    QString askForNamed(const QString &title, const QString &name, const QString &filter);
    /// For a new file: the last folder, and a name with the time; `prefix` begins the name.
    QString suggestion(const char *suffix, const char *prefix = "jetscope") const;

private:
    Settings &m_settings;
    FileDialogs m_dialogs;
};

} // namespace jetscope
