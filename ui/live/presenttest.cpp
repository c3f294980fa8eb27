// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/presenttest.h"

#include "ui/live/pictureview.h"

#include <QGuiApplication>
#include <QPixmap>
#include <QScreen>
#include <QWidget>
#include <QWindow>

#include <cstdlib>

namespace jetscope {

namespace {

constexpr QRgb kTestColor = 0xff3c8c5a; ///< Three different channels, to detect swapped channel order.
constexpr int kTolerance = 6;           ///< For screens with 16 or 24 bits per pixel.
constexpr int kLookEveryMs = 60;
constexpr int kLooks = 12; ///< Number of attempts; a window manager may take a while to map the window.

bool nearlyEqual(QRgb a, QRgb b)
{
    return std::abs(qRed(a) - qRed(b)) <= kTolerance && std::abs(qGreen(a) - qGreen(b)) <= kTolerance
        && std::abs(qBlue(a) - qBlue(b)) <= kTolerance;
}

} // namespace

PresentTest::PresentTest(PictureView &surface, QObject *parent) : QObject(parent), m_surface(surface)
{
    m_timer.setInterval(kLookEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &PresentTest::look);
}

PresentTest::~PresentTest() = default;

bool PresentTest::isPossible()
{
    return QGuiApplication::platformName() == QLatin1String("xcb");
}

void PresentTest::start()
{
    if (!isPossible()) {
        finish(Outcome::Impossible);
        return;
    }
    m_surface.setTestColor(QColor::fromRgb(kTestColor));
    m_timer.start();
}

void PresentTest::look()
{
    const QWidget *widget = m_surface.widget();
    const QWidget *window = widget->window();
    // The test is meaningless for a hidden or minimised window; wait until it is visible.
    if (!window->isVisible() || window->isMinimized() || !window->windowHandle()
        || !window->windowHandle()->isExposed())
        return;
    const QPoint at = widget->mapTo(window, widget->rect().center());
    const QPixmap seen = window->screen()->grabWindow(window->winId(), at.x(), at.y(), 1, 1);
    if (!seen.isNull() && nearlyEqual(seen.toImage().pixel(0, 0), kTestColor))
        finish(Outcome::Passed);
    else if (++m_looks >= kLooks)
        finish(Outcome::Failed);
}

void PresentTest::finish(Outcome outcome)
{
    m_timer.stop();
    m_surface.setTestColor(std::nullopt);
    emit finished(outcome);
}

} // namespace jetscope
