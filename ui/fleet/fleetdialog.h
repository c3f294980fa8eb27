// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetopening.h"
#include "ui/session/backgroundjob.h"

#include <QDialog>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;

namespace jetscope {

class BoardsTable;
class StrataTable;

/// The folder of a fleet: two builds, what the new one changed by stratum and figure, and the boards of the chosen row.
/// Reads on a thread of its own. UI thread.
class FleetDialog : public QDialog {
    Q_OBJECT
public:
    explicit FleetDialog(QWidget *parent = nullptr);
    ~FleetDialog() override;

    /// Reads the folder, and compares its two newest builds.
    void open(const QString &folder);

    BackgroundJob &job() { return m_job; }
    QComboBox *oldBuild() const { return m_old; }
    QComboBox *newBuild() const { return m_new; }
    StrataTable *strata() const { return m_strata; }
    BoardsTable *boards() const { return m_boards; }
    QPushButton *pairButton() const { return m_pair; }
    /// What is to be said of the comparison, or why there is none.
    QString words() const;
    /// Above the boards: whose they are, and why they have no verdict.
    QString boardsTitle() const;

signals:
    /// Two captures of runs that show best what the chosen row says.
    void pairFound(const QString &a, const QString &b);

private:
    void makeParts();
    void takeBuilds(const std::vector<FleetBuild> &builds);
    void compare();
    void begin(const QString &what, BackgroundJob::Work work);
    void tell(const Error &error);
    void say(const QString &words, bool isBad = false);
    void clear();
    void showAnswer();
    void showBoards();
    void showPair();
    void lookForPair();
    void refusePair(const Error &why);
    void findPair();
    const FleetResult *chosen() const;

    QComboBox *m_old;
    QComboBox *m_new;
    QLabel *m_words;
    StrataTable *m_strata;
    QLabel *m_boardsTitle;
    BoardsTable *m_boards;
    QLabel *m_pairWords;
    QPushButton *m_pair;
    QString m_folder;
    std::shared_ptr<const FleetAnswer> m_answer;
    std::function<void()> m_next; ///< What waits for the job that is being cancelled.
    BackgroundJob m_job;
    BackgroundJob m_look; ///< Whether the captures of the chosen row are there; the next one cancels it.
};

} // namespace jetscope
