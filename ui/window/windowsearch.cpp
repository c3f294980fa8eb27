// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowsearch.h"

#include "core/trace/trace.h"
#include "ui/files/recentfiles.h"
#include "ui/session/settings.h"
#include "ui/session/traceselection.h"
#include "ui/style/text.h"
#include "ui/timeline/spannavigation.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowactions.h"
#include "ui/window/workspace.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileInfo>
#include <QSet>

#include <algorithm>

namespace jetscope {

namespace {

constexpr qsizetype kMaxOfAKind = 6;
constexpr std::size_t kMaxNamesLookedAt = 200'000; ///< A trace may have millions; each key looks at them anew.

QString searchWord(const char *text)
{
    return QCoreApplication::translate("jetscope::WindowSearch", text);
}

bool hasAll(const QString &text, const QStringList &words)
{
    return std::all_of(words.begin(), words.end(),
                       [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

/// What begins with the words is better than what contains them.
void takeBest(QList<SearchHit> found, const QStringList &words, QList<SearchHit> &hits)
{
    if (!words.isEmpty())
        std::stable_sort(found.begin(), found.end(), [&](const SearchHit &a, const SearchHit &b) {
            return a.text.startsWith(words.front(), Qt::CaseInsensitive)
                > b.text.startsWith(words.front(), Qt::CaseInsensitive);
        });
    hits += found.mid(0, kMaxOfAKind);
}

} // namespace

QList<SearchHit> WindowSearch::find(const QString &words) const
{
    const QStringList list = words.split(u' ', Qt::SkipEmptyParts);
    Hits hits;
    addActions(list, hits);
    if (!list.isEmpty()) { // Otherwise what was opened before is offered, and what can be done.
        addLanes(list, hits);
        addNames(list, hits);
    }
    addRecent(list, hits);
    return hits;
}

void WindowSearch::addActions(const QStringList &words, Hits &hits) const
{
    Hits found;
    for (QAction *action : m_parts.actions.all) {
        const QString text = QString(action->text()).remove(u'&');
        if (hasAll(text + u' ' + action->data().toString(), words))
            found.append({searchWord("Command"), text, action->shortcut().toString(QKeySequence::NativeText),
                          action->isEnabled(), [action] { action->trigger(); }});
    }
    takeBest(std::move(found), words, hits);
}

void WindowSearch::addLanes(const QStringList &words, Hits &hits) const
{
    Workspace &shown = m_parts.shown;
    const Trace &trace = shown.session().trace();
    Hits found;
    for (const LaneInfo &lane : trace.lanes()) {
        if (!hasAll(toQString(lane.name) + u' ' + toQString(lane.detail), words))
            continue;
        const auto show = [&shown, id = lane.id] {
            const Trace &now = shown.session().trace();
            const Interval window = shown.timeline()->camera().window();
            for (std::size_t track = 0; track < now.tracks().size(); ++track) {
                if (now.tracks()[track].lane() != id)
                    continue;
                if (const auto span = nearestSpan(now, track, window.startNs + (window.endNs - window.startNs) / 2)) {
                    shown.showTab(shown.timeline());
                    shown.panels().selection().selectSpan(*span);
                    shown.timeline()->showSpan(*span);
                }
                return;
            }
        };
        found.append({searchWord("Lane"), toQString(lane.name), toQString(lane.detail), true, show});
    }
    takeBest(std::move(found), words, hits);
}

void WindowSearch::addNames(const QStringList &words, Hits &hits) const
{
    Workspace &shown = m_parts.shown;
    const TraceNames &names = shown.session().trace().names();
    Hits found;
    QSet<QString> known; // A name has an entry for each category and certainty.
    for (TraceName name = 0; name < std::min(names.size(), kMaxNamesLookedAt); ++name) {
        const QString text = toQString(names.text(name));
        if (!hasAll(text, words) || known.contains(text))
            continue;
        known.insert(text);
        found.append({searchWord("Span"), text, {}, true, [&shown, text] {
                          shown.showTab(shown.timeline());
                          shown.timeline()->find(text);
                      }});
        if (found.size() >= 8 * kMaxOfAKind)
            break;
    }
    takeBest(std::move(found), words, hits);
}

void WindowSearch::addRecent(const QStringList &words, Hits &hits) const
{
    Hits found;
    for (const RecentFiles::Entry &entry : RecentFiles(m_parts.settings).entries())
        if (hasAll(entry.path + u' ' + entry.words, words))
            found.append({searchWord("Recent file"), QFileInfo(entry.path).fileName(), QFileInfo(entry.path).path(),
                          true, [open = m_parts.openTrace, path = entry.path] { open(path); }});
    for (const QString &uri : m_parts.settings.recentSources())
        if (hasAll(uri, words))
            found.append({searchWord("Recent source"), uri, {}, true, [open = m_parts.openSource, uri] { open(uri); }});
    takeBest(std::move(found), words, hits);
}

} // namespace jetscope
