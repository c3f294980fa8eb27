// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

class QKeyEvent;

namespace jetscope {

/// The four keys that fly through time, by their place on the keyboard (W A S D of a US keyboard): one step when
/// pressed, then faster and faster while held. UI thread.
class KeyMotion : public QObject {
    Q_OBJECT
public:
    explicit KeyMotion(QObject *parent = nullptr);

    /// Whether the event was about one of the four keys.
    bool press(QKeyEvent *event);
    bool release(QKeyEvent *event);
    /// All keys up: the focus is elsewhere.
    void stop();

signals:
    /// In steps of a tenth of the view, to the right; and of 20 %, inwards.
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
