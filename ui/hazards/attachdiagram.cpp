// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/attachdiagram.h"

#include "core/platform/memorytable.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

QString effectText(AttachEffect effect)
{
    switch (effect) {
    case AttachEffect::PrefetchesToCpu:
        return AttachDiagram::tr("prefetches to the CPU");
    case AttachEffect::PrefetchesToGpu:
        return AttachDiagram::tr("prefetches to the GPU");
    case AttachEffect::None:
        break;
    }
    return AttachDiagram::tr("prefetches nothing");
}

QString transitionText(AttachFlag from, AttachFlag to)
{
    for (const AttachTransition &transition : attachTransitions())
        if (transition.from == from && transition.to == to)
            return effectText(transition.effect);
    return {};
}

} // namespace

AttachDiagram::AttachDiagram(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Changes of attachment"));
    setAccessibleDescription(toQString(attachTableText()));
    setToolTip(tr("Source: %1").arg(toQString(kAttachSource)));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

int AttachDiagram::space() const
{
    return fontMetrics().height();
}

int AttachDiagram::boxWidth() const
{
    int width = 0;
    for (const AttachFlag flag : {AttachFlag::Global, AttachFlag::Host, AttachFlag::Single})
        width = std::max(width, fontMetrics().horizontalAdvance(toQString(nameOf(flag))));
    return width + 2 * space();
}

int AttachDiagram::labelWidth() const
{
    return std::max(fontMetrics().horizontalAdvance(effectText(AttachEffect::PrefetchesToGpu)),
                    fontMetrics().horizontalAdvance(effectText(AttachEffect::PrefetchesToCpu)))
        + 3 * space();
}

QRect AttachDiagram::rightBox(bool upper) const
{
    const int height = 4 * space();
    return {1 + boxWidth() + labelWidth(), 1 + (upper ? 0 : height + 2 * space()), boxWidth(), height};
}

QRect AttachDiagram::hostBox() const
{
    return {1, 1, boxWidth(), rightBox(false).bottom()};
}

QSize AttachDiagram::sizeHint() const
{
    const int nothing = fontMetrics().horizontalAdvance(effectText(AttachEffect::None));
    return {std::max(rightBox(true).right(), rightBox(true).center().x() + space() + nothing) + 2,
            rightBox(false).bottom() + 2};
}

void AttachDiagram::paintBox(QPainter &painter, const QRect &box, const QString &title, const QString &text) const
{
    painter.setPen(QPen(theme().border, 1));
    painter.setBrush(theme().card);
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(theme().text);
    const int line = fontMetrics().lineSpacing();
    const int top = box.center().y() - line;
    painter.drawText(QRect(box.left(), top, box.width(), line), Qt::AlignCenter, title);
    painter.setPen(theme().muted);
    painter.drawText(QRect(box.left(), top + line, box.width(), line), Qt::AlignCenter, text);
}

void AttachDiagram::paintArrow(QPainter &painter, QPoint from, QPoint to, const QString &label) const
{
    painter.setPen(QPen(theme().accentText, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawLine(from, to);
    const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
    QPainterPath head(to);
    for (const double side : {0.4, -0.4})
        head.lineTo(QPointF(to) - QPointF(std::cos(angle + side), std::sin(angle + side)) * (space() * 0.55));
    head.closeSubpath();
    painter.fillPath(head, theme().accentText);
    if (label.isEmpty())
        return;
    painter.setPen(theme().text);
    const int left = std::min(from.x(), to.x());
    painter.drawText(
        QRect(left, from.y() - fontMetrics().height() - 1, std::abs(to.x() - from.x()), fontMetrics().height()),
        Qt::AlignCenter, label);
}

void AttachDiagram::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBox(painter, hostBox(), toQString(nameOf(AttachFlag::Host)), tr("the CPU owns it"));
    for (const bool upper : {true, false}) {
        const AttachFlag flag = upper ? AttachFlag::Global : AttachFlag::Single;
        const QRect box = rightBox(upper);
        paintBox(painter, box, toQString(nameOf(flag)),
                 upper ? tr("every stream may use it") : tr("one stream may use it"));
        const int left = hostBox().right() + 4;
        const int right = box.left() - 4;
        const int toGpu = box.top() + box.height() * 2 / 5;
        const int toCpu = box.top() + box.height() * 9 / 10;
        paintArrow(painter, {left, toGpu}, {right, toGpu}, transitionText(AttachFlag::Host, flag));
        paintArrow(painter, {right, toCpu}, {left, toCpu}, transitionText(flag, AttachFlag::Host));
    }
    const int x = rightBox(true).center().x();
    const QPoint top(x, rightBox(true).bottom() + 3);
    const QPoint bottom(x, rightBox(false).top() - 3);
    paintArrow(painter, top, bottom, {});
    paintArrow(painter, bottom, top, {});
    painter.setPen(theme().text);
    painter.drawText(QRect(x + space() / 2, top.y(), width() - x, bottom.y() - top.y()),
                     Qt::AlignLeft | Qt::AlignVCenter, transitionText(AttachFlag::Global, AttachFlag::Single));
}

AttachPage::AttachPage(const DeviceFacts &facts, QWidget *parent) : QWidget(parent)
{
    const Capability prefetch = attachmentsPrefetch(facts);
    auto *sentence =
        new QLabel(prefetch.available ? tr("cudaStreamAttachMemAsync changes who owns managed memory, in stream order:")
                                      : tr("Without effect on this device: %1.").arg(toQString(prefetch.reason)));
    sentence->setWordWrap(true);
    auto *words = new QLabel(toQString(attachTableText()));
    words->setWordWrap(true);
    words->setProperty("muted", true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->addWidget(sentence);
    column->addWidget(new AttachDiagram);
    column->addWidget(words);
    column->addStretch();
}

} // namespace jetscope
