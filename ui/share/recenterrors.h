// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

namespace jetscope {

/// The last errors and warnings that the user saw, for a report of a problem. UI thread.
class RecentErrors {
public:
    static constexpr qsizetype kMax = 20;
    struct Entry {
        QDateTime when;
        QString text;
    };

    /// Drops the oldest beyond kMax. The same text again only renews the time of the last entry.
    void add(const QDateTime &when, const QString &text)
    {
        if (!m_entries.isEmpty() && m_entries.last().text == text)
            m_entries.removeLast();
        m_entries.append({when, text});
        if (m_entries.size() > kMax)
            m_entries.removeFirst();
    }
    const QList<Entry> &entries() const { return m_entries; }

private:
    QList<Entry> m_entries;
};

} // namespace jetscope
