// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/figuresgrid.h"

#include "core/figures/figuretable.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kMaxColumns = 3;
constexpr int kGridSpacing = 6;

struct Row {
    QString name;
    QString meaning;
};

/// Of the table, what a range has like a frame.
std::vector<Figure> figuresOfRanges()
{
    std::vector<Figure> figures;
    for (const FigureRow &row : figureTable())
        if (row.sum == FigureSum::Pooled || (row.sum == FigureSum::Mean && row.figure != Figure::Period))
            figures.push_back(row.figure);
    return figures;
}

/// Same order as figureTexts.
std::vector<Row> gridRows()
{
    std::vector<Row> rows;
    for (const Figure figure : figuresOfRanges())
        rows.push_back({toQString(rowOf(figure).shortLabel), toQString(rowOf(figure).meaning)});
    rows.push_back({FiguresGrid::tr("both"), FiguresGrid::tr("CPU and GPU busy at the same time")});
    rows.push_back({FiguresGrid::tr("idle"), FiguresGrid::tr("Neither CPU nor GPU busy")});
    rows.push_back({FiguresGrid::tr("frames"), FiguresGrid::tr("Whose period touches the range")});
    rows.push_back({FiguresGrid::tr("spans"), FiguresGrid::tr("That touch the range")});
    return rows;
}

/// Texts of times with their share of the range.
class RangeTexts {
public:
    explicit RangeTexts(const RangeFigures &figures)
        : m_figures(figures),
          m_wholeNs(static_cast<double>(std::max<std::int64_t>(1, figures.range.endNs - figures.range.startNs)))
    {
        static_cast<FrameAmounts &>(m_asFrame) = figures.amounts();
        m_asFrame.overlap = figures.overlap;
    }

    QString time(std::int64_t ns) const { return QStringLiteral("%1 · %2").arg(durationText(ns), share(ns)); }
    QString ifGpu(const QString &text) const { return m_figures.hasGpuLanes ? text : unknown(); }
    FigureText of(Figure figure) const
    {
        FigureText text{toQString(rowOf(figure).shortLabel), {}};
        switch (figure) {
        case Figure::Overlap:
            text.value = overlapText(m_figures.overlap);
            text.reason = m_figures.hasGpuLanes ? toQString(m_figures.overlap.overlapReason())
                                                : FiguresGrid::tr("the trace has nothing of the GPU's work");
            break;
        case Figure::Headroom: {
            const auto headroom = m_figures.headroom.ratio();
            text.value = headroom ? percentText(*headroom) : unknown();
            text.reason = toQString(m_figures.headroom.reason());
            break;
        }
        case Figure::GpuBusy:
            text.value = ifGpu(gpuBusy());
            break;
        case Figure::Parallelism:
            text.value = ifGpu(asOfFrame(figure));
            break;
        default:
            text.value = asOfFrame(figure);
        }
        return text;
    }

private:
    static QString unknown() { return FiguresGrid::tr("not known"); }
    QString share(std::int64_t ns) const { return percentText(static_cast<double>(ns) / m_wholeNs); }
    QString gpuBusy() const
    {
        const Overlap &overlap = m_figures.overlap;
        return overlap.gpuBoundedNs == 0
            ? time(overlap.gpuNs)
            : QStringLiteral("%1 · %2 – %3")
                  .arg(gpuBusyText(overlap), share(overlap.gpuAtLeastNs()), share(overlap.gpuNs));
    }
    QString asOfFrame(Figure figure) const
    {
        const FigureRow &row = rowOf(figure);
        const double value = row.ofFrame(m_asFrame).value_or(0);
        if (row.unit == FigureUnit::Milliseconds)
            return time(std::llround(value * 1e6));
        return toQString(figureText(figure, value, Digits::Few));
    }

    const RangeFigures &m_figures;
    double m_wholeNs;
    FrameFigures m_asFrame; ///< The range as if it were one frame.
};

} // namespace

std::vector<FigureText> figureTexts(const RangeFigures &figures)
{
    const RangeTexts range(figures);
    std::vector<FigureText> texts;
    for (const Figure figure : figuresOfRanges())
        texts.push_back(range.of(figure));
    texts.push_back({FiguresGrid::tr("both"), range.ifGpu(range.time(figures.overlap.bothNs))});
    texts.push_back({FiguresGrid::tr("idle"), range.ifGpu(range.time(figures.overlap.idleNs))});
    texts.push_back({FiguresGrid::tr("frames"), QStringLiteral("%L1").arg(figures.frames)});
    texts.push_back({FiguresGrid::tr("spans"), QStringLiteral("%L1").arg(figures.spans)});
    return texts;
}

FiguresGrid::FiguresGrid(QWidget *parent) : QWidget(parent), m_reason(new QLabel(this))
{
    auto *grid = makeInnerLayout<QGridLayout>(this);
    grid->setHorizontalSpacing(kGridSpacing);
    grid->setVerticalSpacing(1);
    for (const Row &row : gridRows()) {
        auto *name = new QLabel(row.name, this);
        name->setProperty("muted", true);
        auto *value = new QLabel(this);
        value->setProperty("figure", "small");
        for (QLabel *label : {name, value})
            label->setToolTip(row.meaning);
        m_names.push_back(name);
        m_values.push_back(value);
    }
    m_reason->setWordWrap(true);
    m_reason->setProperty("muted", true);
    m_reason->hide();
    arrange(kMaxColumns);
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
    for (int column = 0; column < kMaxColumns; ++column)
        grid->setColumnStretch(column * 2 + 1, column < columns ? 1 : 0);
    grid->addWidget(m_reason, (count + columns - 1) / columns, 0, 1, columns * 2);
    updateGeometry(); // Fewer columns are higher.
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
    int columns = kMaxColumns;
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
    const std::vector<FigureText> texts = figureTexts(figures);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        m_values[i]->setText(texts[i].value);
        const QString meaning = m_names[i]->toolTip();
        m_values[i]->setToolTip(texts[i].reason.isEmpty() ? meaning : meaning + u'\n' + texts[i].reason);
    }
    const QString why = RangeTexts(figures).of(Figure::Overlap).reason;
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
