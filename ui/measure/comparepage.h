// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace jetscope {

class ChoiceTrials;
class ComparedTable;
class FileComparison;
class PairedTimelines;
class PinnedComparison;
class Session;
class TrialsPanel;

/// The tab that compares, as figures and as two timelines. Of a pipeline: the pinned A with the present, and trials of
/// every value of a choice. Of a file: two captures. UI thread; the parts must outlive it.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    /// For the session of pipelines.
    ComparePage(Session &session, PinnedComparison &pinned, ChoiceTrials &trials, QWidget *parent = nullptr);
    /// For the session of files.
    ComparePage(Session &session, FileComparison &files, QWidget *parent = nullptr);

    enum class View { Figures, Timelines, Trials };
    View view() const;
    void setView(View view);
    /// The trace has grown; does nothing while the page is hidden.
    void refresh();

    ComparedTable *table() const { return m_table; }
    PairedTimelines *timelines() const { return m_timelines; }
    TrialsPanel *trials() const { return m_trialsPanel; } ///< Null for files.
    /// The sentence above the views.
    QString sentence() const;

    // A sentence that needs a second line takes it from the table: the dock must not change its height with the text.
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return false; }

signals:
    void pinWanted();
    void unpinWanted();
    void turnsWanted();
    void fileWanted();

protected:
    void showEvent(QShowEvent *event) override;

private:
    struct Parts {
        Session &session;
        PinnedComparison *pinned; ///< Null for files.
        ChoiceTrials *trials;     ///< Null for files.
        FileComparison *files;    ///< Null for pipelines.
    };
    ComparePage(const Parts &parts, QWidget *parent);
    QWidget *makeHead();
    QWidget *makeWork();
    QPushButton *addButton(QHBoxLayout *row, const char *name, const QString &text, const QString &help);
    void connectParts();
    void showTraces();
    void showFigures();
    QString fileSentence() const;
    QString pinnedSentence() const;
    void showButtons();
    void showWork();
    QString pinnedTitle() const;
    QString presentTitle() const;

    const Parts m_parts;
    QButtonGroup *m_views;
    QPushButton *m_pin = nullptr;
    QPushButton *m_unpin = nullptr;
    QPushButton *m_turns = nullptr;
    QPushButton *m_file = nullptr;
    QPushButton *m_anyway = nullptr;
    QLabel *m_sentence;
    QWidget *m_work = nullptr;
    QLabel *m_working;
    QProgressBar *m_progress;
    QPushButton *m_cancel;
    QStackedWidget *m_stack;
    ComparedTable *m_table;
    PairedTimelines *m_timelines;
    TrialsPanel *m_trialsPanel = nullptr;
    quint64 m_shownPin = 0; ///< Time of the A in the timelines.
};

} // namespace jetscope
