// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/clockview.h"

#include "core/lab/clockpattern.h"
#include "core/time/clock.h"
#include "ui/style/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScreen>
#include <QWindow>

#include <algorithm>
#include <cmath>

namespace jetscope {

ClockView::ClockView(std::shared_ptr<ShownLog> log, QWidget *parent) : QWidget(parent), m_log(std::move(log))
{
    setObjectName(QStringLiteral("clock"));
    setAccessibleName(tr("The clock"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(138, 78);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &ClockView::update);
}

ClockView::~ClockView()
{
    stop();
}

void ClockView::setRunning(bool running)
{
    if (running == m_timer.isActive())
        return;
    if (!running)
        return stop();
    m_rate = clockRate(screen() ? screen()->refreshRate() : 0);
    m_timer.start(std::max(1, static_cast<int>(std::lround(1000 / m_rate))));
}

void ClockView::stop()
{
    m_timer.stop();
    if (m_ms >= 0)
        m_log->end(nowNs());
    m_ms = -1;
    QWidget::update();
}

/// Painted and given to the screen before it returns, so that the time of that is known.
void ClockView::update()
{
    const QWindow *onScreen = window()->windowHandle();
    m_ms = clockMsAt(nowNs());
    m_isPainted = false;
    repaint();
    if (!m_isPainted || !onScreen || !onScreen->isExposed()) {
        m_log->end(nowNs());
        return;
    }
    m_log->add(m_ms, nowNs());
    emit shown(m_ms);
}

void ClockView::paintEvent(QPaintEvent *)
{
    m_isPainted = true;
    QPainter painter(this);
    painter.fillRect(rect(), QColor(0x80, 0x80, 0x80));
    if (m_ms < 0) {
        painter.setPen(Qt::black);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("The clock is off."));
        return;
    }
    for (const ClockShape &shape : clockShapes(m_ms, width(), height()))
        painter.fillRect(QRectF(shape.box.x, shape.box.y, shape.box.width, shape.box.height),
                         shape.isBlack ? Qt::black : Qt::white);
}

void ClockView::coverScreen(QScreen *screen)
{
    setWindowFlags(Qt::Window | Qt::FramelessWindowHint | Qt::WindowStaysOnTopHint);
    setCursor(Qt::BlankCursor);
    setWindowTitle(tr("Clock – Jetscope"));
    if (screen)
        setGeometry(screen->geometry());
    showFullScreen();
}

void ClockView::keyPressEvent(QKeyEvent *event)
{
    isWindow() ? static_cast<void>(close()) : QWidget::keyPressEvent(event);
}

void ClockView::mousePressEvent(QMouseEvent *event)
{
    isWindow() ? static_cast<void>(close()) : QWidget::mousePressEvent(event);
}

void ClockView::closeEvent(QCloseEvent *event)
{
    stop();
    QWidget::closeEvent(event);
    emit left();
}

} // namespace jetscope
