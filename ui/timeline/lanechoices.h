// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace jetscope {

/// What the user chose about the lanes of a timeline: which stay at the top, which are hidden, their order, which
/// groups are folded, which lanes show all their levels, and the filter. Lanes and groups are named by keys that are
/// the same in every trace of a producer (lanekeys.h); keys that a trace lacks are kept for the next one.
class LaneChoices {
public:
    static constexpr qsizetype kMostKeys = 2000; ///< Of each list, when they are stored.

    bool isPinned(const QString &lane) const { return m_pinned.contains(lane); }
    bool isHidden(const QString &lane) const { return m_hidden.contains(lane); }
    bool isFolded(const QString &group) const { return m_folded.contains(group); }
    bool isWhole(const QString &lane) const { return m_whole.contains(lane); }
    /// In the order in which they are shown.
    const QStringList &pinned() const { return m_pinned; }
    void setPinned(const QStringList &lanes) { m_pinned = lanes; }

    void togglePin(const QString &lane) { toggle(m_pinned, lane); }
    void setHidden(const QString &lane, bool on) { set(m_hidden, lane, on); }
    void setFolded(const QString &group, bool on) { set(m_folded, group, on); }
    void toggleFold(const QString &group) { toggle(m_folded, group); }
    /// Whether the lane shows all its levels.
    void setWhole(const QString &lane, bool on) { set(m_whole, lane, on); }
    /// Hides no lane, and filters none.
    void showAll();
    /// Gives up everything that was chosen.
    void reset() { *this = {}; }

    /// Words that the name or detail of a lane must contain; empty: all are shown. Not stored.
    const QString &filter() const { return m_filter; }
    void setFilter(const QString &filter) { m_filter = filter.simplified(); }
    bool passes(const QString &name, const QString &detail) const;

    /// Lanes in their chosen order. Those that were never moved stay where they are among each other, behind the moved.
    QStringList ordered(const QStringList &lanes) const;
    /// Puts a lane before or behind another one. `lanes`: all of the group, in their present order. Pinned lanes are
    /// moved among the pinned ones.
    void move(const QStringList &lanes, const QString &lane, const QString &to, bool behind);

    /// For settings; empty if nothing was chosen.
    QString toText() const;
    /// Ignores what is no such text.
    static LaneChoices fromText(const QString &text);

    bool operator==(const LaneChoices &) const = default;

private:
    static void toggle(QStringList &keys, const QString &key) { set(keys, key, !keys.contains(key)); }
    static void set(QStringList &keys, const QString &key, bool on);

    QStringList m_pinned;
    QStringList m_hidden;
    QStringList m_order;
    QStringList m_folded;
    QStringList m_whole;
    QString m_filter;
};

} // namespace jetscope
