// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/helpoverlay.h"

#include "ui/timeline/timelinekeys.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace jetscope {

namespace {

QString cells(const QString &keys, const QString &what)
{
    return QStringLiteral("<td style='padding-right:24px'><b>%1</b></td><td>%2</td>")
        .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
}

QString keysLine(const QString &keys, const QString &what)
{
    return QStringLiteral("<tr>%1</tr>").arg(cells(keys, what));
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
            rows += keysLine(action->shortcut().toString(QKeySequence::NativeText), action->text().remove(u'&'));
    rows += title(tr("Video"));
    rows += keysLine(tr("Wheel, + −"), tr("Zoom"));
    rows += keysLine(tr("Drag, arrows"), tr("Move the picture"));
    rows += keysLine(tr("Ctrl+← Ctrl+→"), tr("Move the before/after split"));
    rows += keysLine(tr("0, double click"), tr("Fit the picture"));
    rows += keysLine(QStringLiteral("1"), tr("One pixel per pixel"));
    rows += title(tr("Timeline"));
    for (const auto &[keys, what] : timelineKeys())
        rows += keysLine(keys, what);
    showRows(rows);
}

/// In two columns, because the timeline is often low.
void HelpOverlay::showForTimeline()
{
    const auto keys = timelineKeys();
    const std::size_t half = (keys.size() + 1) / 2;
    QString rows;
    for (std::size_t i = 0; i < half; ++i) {
        rows += QStringLiteral("<tr>") + cells(keys[i].first, keys[i].second);
        if (i + half < keys.size())
            rows += QStringLiteral("<td width='24'></td>") + cells(keys[i + half].first, keys[i + half].second);
        rows += QStringLiteral("</tr>");
    }
    showRows(rows);
}

void HelpOverlay::showRows(const QString &rows)
{
    m_text->setText(QStringLiteral("<table>%1</table>").arg(rows));
    setAccessibleDescription(m_text->text());
    setGeometry(parentWidget()->rect());
    m_focusBefore = QApplication::focusWidget();
    raise();
    show();
    setFocus();
}

void HelpOverlay::close()
{
    hide();
    if (m_focusBefore)
        m_focusBefore->setFocus();
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
    close();
}

void HelpOverlay::mousePressEvent(QMouseEvent *)
{
    close();
}

} // namespace jetscope
