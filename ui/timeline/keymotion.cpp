// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/keymotion.h"

#include <QGuiApplication>
#include <QKeyEvent>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kTickMs = 16;
constexpr qint64 kRepeatAfterMs = 180;
constexpr double kStepsPerSecond = 8;
constexpr double kMaxStepsPerSecond = 40;

/// evdev scan codes plus 8, as delivered by X11 and Wayland.
constexpr quint32 kScanW = 25;
constexpr quint32 kScanA = 38;
constexpr quint32 kScanS = 39;
constexpr quint32 kScanD = 40;

} // namespace

KeyMotion::KeyMotion(QObject *parent) : QObject(parent)
{
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &KeyMotion::tick);
}

unsigned KeyMotion::keyOf(const QKeyEvent *event)
{
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return 0;
    switch (event->nativeScanCode()) {
    case kScanW:
        return In;
    case kScanA:
        return Left;
    case kScanS:
        return Out;
    case kScanD:
        return Right;
    case 0: // Synthetic event, not from a keyboard.
        break;
    default:
        return 0;
    }
    switch (event->key()) {
    case Qt::Key_W:
        return In;
    case Qt::Key_A:
        return Left;
    case Qt::Key_S:
        return Out;
    case Qt::Key_D:
        return Right;
    default:
        return 0;
    }
}

bool KeyMotion::press(QKeyEvent *event)
{
    const unsigned key = keyOf(event);
    if (key == 0)
        return false;
    if (event->isAutoRepeat() || (m_down & key) != 0)
        return true;
    if (m_down == 0) {
        m_held.start();
        m_lastMs = 0;
        m_timer.start();
    }
    m_down |= key;
    apply(key, 1);
    return true;
}

bool KeyMotion::release(QKeyEvent *event)
{
    const unsigned key = keyOf(event);
    if (key == 0)
        return false;
    if (!event->isAutoRepeat())
        m_down &= ~key;
    if (m_down == 0)
        m_timer.stop();
    return true;
}

void KeyMotion::stop()
{
    m_down = 0;
    m_timer.stop();
}

void KeyMotion::apply(unsigned keys, double steps)
{
    const double right = ((keys & Right) ? steps : 0) - ((keys & Left) ? steps : 0);
    const double in = ((keys & In) ? steps : 0) - ((keys & Out) ? steps : 0);
    if (right != 0)
        emit moved(right);
    if (in != 0)
        emit zoomed(in);
}

void KeyMotion::tick()
{
    const qint64 now = m_held.elapsed();
    const qint64 passed = now - std::exchange(m_lastMs, now);
    if (now < kRepeatAfterMs)
        return;
    const double seconds = static_cast<double>(now) / 1000;
    const double rate = std::min(kStepsPerSecond * (1 + seconds * seconds), kMaxStepsPerSecond);
    apply(m_down, rate * static_cast<double>(std::min<qint64>(passed, 100)) / 1000);
}

} // namespace jetscope
