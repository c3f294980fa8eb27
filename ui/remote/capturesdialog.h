// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/capturestore.h"
#include "ui/session/worker.h"

#include <QDialog>
#include <QTimer>

#include <memory>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace jetscope {

/// The captures of a board: which there are, also while one grows, to fetch or to delete. Not modal. UI thread; never
/// waits for the board.
class CapturesDialog : public QDialog {
    Q_OBJECT
public:
    CapturesDialog(QString board, std::shared_ptr<CaptureStore> captures, QWidget *parent);

    /// Looks at the board now; else every few seconds while it is shown.
    void refresh();

signals:
    void fetchWanted(const QString &name);
    /// To look at it without fetching it.
    void viewWanted(const QString &path);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void took(const Result<CaptureList> &list);
    void fill(const CaptureList &list);
    void showButtons();
    void remove();
    QString chosen() const;

    const QString m_board;
    const std::shared_ptr<CaptureStore> m_captures;
    QTreeWidget *m_list;
    QLabel *m_about;
    QLabel *m_problem;
    QString m_folder; ///< Where they are on the board.
    QPushButton *m_fetch;
    QPushButton *m_view;
    QPushButton *m_delete;
    QString m_asked; ///< The capture whose deletion was asked for once.
    bool m_isAsking = false;
    QTimer m_timer;
    Worker m_worker{"looking at the captures of a board"};
};

} // namespace jetscope
