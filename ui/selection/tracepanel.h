// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"
#include "ui/session/figureswork.h"

#include <QElapsedTimer>
#include <QWidget>

#include <array>
#include <limits>

class QLabel;
class QProgressBar;
class QPushButton;
class QTabWidget;

namespace jetscope {

class FlamePage;
class SelectionPanel;
class TopView;
class TraceSelection;
class WhereView;

/// What is to be said of the selected range, frame or span, or of the whole trace if nothing is selected: where its
/// time went, what took most of it, how it nests, and the figures of the selection. Computed on another thread when a
/// tab is seen; a new selection starts over. UI thread; trace and selection must outlive it.
class TracePanel : public QWidget {
    Q_OBJECT
public:
    enum Tab { Where, Top, Flame, Details };

    TracePanel(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);
    ~TracePanel() override;

    WhereView *where() const { return m_where; }
    TopView *top() const { return m_top; }
    FlamePage *flame() const { return m_flame; }
    SelectionPanel *details() const { return m_details; }
    Tab tab() const;
    void setTab(Tab tab);
    /// "Frame 12 · 16.7 ms"
    QString title() const;
    /// The time that the tabs tell of. It stays while the user steps through the spans of a name.
    const Interval &time() const { return m_time; }
    /// Whether the visible tab shows everything.
    bool isDone() const;

    /// The trace was replaced.
    void restart();
    /// The trace has grown. Without a selection, the tabs follow now and then.
    void refresh();

signals:
    /// The user wants to see a span, which is selected, or a time.
    void spanWanted(const SpanPlace &span);
    void timeWanted(Interval time);
    void clearWanted(); ///< One item of the selection.

protected:
    void showEvent(QShowEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    static constexpr std::size_t kComputed = 3; ///< Tabs that are computed here.

    void connectParts();
    void selectionChanged();
    void begin(bool keepsContent);
    void compute();
    void startWhere();
    void startTop();
    void startFlame();
    void finished(Tab tab);
    void askFor(FigureWish::Kind kind);
    void takeAnswer(const FigureAnswer &answer);
    void stepThroughRow(std::uint32_t row, int direction);
    void showStep(const SpanPlace &place);
    void copy();
    Interval wanted() const;
    QString titleOf() const;

    const Trace &m_trace;
    TraceSelection &m_selection;
    WhereView *m_where;
    TopView *m_top;
    FlamePage *m_flame;
    SelectionPanel *m_details;
    QLabel *m_title;
    QLabel *m_length;
    QProgressBar *m_progress;
    QPushButton *m_copy;
    QTabWidget *m_tabs;
    FiguresWork m_work;
    FiguresWork m_step; ///< Of a trace whose spans are elsewhere.
    Interval m_time;
    std::array<bool, kComputed> m_fresh{}; ///< Tabs that show m_time.
    int m_computing = -1;                  ///< The tab that is being computed.
    std::uint64_t m_version = 0;           ///< Of the trace when m_time was set.
    QElapsedTimer m_begun;                 ///< Since the work began.
    qint64 m_tookMs = 0;                   ///< The last work.
    bool m_stepping = false;
    std::uint32_t m_steppedRow = std::numeric_limits<std::uint32_t>::max();
    std::int64_t m_steppedNs = 0;
};

} // namespace jetscope
