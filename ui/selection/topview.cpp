// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/topview.h"

#include "ui/selection/sharebar.h"
#include "ui/style/layouts.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/tabletext.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace jetscope {

namespace {

constexpr int kTopRowHeight = 20;
constexpr int kFigureWidth = 54;
constexpr int kTopShareWidth = 48;
constexpr int kTopHistogramWidth = 92;
constexpr int kLeastNameWidth = 110;
/// The columns that stay in a narrow panel, in the order in which they come back.
constexpr std::array kByImportance = {TopModel::Own,    TopModel::Share, TopModel::Count,
                                      TopModel::Mean,   TopModel::P95,   TopModel::P99,
                                      TopModel::Median, TopModel::Whole, TopModel::Histogram};

int topColumnWidth(int column)
{
    return column == TopModel::Share    ? kTopShareWidth
        : column == TopModel::Histogram ? kTopHistogramWidth
                                        : kFigureWidth;
}

/// Paints the histogram of a row as bars.
class BinsDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const QVariantList bins = index.data(TopModel::kBinsRole).toList();
        unsigned most = 1;
        for (const QVariant &bin : bins)
            most = std::max(most, bin.toUInt());
        const QRect area = option.rect.adjusted(4, 2, -4, -2);
        const double width =
            static_cast<double>(area.width()) / static_cast<double>(std::max<qsizetype>(bins.size(), 1));
        for (qsizetype i = 0; i < bins.size(); ++i) {
            if (bins[i].toUInt() == 0)
                continue;
            const double height = std::max(1.0, static_cast<double>(bins[i].toUInt()) / most * area.height());
            painter->fillRect(QRectF(area.left() + static_cast<double>(i) * width, area.bottom() + 1 - height,
                                     std::max(1.0, width - 1), height),
                              index.siblingAtColumn(TopModel::Name).data(Qt::DecorationRole).value<QColor>());
        }
    }
};

} // namespace

TopView::TopView(QWidget *parent)
    : QWidget(parent),
      m_model(new TopModel(this)),
      m_kinds(new QButtonGroup(this)),
      m_base(new ShortenedLabel),
      m_table(new QTableView)
{
    auto *kinds = new QHBoxLayout;
    kinds->setSpacing(4);
    const std::array<std::pair<QString, int>, 5> names = {{{tr("All"), -1},
                                                           {tr("Kernels"), static_cast<int>(WorkKind::Kernel)},
                                                           {tr("Copies"), static_cast<int>(WorkKind::Copy)},
                                                           {tr("Calls"), static_cast<int>(WorkKind::Call)},
                                                           {tr("Ranges"), static_cast<int>(WorkKind::Range)}}};
    for (const auto &[name, kind] : names) {
        auto *button = new QPushButton(name);
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setChecked(kind < 0);
        button->setAccessibleName(tr("Show %1").arg(name));
        m_kinds->addButton(button, kind + 1);
        kinds->addWidget(button);
    }
    kinds->addStretch(1);
    m_base->setTextFormat(Qt::PlainText);
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(TopModel::Histogram, new BinsDelegate(m_table));
    m_table->setAccessibleName(tr("What took most of the time"));
    m_table->setSortingEnabled(true);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(scaledToFont(*this, kTopRowHeight));
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setMinimumSectionSize(kTopShareWidth);
    m_table->horizontalHeader()->setSortIndicator(TopModel::Own, Qt::DescendingOrder);
    m_table->horizontalHeader()->setSectionResizeMode(TopModel::Name, QHeaderView::Stretch);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this); // Also a scroll bar changes its size.
    setMinimumWidth(kLeastPanelWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(5);
    column->addLayout(kinds);
    column->addWidget(m_base);
    column->addWidget(m_table, 1);
    connect(m_kinds, &QButtonGroup::idClicked, this,
            [this](int id) { setKind(id == 0 ? std::nullopt : std::optional(static_cast<WorkKind>(id - 1))); });
    connect(m_table, &QTableView::clicked, this, [this] { step(1); });
    fitColumns();
    showBase();
}

void TopView::show(std::shared_ptr<const Trace> trace, std::shared_ptr<const TopTable> table)
{
    const QString current =
        m_table->currentIndex().isValid() ? m_model->nameOf(m_table->currentIndex().row()) : QString();
    m_model->show(std::move(trace), std::move(table));
    for (int row = 0; !current.isEmpty() && row < m_model->rowCount(); ++row)
        if (m_model->nameOf(row) == current) {
            m_table->selectRow(row);
            break;
        }
    showBase();
}

void TopView::clear()
{
    m_model->clear();
    showBase();
}

void TopView::setKind(std::optional<WorkKind> kind)
{
    m_kinds->button(kind ? static_cast<int>(*kind) + 1 : 0)->setChecked(true);
    m_model->setKind(kind);
    showBase();
}

QString TopView::base() const
{
    if (!m_model->table())
        return {};
    if (m_model->rowCount() == 0)
        return m_model->kind() ? tr("Nothing of this kind was recorded in this time.")
                               : tr("Nothing was recorded in this time.");
    const QString lanes = countText(m_model->table()->lanes, tr("1 lane"), tr("%L1 lanes"));
    const QString text = tr("%1 of own time on %2 in %3 = 100 %")
                             .arg(durationText(m_model->baseNs()), lanes,
                                  durationText(m_model->table()->time.endNs - m_model->table()->time.startNs));
    return m_model->leftOut() == 0 ? text
                                   : tr("%1; %L2 names with less are not listed").arg(text).arg(m_model->leftOut());
}

void TopView::showBase()
{
    m_base->setText(base());
    m_base->setToolTip(m_base->text());
}

QString TopView::text() const
{
    return base() + u'\n' + tableText(*m_model);
}

void TopView::unselect()
{
    m_table->clearSelection();
    m_table->setCurrentIndex({});
}

void TopView::step(int direction)
{
    if (m_table->currentIndex().isValid())
        emit stepWanted(m_model->placeOf(m_table->currentIndex().row()), direction);
}

bool TopView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    if (watched != m_table || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Right:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        step(1);
        return true;
    case Qt::Key_Left:
        step(-1);
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

/// Shows as many columns as leave room to read the names.
void TopView::fitColumns()
{
    int left = m_table->viewport()->width() - scaledToFont(*this, kLeastNameWidth);
    bool fits = true;
    for (const int column : kByImportance) {
        const int width = scaledToFont(*this, topColumnWidth(column));
        left -= width;
        fits = fits && left >= 0;
        m_table->setColumnHidden(column, !fits && column != TopModel::Own);
        m_table->setColumnWidth(column, width);
    }
}

} // namespace jetscope
