// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/lanechoices.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace jetscope {

void LaneChoices::set(QStringList &keys, const QString &key, bool on)
{
    if (!on)
        keys.removeAll(key);
    else if (!keys.contains(key))
        keys.append(key);
}

void LaneChoices::showAll()
{
    m_hidden.clear();
    m_filter.clear();
}

bool LaneChoices::passes(const QString &name, const QString &detail) const
{
    const QStringList words = m_filter.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), [&](const QString &word) {
        return name.contains(word, Qt::CaseInsensitive) || detail.contains(word, Qt::CaseInsensitive);
    });
}

QStringList LaneChoices::ordered(const QStringList &lanes) const
{
    if (m_order.isEmpty())
        return lanes;
    QHash<QString, qsizetype> places;
    for (const QString &lane : m_order)
        places.insert(lane, places.size());
    QStringList sorted = lanes;
    std::stable_sort(sorted.begin(), sorted.end(), [&](const QString &a, const QString &b) {
        return places.value(a, m_order.size()) < places.value(b, m_order.size());
    });
    return sorted;
}

void LaneChoices::move(const QStringList &lanes, const QString &lane, const QString &to, bool behind)
{
    QStringList moved = isPinned(lane) ? m_pinned : lanes;
    if (lane == to || !moved.contains(lane) || !moved.contains(to))
        return;
    moved.removeAll(lane);
    moved.insert(moved.indexOf(to) + (behind ? 1 : 0), lane);
    if (isPinned(lane)) {
        m_pinned = moved;
        return;
    }
    for (const QString &each : lanes)
        m_order.removeAll(each);
    m_order += moved;
}

QString LaneChoices::toText() const
{
    QJsonObject lists;
    const auto put = [&lists](const char *name, const QStringList &keys) {
        if (!keys.isEmpty())
            lists.insert(QLatin1String(name), QJsonArray::fromStringList(keys.mid(0, kMostKeys)));
    };
    put("pinned", m_pinned);
    put("hidden", m_hidden);
    put("order", m_order);
    put("folded", m_folded);
    put("whole", m_whole);
    return lists.isEmpty() ? QString() : QString::fromUtf8(QJsonDocument(lists).toJson(QJsonDocument::Compact));
}

LaneChoices LaneChoices::fromText(const QString &text)
{
    const QJsonObject lists = QJsonDocument::fromJson(text.toUtf8()).object();
    const auto take = [&lists](const char *name) {
        QStringList keys;
        for (const QJsonValue &value : lists.value(QLatin1String(name)).toArray())
            if (value.isString() && keys.size() < kMostKeys && !keys.contains(value.toString()))
                keys.append(value.toString());
        return keys;
    };
    LaneChoices choices;
    choices.m_pinned = take("pinned");
    choices.m_hidden = take("hidden");
    choices.m_order = take("order");
    choices.m_folded = take("folded");
    choices.m_whole = take("whole");
    return choices;
}

} // namespace jetscope
