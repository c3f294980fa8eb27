// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/helpoverlay.h"

#include "ui/board/boardcharts.h"
#include "ui/style/style.h"
#include "ui/timeline/timelinekeys.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextDocument>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace jetscope {

namespace {

using KeyRows = std::vector<std::pair<QString, QString>>;

/// A title with a table of keys and their functions.
QString section(const QString &title, const KeyRows &rows)
{
    QString text =
        QStringLiteral("<tr><td colspan='2' style='padding-top:8px'><i>%1</i></td></tr>").arg(title.toHtmlEscaped());
    for (const auto &[keys, what] : rows)
        text += QStringLiteral("<tr><td style='padding-right:12px'><b>%1</b></td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    return text;
}

/// Icon texts: they stay the same while the texts say what is there now.
KeyRows keysOf(const QList<QAction *> &actions)
{
    KeyRows rows;
    for (const QAction *action : actions)
        if (!action->shortcut().isEmpty())
            rows.emplace_back(action->shortcut().toString(QKeySequence::NativeText), action->iconText());
    return rows;
}

KeyRows videoKeys()
{
    return {{HelpOverlay::tr("Wheel, + −"), HelpOverlay::tr("Zoom")},
            {HelpOverlay::tr("Drag, arrows"), HelpOverlay::tr("Move the picture")},
            {HelpOverlay::tr("Ctrl+← Ctrl+→"), HelpOverlay::tr("Move the before/after split")},
            {HelpOverlay::tr("0, double click"), HelpOverlay::tr("Fit the picture")},
            {QStringLiteral("1"), HelpOverlay::tr("Show the picture at its own size")}};
}

KeyRows otherKeys()
{
    return {{HelpOverlay::tr("Tab"), HelpOverlay::tr("Next control; arrows move in lists and choices")},
            {HelpOverlay::tr("Delete"), HelpOverlay::tr("Remove the selected filter")},
            {HelpOverlay::tr("Ctrl+C"), HelpOverlay::tr("Copy a table, or its selected rows if there are several")},
            {HelpOverlay::tr("Ctrl+← → ↑ ↓"), HelpOverlay::tr("Sort a table: by which column, which way up")}};
}

} // namespace

HelpOverlay::HelpOverlay(QWidget *parent) : QWidget(parent), m_card(new QScrollArea(this)), m_text(new QLabel)
{
    setObjectName(QStringLiteral("helpOverlay"));
    setAccessibleName(tr("Keys"));
    setAccessibleRole(this, QAccessible::Dialog);
    setFocusPolicy(Qt::StrongFocus);
    m_text->setObjectName(QStringLiteral("helpCard"));
    m_text->setTextFormat(Qt::RichText);
    m_text->setMargin(16);
    m_text->setWordWrap(true);
    m_card->setFrameShape(QFrame::NoFrame);
    m_card->setFocusPolicy(Qt::NoFocus);
    m_card->setWidget(m_text);
    parent->installEventFilter(this);
    hide();
}

void HelpOverlay::showFor(const QList<QAction *> &actions, bool board)
{
    const auto column = [](const QString &sections) {
        return QStringLiteral("<td style='padding-right:16px'><table cellspacing='0'>%1</table></td>").arg(sections);
    };
    // Three columns, to fit small screens.
    const KeyRows window = keysOf(actions);
    const auto half = window.begin() + static_cast<std::ptrdiff_t>((window.size() + 1) / 2);
    m_text->setText(QStringLiteral("<table><tr>%1%2%3</tr></table>")
                        .arg(column(section(tr("Window"), KeyRows(window.begin(), half))),
                             column(section(tr("Window, too"), KeyRows(half, window.end()))
                                    + section(tr("Elsewhere"), otherKeys())),
                             column(board ? section(tr("Board"), boardKeys())
                                          : section(tr("Video"), videoKeys())
                                            + section(tr("Timeline and frames"), timelineKeys()))));
    setAccessibleDescription(m_text->text());
    QTextDocument whole;
    whole.setDefaultFont(m_text->font());
    whole.setHtml(m_text->text());
    m_wholeWidth = static_cast<int>(std::ceil(whole.idealWidth())) + 2 * m_text->margin();
    place();
    m_focusBefore = QApplication::focusWidget();
    raise();
    show();
    setFocus();
}

void HelpOverlay::place()
{
    constexpr int kLeast = 8; ///< Room around the card.
    setGeometry(parentWidget()->rect());
    if (m_text->text().isEmpty())
        return; // It was never shown.
    const QSize room = size() - QSize(2 * kLeast, 2 * kLeast);
    const int bar = m_card->verticalScrollBar()->sizeHint().width();
    const bool scrolls = m_text->heightForWidth(std::min(m_wholeWidth, room.width())) > room.height();
    const int width = std::min(m_wholeWidth, room.width() - (scrolls ? bar : 0));
    m_text->setFixedSize(width, m_text->heightForWidth(width));
    const QSize card(width + (scrolls ? bar : 0), std::min(m_text->height(), room.height()));
    m_card->setGeometry(QRect(QPoint((size().width() - card.width()) / 2, (height() - card.height()) / 2), card));
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
        place();
    return QWidget::eventFilter(watched, event);
}

void HelpOverlay::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), QColor(0, 0, 0, 150));
}

/// Keys that scroll do so; any other one closes.
void HelpOverlay::keyPressEvent(QKeyEvent *event)
{
    QScrollBar *bar = m_card->verticalScrollBar();
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        return bar->setValue(bar->value() + (event->key() == Qt::Key_Up ? -1 : 1) * fontMetrics().lineSpacing());
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        return bar->setValue(bar->value() + (event->key() == Qt::Key_PageUp ? -1 : 1) * bar->pageStep());
    default:
        close();
    }
}

void HelpOverlay::mousePressEvent(QMouseEvent *)
{
    close();
}

} // namespace jetscope
