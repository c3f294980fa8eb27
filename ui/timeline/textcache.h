// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QHash>
#include <QStaticText>

namespace jetscope {

/// Cache of laid out texts for bars: the same few names are drawn in every frame, and text layout costs more than
/// drawing. UI thread.
class TextCache {
public:
    struct Entry {
        QStaticText text;
        double width = 0;
        double height = 0;
    };
    /// Valid until the next call. Another font clears the cache.
    const Entry &find(const QString &text, const QFont &font);
    /// Same for the text elided to a width.
    const Entry &findWithin(const QString &text, const QFont &font, int width);

private:
    QHash<QString, Entry> m_entries;
    QFont m_font;
};

} // namespace jetscope
