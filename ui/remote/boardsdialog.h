// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/remote/boardconnector.h"
#include "ui/remote/knownboards.h"
#include "ui/session/worker.h"

#include <QDialog>

#include <memory>

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPlainTextEdit;
class QPushButton;

namespace jetscope {

class ConnectSteps;

/// Asks for a board and connects with it: says before what will be done there, shows each step, what went wrong and
/// what ssh wrote. Not modal: what is open in the window goes on meanwhile. UI thread; the boards must outlive it.
class BoardsDialog : public QDialog {
    Q_OBJECT
public:
    struct Parts {
        KnownBoards &known;
        QStringList sshHosts;
        BoardConnector connect;
    };
    BoardsDialog(Parts parts, QWidget *parent);
    ~BoardsDialog() override;

    /// Connects with it at once.
    void connectWith(const QString &address);

signals:
    void connected(const QString &address, const jetscope::ConnectedBoard &board);

protected:
    void done(int result) override;

private:
    struct Attempt;
    class Watch;

    QWidget *makeBoards();
    QWidget *makePlan();
    QWidget *makeButtons();
    void addSection(const QString &title);
    void addBoard(const QString &address, const QString &detail);
    void choose(const QListWidgetItem *item);
    void forgetChosen();
    void describe();
    void begin();
    void cancel();
    void ended(const Attempt *attempt, const QString &address, const Result<ConnectedBoard> &result);
    void showButtons();

    const Parts m_parts;
    QLineEdit *m_address;
    QPushButton *m_connect;
    QListWidget *m_boards;
    QLabel *m_title;
    QLabel *m_runs;
    ConnectSteps *m_steps;
    QLabel *m_problem;
    QPlainTextEdit *m_heard;
    QPushButton *m_showHeard;
    QPushButton *m_cancel;
    std::shared_ptr<Attempt> m_attempt; ///< While it connects.
    Worker m_worker{"connecting with a board"};
};

} // namespace jetscope
