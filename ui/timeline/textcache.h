// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QHash>
#include <QStaticText>

namespace jetscope {

/// Shaped texts of bars: the same few names are drawn in every frame, and shaping costs more than drawing. UI thread.
class TextCache {
public:
    struct Entry {
        QStaticText text;
        double width = 0;
        double height = 0;
    };
    /// Stays valid until the next call. A font other than before empties the cache.
    const Entry &find(const QString &text, const QFont &font);
    /// The same of as much of the text as fits.
    const Entry &findWithin(const QString &text, const QFont &font, int width);

private:
    QHash<QString, Entry> m_entries;
    QFont m_font;
};

} // namespace jetscope
