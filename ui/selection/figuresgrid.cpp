// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/figuresgrid.h"

#include "ui/style/text.h"

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

/// Same order as figureTexts.
constexpr std::array kRows = {
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "CPU busy"), "Pipeline or CPU stage busy; waits are not"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "GPU busy"), "Any stream or GL queue busy"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "both"), "CPU and GPU busy at the same time"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "blocked"), "The pipeline waits for a hand-over or for memory"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "slot"), "The pipeline waits because all frames are in flight"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "input"), "The pipeline waits for the next picture"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "idle"), "Neither CPU nor GPU busy"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "overlap"), "both / the smaller of CPU and GPU busy"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "headroom"),
        "What of this time would go if everything that may overlap did"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "parallelism"), "1 is serial, 2 is perfect"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "copied"), "Bytes of the frames that begin here"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "frames"), "Whose period touches the range"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "spans"), "That touch the range"},
};

constexpr std::size_t kOverlapRow = 7;
constexpr std::size_t kHeadroomRow = 8;

} // namespace

std::vector<FigureText> figureTexts(const RangeFigures &figures)
{
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, figures.range.endNs - figures.range.startNs));
    const auto time = [whole](std::int64_t ns) {
        return QStringLiteral("%1 · %2").arg(durationText(ns), percentText(static_cast<double>(ns) / whole));
    };
    const auto share = [whole](std::int64_t ns) { return percentText(static_cast<double>(ns) / whole); };
    const QString gpu = figures.overlap.gpuBoundedNs > 0
        ? QStringLiteral("%1 · %2 – %3")
              .arg(gpuBusyText(figures.overlap), share(figures.overlap.gpuAtLeastNs()), share(figures.overlap.gpuNs))
        : time(figures.overlap.gpuNs);
    const auto headroom = figures.headroom.ratio();
    const std::array values = {
        time(figures.overlap.cpuNs),
        gpu,
        time(figures.overlap.bothNs),
        time(figures.blockedNs()),
        time(figures.waitSlotNs),
        time(figures.waitInputNs),
        time(figures.overlap.idleNs),
        overlapText(figures.overlap),
        headroom ? percentText(*headroom) : FiguresGrid::tr("not known"),
        QString::number(figures.overlap.parallelism(), 'f', 2),
        bytesText(static_cast<double>(figures.bytesCopied)),
        QStringLiteral("%L1").arg(figures.frames),
        QStringLiteral("%L1").arg(figures.spans),
    };
    static_assert(values.size() == kRows.size());
    std::vector<FigureText> texts;
    for (std::size_t i = 0; i < kRows.size(); ++i)
        texts.push_back({QCoreApplication::translate("jetscope::FiguresGrid", kRows[i].name), values[i]});
    texts[kOverlapRow].reason = toQString(figures.overlap.overlapReason());
    texts[kHeadroomRow].reason = toQString(figures.headroom.reason());
    return texts;
}

FiguresGrid::FiguresGrid(QWidget *parent) : QWidget(parent), m_reason(new QLabel(this))
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
    m_reason->setWordWrap(true);
    m_reason->setProperty("muted", true);
    m_reason->hide();
    grid->addWidget(m_reason, grid->rowCount(), 0, 1, kColumns * 2);
}

void FiguresGrid::show(const RangeFigures &figures)
{
    const auto texts = figureTexts(figures);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        m_values[i]->setText(texts[i].value);
        const QString meaning = QCoreApplication::translate("jetscope::FiguresGrid", kRows[i].meaning);
        m_values[i]->setToolTip(texts[i].reason.isEmpty() ? meaning : meaning + u'\n' + texts[i].reason);
    }
    const QString why = texts[kOverlapRow].reason;
    m_reason->setText(tr("No overlap: %1.").arg(why));
    m_reason->setVisible(!why.isEmpty());
}

void FiguresGrid::clear()
{
    for (QLabel *value : m_values)
        value->setText(QStringLiteral("–"));
    m_reason->hide();
}

} // namespace jetscope
