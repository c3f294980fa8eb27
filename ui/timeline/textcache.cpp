// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/textcache.h"

#include <QFontMetrics>
#include <QTransform>

namespace jetscope {

namespace {

constexpr qsizetype kMaxEntries = 1000; ///< Plain names are few, names with frame numbers are many.

} // namespace

const TextCache::Entry &TextCache::find(const QString &text, const QFont &font)
{
    if (m_entries.size() >= kMaxEntries || m_font != font) {
        m_entries.clear();
        m_font = font;
    }
    Entry &entry = m_entries[text];
    if (entry.width == 0) {
        entry.text.setTextFormat(Qt::PlainText);
        entry.text.setText(text);
        entry.text.setPerformanceHint(QStaticText::AggressiveCaching);
        entry.text.prepare(QTransform(), font);
        entry.width = entry.text.size().width();
        entry.height = entry.text.size().height();
    }
    return entry;
}

const TextCache::Entry &TextCache::findWithin(const QString &text, const QFont &font, int width)
{
    const Entry &entry = find(text, font);
    return entry.width <= width ? entry : find(QFontMetrics(font).elidedText(text, Qt::ElideRight, width), font);
}

} // namespace jetscope
