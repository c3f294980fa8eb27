// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/figuresbar.h"

#include "ui/text.h"

#include <QHBoxLayout>
#include <QLabel>

namespace jetscope {

namespace {

enum Figure { OverlapRatio, Rate, LatencyMedian, LatencyTail, Dropped };

} // namespace

FiguresBar::FiguresBar(QWidget *parent) : QWidget(parent)
{
    struct Text {
        QString caption;
        QString help;
    };
    const std::array<Text, kFigures> texts = {{
        {tr("CPU‖GPU overlap"), tr("Time in which CPU and GPU were busy together, as a share of the shorter of both")},
        {tr("frames/s"), tr("Frames completed per second")},
        {tr("latency p50"),
         tr("From the capture of a frame to its picture on the screen: half of the frames took less")},
        {tr("latency p99"), tr("From the capture of a frame to its picture on the screen: 99 of 100 frames took less")},
        {tr("dropped"), tr("Frames that a live source or the view left out since the start")},
    }};
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 4, 0, 4);
    row->setSpacing(0);
    for (std::size_t i = 0; i < kFigures; ++i) {
        auto *figure = new QWidget(this);
        figure->setProperty("figure", true);
        figure->setAttribute(Qt::WA_StyledBackground);
        figure->setToolTip(texts[i].help);
        auto *column = new QVBoxLayout(figure);
        column->setContentsMargins(10, 0, 10, 0);
        column->setSpacing(0);
        m_values[i] = new QLabel(QStringLiteral("–"), figure);
        m_values[i]->setProperty("figureValue", i == OverlapRatio ? "accent" : "plain");
        m_values[i]->setAlignment(Qt::AlignRight);
        m_values[i]->setAccessibleName(texts[i].caption);
        m_values[i]->setAccessibleDescription(texts[i].help);
        auto *caption = new QLabel(texts[i].caption, figure);
        caption->setProperty("caption", true);
        caption->setAlignment(Qt::AlignRight);
        column->addWidget(m_values[i]);
        column->addWidget(caption);
        row->addWidget(figure);
    }
}

void FiguresBar::set(int figure, const QString &value)
{
    m_values[static_cast<std::size_t>(figure)]->setText(value);
}

QString FiguresBar::text(int figure) const
{
    return m_values[static_cast<std::size_t>(figure)]->text();
}

void FiguresBar::show(const RunFigures &figures, std::uint64_t droppedBySource, std::uint64_t droppedByView)
{
    const bool any = figures.frames > 0;
    const QString none = QStringLiteral("–");
    const auto overlap = figures.pooled.overlap();
    set(OverlapRatio, overlap ? percentText(*overlap) : none);
    set(Rate, any ? QString::number(figures.fps, 'f', 1) : none);
    // Latency is unknown until the first picture was on the screen.
    const bool known = figures.latencyMs.p50 > 0;
    set(LatencyMedian, known ? millisText(figures.latencyMs.p50) : none);
    set(LatencyTail, known ? millisText(figures.latencyMs.p99) : none);
    set(Dropped, QString::number(droppedBySource + droppedByView));
    m_values[Dropped]->setToolTip(tr("%L1 before the pipeline took them, because it was late; %L2 processed but not shown, "
                                     "because the view was late")
                                      .arg(droppedBySource)
                                      .arg(droppedByView));
}

} // namespace jetscope
