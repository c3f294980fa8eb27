// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/figuresbar.h"

#include "core/figures/figuretable.h"
#include "ui/style/text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace jetscope {

namespace {

struct BarText {
    QString caption;
    QString help;
    QString widest;
};

QString meaningOf(Figure figure)
{
    return toQString(rowOf(figure).meaning);
}

BarText textOf(FiguresBar::Figure figure)
{
    switch (figure) {
    case FiguresBar::OverlapRatio:
        return {FiguresBar::tr("CPU‖GPU overlap"), meaningOf(Figure::Overlap), QStringLiteral("88–100 %")};
    case FiguresBar::HeadroomRatio:
        return {FiguresBar::tr("savable"), meaningOf(Figure::Headroom), QStringLiteral("100 %")};
    case FiguresBar::Rate:
        return {FiguresBar::tr("frames/s"), meaningOf(Figure::Rate), QStringLiteral("8888888")};
    case FiguresBar::LatencyMedian:
        return {FiguresBar::tr("latency p50"), meaningOf(Figure::Latency), QStringLiteral("8888 ms")};
    case FiguresBar::LatencyTail:
        return {FiguresBar::tr("latency p99"),
                FiguresBar::tr("From the capture of a frame to its picture on the screen: 99 of 100 frames took less"),
                QStringLiteral("8888 ms")};
    default:
        return {
            FiguresBar::tr("dropped"),
            FiguresBar::tr("Frames that a live source or the view dropped since the last change of choices, source or "
                           "device; none while paused"),
            QStringLiteral("8888888")};
    }
}

/// The side with too little load: "CPU busy 0.1 %".
QString idleSideText(const Overlap &pooled)
{
    const bool cpu = pooled.cpuNs <= pooled.gpuNs;
    const double share =
        static_cast<double>(std::min(pooled.cpuNs, pooled.gpuNs)) / static_cast<double>(pooled.periodNs);
    const QString percent = QString::number(share * 100, 'f', 1);
    return cpu ? FiguresBar::tr("CPU busy %1 %").arg(percent) : FiguresBar::tr("GPU busy %1 %").arg(percent);
}

/// Width of the sample with the widest digit of the font in place of each 8.
int widthWith(const QFontMetrics &metrics, QString sample)
{
    const QString digits = QStringLiteral("0123456789");
    const QChar widest = *std::max_element(digits.begin(), digits.end(), [&](QChar a, QChar b) {
        return metrics.horizontalAdvance(a) < metrics.horizontalAdvance(b);
    });
    return metrics.horizontalAdvance(sample.replace(u'8', widest)) + 1; // QLabel rounds its width up.
}

} // namespace

FiguresBar::FiguresBar(QWidget *parent) : QWidget(parent)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 4, 0, 4);
    row->setSpacing(0);
    for (int i = 0; i < kFigures; ++i) {
        Box &box = m_boxes[static_cast<std::size_t>(i)];
        box.widget = new QWidget(this);
        box.widget->setProperty("figure", true);
        box.widget->setAttribute(Qt::WA_StyledBackground);
        auto *column = new QVBoxLayout(box.widget);
        column->setContentsMargins(8, 0, 8, 0);
        column->setSpacing(0);
        box.value = new QLabel(box.widget);
        box.value->setProperty("figureValue", i == OverlapRatio ? "accent" : "plain");
        box.value->setAccessibleName(textOf(static_cast<Figure>(i)).caption);
        box.caption = new QLabel(box.widget);
        box.caption->setProperty("caption", true);
        for (QLabel *label : {box.value, box.caption}) {
            label->setAlignment(Qt::AlignRight);
            column->addWidget(label);
        }
        row->addWidget(box.widget);
        set(static_cast<Figure>(i), QStringLiteral("–"));
    }
    fixWidths();
}

/// Fonts change with the style, so widths are computed again.
bool FiguresBar::event(QEvent *event)
{
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::Polish || event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        fixWidths();
    return handled;
}

void FiguresBar::fixWidths()
{
    for (int i = 0; i < kFigures; ++i) {
        const Box &box = m_boxes[static_cast<std::size_t>(i)];
        const BarText text = textOf(static_cast<Figure>(i));
        box.value->ensurePolished();
        box.caption->ensurePolished();
        const int width = std::max(widthWith(box.value->fontMetrics(), text.widest),
                                   box.caption->fontMetrics().horizontalAdvance(text.caption));
        // A minimum, not a fixed width: an unexpectedly long value must not lose its first digit.
        box.value->setMinimumWidth(width);
        box.caption->setMinimumWidth(width);
    }
}

void FiguresBar::set(Figure figure, const QString &value, const QString &caption, const QString &more)
{
    const Box &box = m_boxes[figure];
    const BarText text = textOf(figure);
    const QString help = more.isEmpty() ? text.help : text.help + u'\n' + more;
    box.value->setText(value);
    box.caption->setText(caption.isEmpty() ? text.caption : caption);
    if (box.widget->toolTip() == help)
        return;
    box.widget->setToolTip(help);
    box.value->setAccessibleDescription(help);
}

void FiguresBar::setOnlyKnown(bool only)
{
    m_onlyKnown = only;
    for (const Box &box : m_boxes)
        box.widget->setVisible(!only);
}

void FiguresBar::setKnown(Figure figure, bool known)
{
    m_boxes[figure].widget->setVisible(known || !m_onlyKnown);
}

int FiguresBar::wholeWidth() const
{
    int width = 0;
    for (const Box &box : m_boxes)
        width += box.widget->sizeHint().width();
    return width;
}

QString FiguresBar::text(int figure) const
{
    return m_boxes[static_cast<std::size_t>(figure)].value->text();
}

QString FiguresBar::caption(int figure) const
{
    return m_boxes[static_cast<std::size_t>(figure)].caption->text();
}

QString FiguresBar::toolTipOf(int figure) const
{
    return m_boxes[static_cast<std::size_t>(figure)].widget->toolTip();
}

void FiguresBar::show(const RunFigures &figures, const SettingCounts &counts, const QString &noGpuTimes)
{
    const QString none = QStringLiteral("–");
    const bool any = figures.frames > 0 && figures.pooled.periodNs > 0;
    const Overlap &pooled = figures.pooled;
    const QString why = toQString(pooled.overlapReason());
    if (noGpuTimes.isEmpty()) {
        set(OverlapRatio, any ? overlapText(pooled) : none,
            any && !pooled.overlapBounds() ? idleSideText(pooled) : QString(),
            why.isEmpty() ? why : tr("None now: %1.").arg(why));
        const auto headroom = figures.headroom.ratio();
        set(HeadroomRatio, headroom ? percentText(*headroom) : none, {},
            headroom ? tr("Then %1 would be the limit.").arg(toQString(figures.headroom.limit()))
                     : tr("Not known now: %1.").arg(toQString(figures.headroom.reason())));
    } else {
        for (const Figure unknown : {OverlapRatio, HeadroomRatio})
            set(unknown, none, {}, tr("Not known: %1.").arg(noGpuTimes));
    }
    set(Rate, any && figures.fps > 0 ? rateText(figures.fps) : none);
    // Latency is unknown before the first picture is on the screen.
    const bool known = figures.latencyMs.p50 > 0;
    set(LatencyMedian, known ? millisText(figures.latencyMs.p50) : none);
    set(LatencyTail, known ? millisText(figures.latencyMs.p99) : none);
    set(Dropped, QString::number(counts.dropped()), {},
        tr("%L1 before the pipeline took them, because it was late; %L2 processed but not shown, because the view was "
           "late")
            .arg(counts.droppedBySource)
            .arg(counts.droppedByView));
    for (int i = 0; i < kFigures; ++i)
        setKnown(static_cast<Figure>(i), m_boxes[static_cast<std::size_t>(i)].value->text() != none);
    setKnown(Dropped, counts.frames > 0);
}

} // namespace jetscope
