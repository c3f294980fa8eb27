// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace jetscope {

class Settings;

/// The traces that were opened last, newest first, with a few words on each. UI thread; the settings outlive it.
class RecentFiles {
public:
    struct Entry {
        QString path;
        QString words; ///< "PyTorch profiler · 929 ms · 6 frames"; may be empty.
    };

    explicit RecentFiles(Settings &settings) : m_settings(settings) {}

    QList<Entry> entries() const;
    void add(const QString &path, const QString &words);

private:
    Settings &m_settings;
};

} // namespace jetscope
