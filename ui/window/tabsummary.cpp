// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/tabsummary.h"

#include <QEvent>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kMaxRoom = 460;
constexpr int kMinRoom = 150;

} // namespace

TabSummary::TabSummary(QTabWidget *tabs) : ShortenedLabel(tabs), m_tabs(tabs)
{
    setObjectName(QStringLiteral("tabSummary"));
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    tabs->setCornerWidget(this);
    tabs->installEventFilter(this);
    tabs->tabBar()->installEventFilter(this);
    fit();
}

void TabSummary::setWanted(bool wanted)
{
    m_wanted = wanted;
    fit();
}

/// Uses the room beside the tabs instead of the width of the text, so that changing text does not move the layout.
QSize TabSummary::sizeHint() const
{
    return {m_room, ShortenedLabel::sizeHint().height()};
}

bool TabSummary::eventFilter(QObject *watched, QEvent *event)
{
    const bool mayDiffer = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (mayDiffer)
        fit();
    return ShortenedLabel::eventFilter(watched, event);
}

void TabSummary::fit()
{
    const int left = std::min(m_tabs->width() - m_tabs->tabBar()->sizeHint().width(), kMaxRoom);
    const int room = left >= kMinRoom ? left : 0; // Not negative: the tabs would exceed the window.
    if (room != m_room) {
        m_room = room;
        updateGeometry();
    }
    setVisible(m_wanted && room > 0);
}

} // namespace jetscope
