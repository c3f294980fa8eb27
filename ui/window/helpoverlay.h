// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>

class QAction;
class QLabel;
class QScrollArea;

namespace jetscope {

/// Overlay with the list of all keys; a click or any key closes it, but for those that scroll.
class HelpOverlay : public QWidget {
    Q_OBJECT
public:
    explicit HelpOverlay(QWidget *parent);
    /// Lists the shortcuts of the actions, then the keys of video and timeline, or of the board, and of lists.
    void showFor(const QList<QAction *> &actions, bool board = false);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    void close();
    void place();

    QScrollArea *m_card; ///< Scrolls in a small window.
    QLabel *m_text;
    int m_wholeWidth = 0; ///< Of the text without broken lines.
    QPointer<QWidget> m_focusBefore;
};

} // namespace jetscope
