// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/namesearch.h"
#include "ui/session/figureswork.h"

#include <QElapsedTimer>
#include <QFrame>
#include <QTimer>

#include <functional>

class QLabel;
class QLineEdit;
class QToolButton;

namespace jetscope {

class HitList;

/// Search field in a corner of the timeline: finds spans by name and length, shows the sum of their durations, and
/// lists the longest. Counts in steps of a few milliseconds; the board does that for a trace whose spans are there. UI
/// thread.
class SearchBar : public QFrame {
    Q_OBJECT
public:
    /// `view`: the time that the timeline shows, or is about to show.
    SearchBar(const Trace &trace, std::function<Interval()> view, QWidget *parent);

    /// Shows the field with its text selected; the search starts at the left edge of the view.
    void begin();
    /// Shows the field with this text, and the first hit.
    void beginWith(const QString &text);
    void find(int direction);
    /// The trace has grown.
    void traceChanged();
    /// Forgets the spans that were found, which are of another trace.
    void traceReplaced();
    QString status() const;
    /// Sum and percentiles of all matches; empty during the first count and without matches.
    QString figures() const;
    HitList *hits() const { return m_hits; }
    void setListShown(bool on);

signals:
    /// `asked`: the user pressed a key or button; false if only the text changed.
    void found(const jetscope::SpanPlace &span, bool asked);
    void resized(); ///< The size of the bar changed.
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void setText(const QString &text);
    void go(int direction);
    void askBoard(int direction);
    void count();
    SearchReport report() const;
    std::int64_t edgeNs(int direction) const;
    bool isSeen() const;
    void showStatus();
    void showFigures(const SearchReport &report);
    void showHits();
    void goTo(const SpanPlace &hit);
    void close();

    const Trace &m_trace;
    const std::function<Interval()> m_view;
    NameSearch m_search;
    QLineEdit *m_text;
    QLabel *m_status;
    QLabel *m_figures;
    QToolButton *m_list;
    HitList *m_hits;
    QElapsedTimer m_listed; ///< Since the list was filled.
    QTimer m_counting;
    std::int64_t m_fromNs = 0; ///< Left edge of the view before anything was found.
    std::optional<SpanPlace> m_at;
    int m_wanted = 0;     ///< Direction of a search that waits for the end of the count; 0 for none.
    bool m_asked = false; ///< `asked` for that search.
    bool m_done = true;
    FiguresWork m_far;   ///< The search of the board,
    SearchReport m_said; ///< and what it has found.
};

} // namespace jetscope
