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

namespace {

constexpr double kSlowestScreen = 24;
constexpr double kFastestScreen = 360;
constexpr std::int64_t kClockViewMs = 1'000'000;

} // namespace

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
    const double rate = screen() ? screen()->refreshRate() : 0;
    m_rate = rate > 0 ? std::clamp(rate, kSlowestScreen, kFastestScreen) : 60;
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
    m_ms = static_cast<int>(nowNs() / kClockViewMs % kClockMs);
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
    // Whole pixels, so that all modules are alike.
    const int module =
        std::max(1, std::min(static_cast<int>(width() / kClockWidth), static_cast<int>(height() / kClockHeight)));
    const double left = std::floor((width() - module * kClockWidth) / 2);
    const double top = std::floor((height() - module * kClockHeight) / 2);
    if (m_ms < 0) {
        painter.setPen(Qt::black);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("The clock is off."));
        return;
    }
    for (const ClockShape &shape : clockShapes(m_ms))
        painter.fillRect(QRectF(left + shape.box.x * module, top + shape.box.y * module, shape.box.width * module,
                                shape.box.height * module),
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
