// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/pathbar.h"

#include "ui/style/pathcolors.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kBarHeight = 18;
constexpr int kHeight = 40;
constexpr int kMinNamed = 34; ///< Pixels; smallest share that is labelled.

QString wordsOf(const PathShare &share)
{
    return share.lane.empty() ? toQString(share.what)
                              : PathBar::tr("%1 on %2").arg(toQString(share.what), toQString(share.lane));
}

QString amountOf(const PathShare &share)
{
    return PathBar::tr("%1 · %2").arg(millisText(share.ms), percentText(share.share));
}

QColor textOn(PathCause cause, const Theme &theme)
{
    return isNamed(cause) && cause != PathCause::Call ? theme.barText : theme.text;
}

} // namespace

QString pathSentence(const PathSummary &path)
{
    QString text;
    constexpr std::size_t kNamed = 3;
    constexpr double kWorthNaming = 0.05;
    std::size_t named = 0;
    for (const PathShare &share : path.shares) {
        if (share.cause == PathCause::Unknown || named == kNamed || (named > 0 && share.share < kWorthNaming))
            continue;
        const QString first = share.share >= path.unexplained() ? PathBar::tr("Mostly %1: %2")
                                                                : PathBar::tr("Of what is explained, mostly %1: %2");
        text += named == 0 ? first.arg(wordsOf(share), amountOf(share))
                           : PathBar::tr(", then %1 %2").arg(wordsOf(share), percentText(share.share));
        ++named;
    }
    if (path.unexplained() > kUnexplainedSaid)
        text += (text.isEmpty() ? PathBar::tr("Nothing explains %1") : PathBar::tr("; nothing explains %1"))
                    .arg(percentText(path.unexplained()));
    return text;
}

QString pathTipText(const PathSummary &path)
{
    constexpr std::size_t kMostLines = 10;
    QString text =
        PathBar::tr("The critical path from the completion of the previous frame to the completion of this one: "
                    "at each time, the work that delayed the rest");
    double others = 0;
    for (std::size_t i = 0; i < path.shares.size(); ++i) {
        if (i < kMostLines)
            text += QStringLiteral("\n%1: %2").arg(wordsOf(path.shares[i]), amountOf(path.shares[i]));
        else
            others += path.shares[i].share;
    }
    if (path.shares.size() > kMostLines)
        text += PathBar::tr("\n%L1 others: %2").arg(path.shares.size() - kMostLines).arg(percentText(others));
    return text;
}

PathBar::PathBar(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Critical path"));
    setFixedHeight(fontScaled(kHeight));
}

void PathBar::show(PathSummary path, const QString &why)
{
    m_path = std::move(path);
    m_sentence = m_path.empty() ? why : pathSentence(m_path);
    setAccessibleDescription(m_sentence);
    update();
}

QRect PathBar::bar() const
{
    return {0, 2, width(), fontScaled(kBarHeight)};
}

void PathBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    const QFont font = paintedFont(painter.font(), 11);
    painter.setFont(font);
    const QRect area = bar();
    double left = area.left();
    for (const PathShare &share : m_path.shares) {
        const double right = left + share.share * area.width();
        const QRect piece(qRound(left), area.top(), std::max(1, qRound(right) - qRound(left)), area.height());
        painter.fillRect(piece, pathColor(share.cause, theme()));
        if (piece.width() >= fontScaled(kMinNamed)) {
            painter.setPen(textOn(share.cause, theme()));
            painter.drawText(piece.adjusted(4, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                             painter.fontMetrics().elidedText(toQString(share.what) + u' ' + percentText(share.share),
                                                              Qt::ElideRight, piece.width() - 8));
        }
        painter.fillRect(piece.right(), piece.top(), 1, piece.height(), theme().panel);
        left = right;
    }
    if (m_path.empty())
        painter.fillRect(area, theme().band);
    painter.setPen(theme().muted);
    const QRect line(0, area.bottom() + 2, width(), height() - area.bottom() - 2);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_sentence, Qt::ElideRight, width()));
}

bool PathBar::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), pathTipText(m_path), this);
    return true;
}

} // namespace jetscope
