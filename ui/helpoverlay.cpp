// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/helpoverlay.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace jetscope {

namespace {

QString line(const QString &keys, const QString &what)
{
    return QStringLiteral("<tr><td style='padding-right:24px'><b>%1</b></td><td>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
}

QString title(const QString &text)
{
    return QStringLiteral("<tr><td colspan='2' style='padding-top:10px'><i>%1</i></td></tr>").arg(text.toHtmlEscaped());
}

} // namespace

HelpOverlay::HelpOverlay(QWidget *parent) : QWidget(parent), m_text(new QLabel(this))
{
    setObjectName(QStringLiteral("helpOverlay"));
    setAccessibleName(tr("Keys"));
    setFocusPolicy(Qt::StrongFocus);
    m_text->setObjectName(QStringLiteral("helpCard"));
    m_text->setTextFormat(Qt::RichText);
    m_text->setMargin(24);
    auto *row = new QHBoxLayout(this);
    row->addWidget(m_text, 0, Qt::AlignCenter);
    parent->installEventFilter(this);
    hide();
}

void HelpOverlay::showFor(const QList<QAction *> &actions)
{
    QString rows = title(tr("Window"));
    for (const QAction *action : actions)
        if (!action->shortcut().isEmpty())
            rows += line(action->shortcut().toString(QKeySequence::NativeText), action->text().remove(u'&'));
    rows += title(tr("Video"));
    rows += line(tr("Wheel, + −"), tr("Zoom"));
    rows += line(tr("Drag, arrows"), tr("Move the picture"));
    rows += line(tr("Ctrl+← Ctrl+→"), tr("Move the before/after split"));
    rows += line(tr("0, double click"), tr("Fit the picture"));
    rows += line(QStringLiteral("1"), tr("One pixel per pixel"));
    rows += title(tr("Timeline"));
    rows += line(tr("Wheel, W S"), tr("Zoom (with Ctrl in small steps)"));
    rows += line(tr("Drag, A D"), tr("Move in time"));
    rows += line(tr("F, End"), tr("Show everything, follow the newest frames"));
    m_text->setText(QStringLiteral("<table>%1</table>").arg(rows));
    setAccessibleDescription(m_text->text());
    setGeometry(parentWidget()->rect());
    raise();
    show();
    setFocus();
}

bool HelpOverlay::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parent() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void HelpOverlay::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), QColor(0, 0, 0, 150));
}

void HelpOverlay::keyPressEvent(QKeyEvent *)
{
    hide();
}

void HelpOverlay::mousePressEvent(QMouseEvent *)
{
    hide();
}

} // namespace jetscope
