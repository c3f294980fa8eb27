// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/focusring.h"

#include "ui/style/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QScrollArea>
#include <QTabBar>

#include <utility>

namespace jetscope {

namespace {

class Edge : public QWidget {
public:
    explicit Edge(QWidget *parent) : QWidget(parent)
    {
        setObjectName(QStringLiteral("focusEdge"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_OpaquePaintEvent);
    }

protected:
    void paintEvent(QPaintEvent *) override { QPainter(this).fillRect(rect(), theme().accentText); }
};

bool wantsRing(const QWidget *widget)
{
    if (!widget || widget->isWindow() || qobject_cast<const QScrollArea *>(widget))
        return false;
    return qobject_cast<const QAbstractScrollArea *>(widget) || qobject_cast<const QTabBar *>(widget)
        || widget->property("focusRing").toBool();
}

} // namespace

FocusRing::FocusRing(QObject *parent) : QObject(parent)
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) { moveTo(now); });
}

void FocusRing::moveTo(QWidget *focus)
{
    QWidget *target = wantsRing(focus) ? focus : nullptr;
    if (target == m_target)
        return;
    if (m_target)
        m_target->removeEventFilter(this);
    for (const QPointer<QWidget> &edge : std::exchange(m_edges, {}))
        delete edge;
    m_target = target;
    if (!target)
        return;
    target->installEventFilter(this);
    for (int i = 0; i < 4; ++i)
        m_edges.append(new Edge(target));
    place();
}

void FocusRing::place()
{
    const QRect all = m_target->rect();
    const QRect sides[] = {
        QRect(all.left(), all.top(), all.width(), 1), QRect(all.left(), all.bottom(), all.width(), 1),
        QRect(all.left(), all.top(), 1, all.height()), QRect(all.right(), all.top(), 1, all.height())};
    for (int i = 0; i < m_edges.size(); ++i) {
        if (!m_edges[i])
            continue;
        m_edges[i]->setGeometry(sides[i]);
        m_edges[i]->raise();
        m_edges[i]->show();
    }
}

bool FocusRing::eventFilter(QObject *watched, QEvent *event)
{
    // A child added later would cover the ring.
    if (watched == m_target && (event->type() == QEvent::Resize || event->type() == QEvent::ChildAdded))
        place();
    return QObject::eventFilter(watched, event);
}

} // namespace jetscope
