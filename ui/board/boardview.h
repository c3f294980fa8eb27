// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardfigures.h"
#include "ui/board/boardwatch.h"
#include "ui/board/shownboard.h"
#include "ui/session/worker.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

class QComboBox;
class QLabel;
class QMenu;
class QPlainTextEdit;
class QScrollArea;
class QSplitter;
class QTabWidget;
class QToolButton;

namespace jetscope {

class BoardCharts;
class BoardEventList;
class BoardLogger;
class BoardPage;
class BoardRuler;
class BoardTable;
class EnergyBox;
class Settings;
class TitleLine;

/// A board over time: the machine that the window works with, a log, or the counters of the trace that is open. Charts
/// with a table of figures, the list of what happened, and the energy. The machine is read only while the page is
/// visible or a log is written. UI thread.
class BoardView : public QWidget {
    Q_OBJECT
public:
    using Source = ShownBoard::Source;

    /// `root`: "/" except in tests; empty: nothing is read.
    BoardView(std::string root, Settings &settings, QWidget *parent = nullptr);
    ~BoardView() override;

    void setGpu(const std::string &pciBusId); ///< See BoardWatch.
    /// Another machine than the one that the window runs on, with its name. A log of the one before ends.
    void setMachine(BoardWatch::ReaderMaker make, const QString &name);
    /// Back to the one that the window runs on.
    void setOwnMachine();
    void showMachine();
    void showLog(const QString &path, std::shared_ptr<BoardLog> log);
    /// The trace that may be shown, with its name; null: none is open.
    using TraceSource = std::function<std::pair<const Trace *, QString>()>;
    void setTraceSource(TraceSource source) { m_traceSource = std::move(source); }
    /// As if the machine was read.
    void take(const std::shared_ptr<const BoardFacts> &facts, const BoardState &state);

    Source source() const { return m_board.source(); }
    /// What is shown, in a few words.
    const QString &detail() const { return m_detail; }
    QString title() const;
    QString verdictText() const;
    /// For the status line.
    QString statusText() const;
    const BoardSeries &series() const { return m_board.series(); }
    const std::vector<BoardEvent> &events() const { return m_board.events(); }
    /// Whether the figures are of what is shown; they are computed on another thread.
    bool hasFigures() const { return m_shown > 0 && m_shown == m_asked && !m_soon.isActive(); }
    BoardCharts *charts() const { return m_charts; }
    BoardTable *table() const { return m_table; }
    BoardEventList *eventList() const { return m_eventList; }
    EnergyBox *energy() const { return m_energy; }
    BoardPage *page() const { return m_page; }
    BoardLogger *logger() const { return m_logger; }
    QTabWidget *tabs() const { return m_tabs; }
    void save();

signals:
    void detailChanged();
    void traceWanted(const QString &path); ///< The log that is shown, in the workspace of traces.

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum class Base { Whole, Shown };
    QWidget *makeTools();
    QWidget *makeCharts();
    void connectParts();
    void restore();
    void fillSources();
    void chooseSource(int index);
    QString machineWords() const;
    void fillGroups();
    void restart();
    void showHead();
    void watch();
    void showDetail();
    void fitCharts();
    void showTitles();
    void showRows();
    void showLacks();
    bool hasGroup(BoardGroup group) const;
    void showCursor();
    void wantFigures();
    void askForFigures();
    void showFigures(const BoardFigures &figures);
    Interval baseTime() const;
    QString whyNoGroup(BoardGroup group) const;

    const std::string m_root;
    Settings &m_settings;
    std::unique_ptr<BoardWatch> m_watch; ///< Null: nothing is read.
    std::string m_gpu;
    BoardLogger *m_logger;
    ShownBoard m_board;
    TraceSource m_traceSource;
    QString m_detail;
    Base m_base = Base::Whole;
    BoardHeadline m_headline;
    std::optional<std::pair<Interval, std::uint64_t>> m_headOf; ///< The time and the readings that it is of.
    std::uint64_t m_asked = 0; ///< Figures that were asked for before this number are not shown.
    std::uint64_t m_shown = 0; ///< The number of those that are shown.

    TitleLine *m_head;
    QComboBox *m_sources;
    QToolButton *m_groups;
    QMenu *m_groupMenu;
    QToolButton *m_all;
    QToolButton *m_asTrace;
    QToolButton *m_follow;
    QComboBox *m_bases;
    QTabWidget *m_tabs;
    BoardCharts *m_charts;
    BoardRuler *m_ruler;
    BoardTable *m_table;
    QScrollArea *m_area;
    QLabel *m_lacks; ///< Which groups are missing, and why.
    BoardEventList *m_eventList;
    EnergyBox *m_energy;
    QSplitter *m_splitter;
    BoardPage *m_page;
    QPlainTextEdit *m_notesPage;
    QTimer m_soon;
    Worker m_worker{"computing figures of the board"};
};

} // namespace jetscope
