// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices.h"

#include "ui/files/workbar.h"
#include "ui/style/layouts.h"
#include "ui/style/messagebar.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kNoticeMargin = 10;
constexpr int kMaxNoticeWidth = 860;
constexpr double kMaxNoticeShare = 0.62; ///< Of the window's width; the choices stay free.

} // namespace

Notices::Notices(QWidget &window, const QWidget &below)
    : QWidget(&window), m_window(window), m_below(below), m_messages(new MessageBar(this))
{
    makeInnerLayout<QVBoxLayout>(this, 4);
    add(m_messages);
    window.installEventFilter(this);
    hide();
}

void Notices::add(QWidget *notice)
{
    static_cast<QBoxLayout *>(layout())->insertWidget(0, notice);
    notice->installEventFilter(this);
}

void Notices::addJob(BackgroundJob &job)
{
    add(new WorkBar(job, this));
}

bool Notices::eventFilter(QObject *watched, QEvent *event)
{
    const bool isWindow = watched == &m_window;
    const QEvent::Type type = event->type();
    if (isWindow ? type == QEvent::Resize
                 : type == QEvent::ShowToParent || type == QEvent::HideToParent || type == QEvent::LayoutRequest)
        place();
    return QWidget::eventFilter(watched, event);
}

void Notices::place()
{
    const auto all = findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly);
    const bool any = std::any_of(all.begin(), all.end(), [](const QWidget *notice) { return !notice->isHidden(); });
    setVisible(any);
    if (!any)
        return;
    const int width = std::min(
        {kMaxNoticeWidth, static_cast<int>(m_window.width() * kMaxNoticeShare), m_window.width() - 2 * kNoticeMargin});
    layout()->activate();
    const int height =
        layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : layout()->totalSizeHint().height();
    const int bottom = m_window.height() - m_below.height() - kNoticeMargin;
    setGeometry(kNoticeMargin, std::max(0, bottom - height), width, height);
    raise();
}

} // namespace jetscope
