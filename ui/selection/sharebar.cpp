// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/sharebar.h"

#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kLeastShareLabelled = 34; ///< Pixels.

int shareTitleHeight()
{
    return fontScaled(16);
}

int shareBarHeight()
{
    return fontScaled(20);
}

} // namespace

QString shareText(std::int64_t ns, std::int64_t wholeNs)
{
    const double share = static_cast<double>(ns) / static_cast<double>(std::max<std::int64_t>(wholeNs, 1));
    return QStringLiteral("%1 %").arg(share * 100, 0, 'f', 1);
}

ShareBar::ShareBar(const QString &title, QWidget *parent) : QWidget(parent)
{
    setTitle(title);
    setAccessibleRole(this, QAccessible::Chart);
    setFixedHeight(shareTitleHeight() + shareBarHeight());
}

void ShareBar::setTitle(const QString &title)
{
    m_title = title;
    setAccessibleName(title);
    update();
}

void ShareBar::show(std::vector<SharePart> parts, std::int64_t wholeNs)
{
    m_parts = std::move(parts);
    m_wholeNs = wholeNs;
    QStringList texts;
    for (std::size_t i = 0; i < std::min<std::size_t>(m_parts.size(), 5); ++i)
        texts << QStringLiteral("%1 %2").arg(m_parts[i].name, shareText(m_parts[i].ns, wholeNs));
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
    update();
}

QRect ShareBar::bar() const
{
    return {0, shareTitleHeight(), width(), shareBarHeight()};
}

QRect ShareBar::rectOf(std::int64_t fromNs, std::int64_t ns) const
{
    const auto x = [this](std::int64_t at) {
        return qRound(static_cast<double>(at) / static_cast<double>(std::max<std::int64_t>(m_wholeNs, 1)) * width());
    };
    return {x(fromNs), shareTitleHeight(), std::max(1, x(fromNs + ns) - x(fromNs)), shareBarHeight()};
}

void ShareBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    const QFont small = paintedFont(painter.font(), 11);
    painter.setFont(small);
    painter.setPen(theme().muted);
    painter.drawText(QRect(0, 0, width(), shareTitleHeight()), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_title, Qt::ElideRight, width()));
    painter.fillRect(bar(), theme().band);
    std::int64_t atNs = 0;
    for (const SharePart &part : m_parts) {
        const QRect piece = rectOf(atNs, part.ns);
        atNs += part.ns;
        painter.fillRect(piece, part.hatched ? QBrush(theme().card) : QBrush(part.fill));
        if (part.hatched)
            painter.fillRect(piece, QBrush(part.fill, Qt::BDiagPattern));
        painter.fillRect(piece.right(), piece.top(), 1, piece.height(), theme().panel);
        if (piece.width() < fontScaled(kLeastShareLabelled))
            continue;
        const QString text = QStringLiteral("%1 %2").arg(part.name, durationText(part.ns));
        const QRect room = piece.adjusted(4, 0, -4, 0);
        const QString fitting = painter.fontMetrics().elidedText(text, Qt::ElideMiddle, room.width());
        if (part.hatched)
            painter.fillRect(QRect(room.left() - 2, room.top() + 2,
                                   painter.fontMetrics().horizontalAdvance(fitting) + 4, room.height() - 4),
                             theme().card);
        painter.setPen(part.hatched ? theme().text : part.text);
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, fitting);
    }
}

QString ShareBar::textAt(int x) const
{
    std::int64_t atNs = 0;
    for (const SharePart &part : m_parts) {
        const QRect piece = rectOf(atNs, part.ns);
        if (x >= piece.left() && x <= piece.right())
            return tr("%1: %2, %3").arg(part.name, durationText(part.ns), shareText(part.ns, m_wholeNs));
        atNs += part.ns;
    }
    return {};
}

/// Only the part under the mouse: a list of all has no room, and the table below shows them.
bool ShareBar::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), bar().contains(help->pos()) ? textAt(help->pos().x()) : QString(), this);
    return true;
}

} // namespace jetscope
