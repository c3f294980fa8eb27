// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/figuresgrid.h"

#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>

#include <algorithm>
#include <array>
#include <string_view>

namespace jetscope {

namespace {

constexpr int kMostColumns = 3;
constexpr int kGridSpacing = 6;

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
        "How much shorter the period could be if all work that may overlap did overlap"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "parallelism"), "1 is serial, 2 is perfect"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "copied"), "Bytes of the frames that begin here"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "frames"), "Whose period touches the range"},
    Row{QT_TRANSLATE_NOOP("jetscope::FiguresGrid", "spans"), "That touch the range"},
};

constexpr std::size_t rowNamed(std::string_view name)
{
    std::size_t row = 0;
    while (kRows.at(row).name != name) // Does not compile if there is no such row.
        ++row;
    return row;
}

constexpr std::size_t kOverlapRow = rowNamed("overlap");
constexpr std::size_t kHeadroomRow = rowNamed("headroom");

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
    const QString unknown = FiguresGrid::tr("not known");
    const auto ifGpu = [&](const QString &text) { return figures.hasGpuLanes ? text : unknown; };
    const std::array values = {
        time(figures.overlap.cpuNs),
        ifGpu(gpu),
        ifGpu(time(figures.overlap.bothNs)),
        time(figures.blockedNs()),
        time(figures.waitSlotNs),
        time(figures.waitInputNs),
        ifGpu(time(figures.overlap.idleNs)),
        overlapText(figures.overlap),
        headroom ? percentText(*headroom) : unknown,
        ifGpu(QString::number(figures.overlap.parallelism(), 'f', 2)),
        bytesText(static_cast<double>(figures.bytesCopied)),
        QStringLiteral("%L1").arg(figures.frames),
        QStringLiteral("%L1").arg(figures.spans),
    };
    static_assert(values.size() == kRows.size());
    std::vector<FigureText> texts;
    for (std::size_t i = 0; i < kRows.size(); ++i)
        texts.push_back({QCoreApplication::translate("jetscope::FiguresGrid", kRows[i].name), values[i]});
    texts[kOverlapRow].reason = figures.hasGpuLanes ? toQString(figures.overlap.overlapReason())
                                                    : FiguresGrid::tr("the trace has nothing of the GPU's work");
    texts[kHeadroomRow].reason = toQString(figures.headroom.reason());
    return texts;
}

FiguresGrid::FiguresGrid(QWidget *parent) : QWidget(parent), m_reason(new QLabel(this))
{
    auto *grid = makeInnerLayout<QGridLayout>(this);
    grid->setHorizontalSpacing(kGridSpacing);
    grid->setVerticalSpacing(1);
    for (const Row &row : kRows) {
        auto *name = new QLabel(QCoreApplication::translate("jetscope::FiguresGrid", row.name), this);
        name->setProperty("muted", true);
        auto *value = new QLabel(this);
        value->setProperty("figure", "small");
        for (QLabel *label : {name, value})
            label->setToolTip(QCoreApplication::translate("jetscope::FiguresGrid", row.meaning));
        m_names.push_back(name);
        m_values.push_back(value);
    }
    m_reason->setWordWrap(true);
    m_reason->setProperty("muted", true);
    m_reason->hide();
    arrange(kMostColumns);
}

void FiguresGrid::arrange(int columns)
{
    if (columns == m_columns)
        return;
    m_columns = columns;
    auto *grid = static_cast<QGridLayout *>(layout());
    while (grid->count() > 0)
        delete grid->takeAt(0);
    const int count = static_cast<int>(m_values.size());
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        grid->addWidget(m_names[at], i / columns, i % columns * 2);
        grid->addWidget(m_values[at], i / columns, i % columns * 2 + 1);
    }
    for (int column = 0; column < kMostColumns; ++column)
        grid->setColumnStretch(column * 2 + 1, column < columns ? 1 : 0);
    grid->addWidget(m_reason, (count + columns - 1) / columns, 0, 1, columns * 2);
}

/// The width that so many columns need for all of their text.
int FiguresGrid::widthOf(int columns) const
{
    int width = (2 * columns - 1) * kGridSpacing;
    for (int column = 0; column < columns; ++column) {
        int name = 0;
        int value = 0;
        for (auto i = static_cast<std::size_t>(column); i < m_values.size(); i += static_cast<std::size_t>(columns)) {
            name = std::max(name, m_names[i]->sizeHint().width());
            value = std::max(value, m_values[i]->sizeHint().width());
        }
        width += name + value;
    }
    return width;
}

void FiguresGrid::fit()
{
    int columns = kMostColumns;
    while (columns > 1 && widthOf(columns) > width())
        --columns;
    arrange(columns);
}

QSize FiguresGrid::minimumSizeHint() const
{
    return {widthOf(1), QWidget::minimumSizeHint().height()};
}

void FiguresGrid::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
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
    fit();
}

void FiguresGrid::clear()
{
    for (QLabel *value : m_values)
        value->setText(QStringLiteral("–"));
    m_reason->hide();
}

} // namespace jetscope
