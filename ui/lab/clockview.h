// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/shownlog.h"

#include <QTimer>
#include <QWidget>

#include <memory>

namespace jetscope {

/// Shows the clock of the lab, with a new time for each refresh of its screen, and writes into the log when each was
/// given to the screen. UI thread.
class ClockView : public QWidget {
    Q_OBJECT
public:
    explicit ClockView(std::shared_ptr<ShownLog> log, QWidget *parent = nullptr);
    ~ClockView() override;

    /// While it does not run, it shows no time.
    void setRunning(bool running);
    bool isRunning() const { return m_timer.isActive(); }
    /// The time that is shown; negative for none.
    int shownMs() const { return m_ms; }
    /// Updates per second that are wanted.
    double rate() const { return m_rate; }
    /// Makes it a window that covers a screen, until a key or a button of the mouse is pressed.
    void coverScreen(QScreen *screen);

    QSize sizeHint() const override { return {368, 208}; }

signals:
    void shown(int ms);
    void left(); ///< The window was closed.

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void update();
    void stop();

    std::shared_ptr<ShownLog> m_log;
    QTimer m_timer;
    int m_ms = -1;
    bool m_isPainted = false; ///< Since the last update.
    double m_rate = 60;
};

} // namespace jetscope
