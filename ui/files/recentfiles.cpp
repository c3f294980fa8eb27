// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/recentfiles.h"

#include "ui/session/settings.h"

#include <QFileInfo>
#include <QStringList>

namespace jetscope {

namespace {

constexpr const char *kRecentKey = "files/recent";
constexpr qsizetype kMaxRecent = 10;
constexpr QChar kBetween = u'\t'; ///< Of path and words; a path with one is not kept.

} // namespace

QList<RecentFiles::Entry> RecentFiles::entries() const
{
    QList<Entry> all;
    for (const QString &line : m_settings.text(kRecentKey).split(u'\n', Qt::SkipEmptyParts))
        all.append({line.section(kBetween, 0, 0), line.section(kBetween, 1)});
    return all.mid(0, kMaxRecent);
}

void RecentFiles::add(const QString &path, const QString &words)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    if (whole.contains(kBetween) || whole.contains(u'\n'))
        return;
    QStringList lines{whole + kBetween + QString(words).replace(u'\n', u' ')};
    for (const Entry &entry : entries())
        if (entry.path != whole && lines.size() < kMaxRecent)
            lines.append(entry.path + kBetween + entry.words);
    m_settings.save(kRecentKey, lines.join(u'\n'));
}

} // namespace jetscope
