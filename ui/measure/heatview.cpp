// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/heatview.h"

#include "ui/measure/heatsigns.h"
#include "ui/style/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr int kCellGap = 2; ///< Between cells.
constexpr int kSignSize = 12;
constexpr int kMinCellHeight = 22;
constexpr int kMaxCellHeight = 40;
constexpr int kMinCellWidth = 78;
constexpr int kMaxCellWidth = 190;
constexpr int kFigureSize = 12; ///< Pixels.
constexpr int kSwatch = 12;
constexpr int kLegendGap = 14;

/// Paints a cell: ground, sign, figure, and a line around the current one.
class HeatDelegate : public QStyledItemDelegate {
public:
    explicit HeatDelegate(const HeatView &view) : QStyledItemDelegate(const_cast<HeatView *>(&view)), m_view(view) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &colors = theme();
        const HeatCell cell = m_view.cells().cellAt(index);
        const QRect room = option.rect.adjusted(0, 0, -kCellGap, -kCellGap);
        paintHeatGround(*painter, room, cell, colors);
        const bool measured = cell.state == HeatCell::State::Measured;
        const QColor ink = measured ? colors.text : cell.state == HeatCell::State::Failed ? colors.bad : colors.muted;
        const int top = room.center().y() - kSignSize / 2;
        const HeatSign sign = signOf(cell);
        const bool hazards = measured && cell.row->hazards > 0;
        paintHeatSign(*painter, {room.left() + 5, top, kSignSize, kSignSize}, sign, ink);
        if (hazards)
            paintHeatSign(*painter, {room.right() - 4 - kSignSize, top, kSignSize, kSignSize}, HeatSign::Hazard, ink);
        QFont font = paintedFont(option.font, kFigureSize);
        font.setBold(sign == HeatSign::Best);
        painter->setFont(font);
        painter->setPen(ink);
        const int left = sign == HeatSign::None ? 3 : kSignSize + 6;
        const QRect place = room.adjusted(left, 0, hazards ? -kSignSize - 6 : -3, 0);
        const QString text = index.data().toString();
        const QFontMetrics metrics(font);
        const QString shown = metrics.elidedText(text, Qt::ElideRight, place.width());
        const QRect around = metrics.boundingRect(shown).adjusted(-3, 0, 3, 0);
        if (cell.state == HeatCell::State::LeftOut) { // The text must be readable on the hatching.
            QRect behind(0, 0, around.width(), metrics.height());
            behind.moveCenter(place.center());
            painter->fillRect(behind, colors.panel);
        }
        painter->drawText(place, Qt::AlignCenter | Qt::TextSingleLine, shown);
        if (m_view.currentIndex() == index) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(m_view.hasFocus() ? colors.accentText : colors.muted, 1.5));
            painter->drawRect(QRectF(room).adjusted(3, 3, -3, -3));
        }
    }

private:
    const HeatView &m_view;
};

} // namespace

HeatView::HeatView(QWidget *parent) : QTableView(parent), m_cells(new HeatModel(this))
{
    setObjectName(QStringLiteral("heatMap"));
    setAccessibleName(HeatView::tr("Heat map of the sweep: memory kinds by synchronization"));
    setModel(m_cells);
    setItemDelegate(new HeatDelegate(*this));
    setSelectionMode(QAbstractItemView::NoSelection); // The delegate marks the current cell.
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setCornerButtonEnabled(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (QHeaderView *header : {horizontalHeader(), verticalHeader()}) {
        header->setSectionsClickable(false);
        header->setHighlightSections(false);
        header->setSectionResizeMode(QHeaderView::Fixed);
        header->setMinimumSectionSize(fontScaled(kMinCellHeight));
    }
    horizontalHeader()->setDefaultAlignment(Qt::AlignCenter);
    verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setTabKeyNavigation(false); // Tab leaves the table.
    connect(this, &QTableView::clicked, this, &HeatView::opened);
    connect(m_cells, &QAbstractItemModel::modelReset, this, &HeatView::fitCells);
}

/// The cells fill the view as far as they stay readable and do not become posters.
void HeatView::fitCells()
{
    const int rows = std::max(1, m_cells->rowCount());
    const int columns = std::max(1, m_cells->columnCount());
    const QSize room =
        maximumViewportSize() - QSize(verticalHeader()->sizeHint().width(), horizontalHeader()->sizeHint().height());
    verticalHeader()->setDefaultSectionSize(
        std::clamp(room.height() / rows, fontScaled(kMinCellHeight), fontScaled(kMaxCellHeight)));
    horizontalHeader()->setDefaultSectionSize(
        std::clamp(room.width() / columns, fontScaled(kMinCellWidth), fontScaled(kMaxCellWidth)));
}

void HeatView::resizeEvent(QResizeEvent *event)
{
    fitCells();
    QTableView::resizeEvent(event);
}

void HeatView::keyPressEvent(QKeyEvent *event)
{
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (opens && currentIndex().isValid())
        emit opened(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

HeatLegend::HeatLegend(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("heatLegend"));
    setToolTip(tr("★ the best combination; ≈ not shown to be worse than the best; hatched: not available, the tooltip "
                  "says why; × failed; a triangle: accesses that broke a rule for shared memory"));
    setAccessibleName(tr("Legend"));
    setAccessibleDescription(toolTip());
}

void HeatLegend::setEnds(const QString &best, const QString &worst)
{
    m_best = best;
    m_worst = worst;
    update();
}

QSize HeatLegend::sizeHint() const
{
    return {200, fontMetrics().height() + 4};
}

QSize HeatLegend::minimumSizeHint() const
{
    return {50, sizeHint().height()};
}

/// What does not fit is left out; the tooltip has all.
void HeatLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &colors = theme();
    const int top = (height() - kSwatch) / 2;
    int x = 2;
    const auto word = [&](const QString &text) {
        painter.setPen(colors.muted);
        const int width = fontMetrics().horizontalAdvance(text);
        painter.drawText(QRect(x, 0, width + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, text);
        x += width;
    };
    const auto fits = [&](const QString &text, int beside) {
        return x + beside + fontMetrics().horizontalAdvance(text) <= width();
    };
    const int scale = static_cast<int>(colors.heat.size()) * kSwatch + 10;
    if (!m_best.isEmpty() && fits(m_best + m_worst, scale)) {
        word(m_best);
        x += 5;
        for (const QColor &color : colors.heat) {
            painter.fillRect(QRect(x, top, kSwatch, kSwatch), color);
            x += kSwatch;
        }
        x += 5;
        word(m_worst);
        x += kLegendGap;
    }
    const std::pair<HeatSign, QString> signs[] = {{HeatSign::Best, tr("best")},
                                                  {HeatSign::Tie, tr("not shown to be worse")},
                                                  {HeatSign::None, tr("not available")},
                                                  {HeatSign::Failed, tr("failed")},
                                                  {HeatSign::Hazard, tr("hazards")}};
    for (const auto &[sign, text] : signs) {
        const int width = sign == HeatSign::None ? 2 * kSwatch : kSwatch;
        if (!fits(text, width + 4))
            return;
        const QRect room(x, top, width, kSwatch);
        HeatCell leftOut;
        leftOut.state = HeatCell::State::LeftOut;
        if (sign == HeatSign::None)
            paintHeatGround(painter, room, leftOut, colors);
        else
            paintHeatSign(painter, room, sign, sign == HeatSign::Failed ? colors.bad : colors.text);
        x += width + 4;
        word(text);
        x += kLegendGap;
    }
}

} // namespace jetscope
