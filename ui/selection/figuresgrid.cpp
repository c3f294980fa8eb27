// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/figuresgrid.h"

#include "ui/text.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>

#include <array>

namespace jetscope {

namespace {

constexpr int kColumns = 3;

struct Row {
    const char *name;
    const char *meaning;
};

/// In the order of figureTexts.
constexpr std::array kRows = {
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "CPU busy"), "Pipeline or CPU stage busy; waits are not"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "GPU busy"), "Any stream or GL queue busy"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "both"), "CPU and GPU busy at the same time"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "blocked"), "The pipeline waits for a hand-over or for memory"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "slot"), "The pipeline waits because all frames are in flight"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "input"), "The pipeline waits for the next picture"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "idle"), "Neither CPU nor GPU busy"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "overlap"), "both / the smaller of CPU and GPU busy"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "parallelism"), "1 is serial, 2 is perfect"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "copied"), "Bytes of the frames that begin here"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "frames"), "Whose period touches the range"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "spans"), "That touch the range"},
};

} // namespace

std::vector<std::pair<QString, QString>> figureTexts(const RangeFigures &figures)
{
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, figures.range.endNs - figures.range.startNs));
    const auto time = [whole](std::int64_t ns) {
        return QStringLiteral("%1 · %2").arg(durationText(ns), percentText(static_cast<double>(ns) / whole));
    };
    const auto overlap = figures.overlap.overlap();
    const std::array values = {
        time(figures.overlap.cpuNs),
        time(figures.overlap.gpuNs),
        time(figures.overlap.bothNs),
        time(figures.blockedNs()),
        time(figures.waitSlotNs),
        time(figures.waitInputNs),
        time(figures.overlap.idleNs),
        overlap ? percentText(*overlap) : FiguresGrid::tr("none"),
        QString::number(figures.overlap.parallelism(), 'f', 2),
        bytesText(static_cast<double>(figures.bytesCopied)),
        QStringLiteral("%L1").arg(figures.frames),
        QStringLiteral("%L1").arg(figures.spans),
    };
    std::vector<std::pair<QString, QString>> texts;
    for (std::size_t i = 0; i < kRows.size(); ++i)
        texts.emplace_back(QCoreApplication::translate("jetscope::FiguresGrid", kRows[i].name), values[i]);
    return texts;
}

FiguresGrid::FiguresGrid(QWidget *parent) : QWidget(parent)
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(1);
    for (std::size_t i = 0; i < kRows.size(); ++i) {
        const int row = static_cast<int>(i) / kColumns;
        const int column = static_cast<int>(i) % kColumns * 2;
        auto *name = new QLabel(QCoreApplication::translate("jetscope::FiguresGrid", kRows[i].name), this);
        name->setProperty("muted", true);
        auto *value = new QLabel(this);
        value->setProperty("figure", "small");
        for (QLabel *label : {name, value})
            label->setToolTip(QCoreApplication::translate("jetscope::FiguresGrid", kRows[i].meaning));
        grid->addWidget(name, row, column);
        grid->addWidget(value, row, column + 1);
        m_values.push_back(value);
    }
    for (int column = 0; column < kColumns; ++column)
        grid->setColumnStretch(column * 2 + 1, 1);
}

void FiguresGrid::show(const RangeFigures &figures)
{
    const auto texts = figureTexts(figures);
    for (std::size_t i = 0; i < texts.size(); ++i)
        m_values[i]->setText(texts[i].second);
}

void FiguresGrid::clear()
{
    for (QLabel *value : m_values)
        value->setText(QStringLiteral("–"));
}

} // namespace jetscope
