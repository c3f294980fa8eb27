// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

class QKeyEvent;

namespace jetscope {

/// Zoom and pan with four keys, identified by position (W A S D of a US keyboard): one step when pressed, then with
/// increasing speed while held. UI thread.
class KeyMotion : public QObject {
    Q_OBJECT
public:
    explicit KeyMotion(QObject *parent = nullptr);

    /// True if the event was for one of the four keys.
    bool press(QKeyEvent *event);
    bool release(QKeyEvent *event);
    /// Releases all keys, for example when the focus is lost.
    void stop();

signals:
    /// Steps of a tenth of the view, positive to the right; zoom steps of 20 %, positive inwards.
    void moved(double right);
    void zoomed(double in);

private:
    enum Key : unsigned { In = 1, Left = 2, Out = 4, Right = 8 };
    static unsigned keyOf(const QKeyEvent *event);
    void apply(unsigned keys, double steps);
    void tick();

    QTimer m_timer;
    QElapsedTimer m_held;
    qint64 m_lastMs = 0;
    unsigned m_down = 0;
};

} // namespace jetscope
