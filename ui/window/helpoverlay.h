// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>

class QAction;
class QLabel;

namespace jetscope {

/// The list of all keys over the whole window; any key or click closes it.
class HelpOverlay : public QWidget {
    Q_OBJECT
public:
    explicit HelpOverlay(QWidget *parent);
    /// The actions' own shortcuts, then what video, timeline and lists understand.
    void showFor(const QList<QAction *> &actions);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    void close();

    QLabel *m_text;
    QPointer<QWidget> m_focusBefore;
};

} // namespace jetscope
