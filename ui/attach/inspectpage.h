// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"
#include "gpu/attach/host/inspection.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace jetscope {

class PathBar;

/// Replaces the video while a program is inspected: how it is doing, what it could save, where its period goes, and
/// what it printed. UI thread.
class InspectPage : public QWidget {
    Q_OBJECT
public:
    explicit InspectPage(QWidget *parent = nullptr);

    /// `recording`: calls are taken now.
    void show(const InspectionState &state, bool recording);
    void showPath(const PathSummary &path);
    /// The state in words.
    QString stateText() const;
    /// Frames, calls, and what came from the kernel.
    QString factsText() const;
    QStringList findings() const;
    QString output() const;

signals:
    void stopWanted();  ///< End the program.
    void againWanted(); ///< Start it again.
    void otherWanted(); ///< Inspect another one.

private:
    void makeButtons();
    void makeLayout();
    void showState(const InspectionState &state, bool recording);
    void showFindings(const InspectionState &state);
    void showOutput(const InspectionState &state);

    QLabel *m_title;
    QLabel *m_state;
    QLabel *m_facts;
    QPushButton *m_stop;
    QPushButton *m_again;
    QPushButton *m_other;
    QListWidget *m_findings;
    QPlainTextEdit *m_output;
    QLabel *m_pathTitle;
    PathBar *m_path;
    std::uint64_t m_outputBytes = 0; ///< What m_output shows.
};

} // namespace jetscope
