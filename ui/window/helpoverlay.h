// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>

class QAction;
class QLabel;

namespace jetscope {

/// Overlay with the list of all keys; any key or click closes it.
class HelpOverlay : public QWidget {
    Q_OBJECT
public:
    explicit HelpOverlay(QWidget *parent);
    /// Lists the shortcuts of the actions, then the keys of video, timeline and lists.
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
