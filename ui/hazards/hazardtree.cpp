// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/hazardtree.h"

#include "ui/hazards/hazarddetails.h"
#include "ui/style/icons.h"

#include <QEvent>
#include <QHeaderView>
#include <QResizeEvent>
#include <QStyledItemDelegate>

namespace jetscope {

namespace {

constexpr int kIndentation = 16;
constexpr int kFigureSpaces = 6; ///< Width of a column of figures, in heights of a line.

int depthOf(const QModelIndex &index)
{
    int depth = 1;
    for (QModelIndex parent = index.parent(); parent.isValid(); parent = parent.parent())
        ++depth;
    return depth;
}

/// Gives rows the height that their wrapped text needs; QTreeView itself counts one line.
class WrappedRows : public QStyledItemDelegate {
public:
    explicit WrappedRows(QTreeView &view) : QStyledItemDelegate(&view), m_view(view) {}

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        if (index.column() != HazardTree::What || index.data(Qt::SizeHintRole).isValid())
            return size;
        constexpr int kMargins = 10;
        const bool isSpanned = m_view.isFirstColumnSpanned(index.row(), index.parent());
        const int icon = index.data(Qt::DecorationRole).isNull() ? 0 : option.decorationSize.width() + 6;
        const int width = (isSpanned ? m_view.viewport()->width() : m_view.columnWidth(HazardTree::What))
            - depthOf(index) * m_view.indentation() - icon - kMargins;
        const QFontMetrics metrics(isSpanned ? qvariant_cast<QFont>(index.data(Qt::FontRole)) : option.font);
        const QRect text =
            metrics.boundingRect(QRect(0, 0, std::max(width, 1), 10000), Qt::TextWordWrap, index.data().toString());
        size.setHeight(std::max(size.height(), text.height() + 6));
        return size;
    }

private:
    QTreeView &m_view;
};

QString orDash(const std::optional<quint64> &frame)
{
    return frame ? QString::number(*frame) : QStringLiteral("–");
}

} // namespace

HazardTree::HazardTree(const FoundHazards &hazards, QWidget *parent) : QTreeWidget(parent), m_hazards(hazards)
{
    setAccessibleName(tr("Hazards"));
    setToolTip(tr("A row unfolds by a click on its arrow or the right arrow key; Enter or a double click shows its "
                  "first occurrence on the timeline"));
    setColumnCount(Columns);
    setHeaderLabels({tr("What happened"), tr("Rule"), tr("Count"), tr("First frame"), tr("Last frame")});
    setWordWrap(true);
    setIndentation(kIndentation);
    setExpandsOnDoubleClick(false);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setItemDelegate(new WrappedRows(*this));
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(2 * fontMetrics().height());
    header()->setSectionResizeMode(What, QHeaderView::Stretch);
    for (const int column : {RuleName, Count, FirstFrame, LastFrame}) {
        header()->resizeSection(column, kFigureSpaces * fontMetrics().height());
        if (column != RuleName)
            headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (const int column : {RuleName, Count})
        header()->resizeSection(column, kFigureSpaces * fontMetrics().height() * 2 / 3);
    connect(header(), &QHeaderView::sectionResized, this, [this] { scheduleDelayedItemsLayout(); });
    connect(this, &QTreeWidget::itemExpanded, this, [this](const QTreeWidgetItem *item) {
        const auto index = indexOf(item);
        if (!index)
            return;
        makeDetails(*index);
        if (hasFocus()) // The user unfolded it.
            showDetails(*index);
    });
    connect(this, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem *item) {
        if (const auto index = indexOf(item); index && item == m_rows[*index].item)
            emit chosen(*index);
    });
    connect(this, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem *item) {
        if (const auto index = indexOf(item))
            emit opened(*index);
    });
}

QTreeWidgetItem *HazardTree::groupItem(HazardGroup group)
{
    QTreeWidgetItem *&item = m_groups[static_cast<std::size_t>(group)];
    if (item)
        return item;
    int place = 0;
    for (std::size_t before = 0; before < static_cast<std::size_t>(group); ++before)
        place += m_groups[before] != nullptr;
    item = new QTreeWidgetItem;
    insertTopLevelItem(place, item);
    QFont bold = font();
    bold.setBold(true);
    item->setFont(What, bold);
    item->setFirstColumnSpanned(true);
    item->setExpanded(true);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    return item;
}

void HazardTree::addRow(std::size_t index)
{
    const FoundHazard &hazard = m_hazards.all()[index];
    QTreeWidgetItem *group = groupItem(hazard.group);
    auto *item = new QTreeWidgetItem(group, {hazard.text, hazard.ruleName});
    item->setData(What, Qt::UserRole, static_cast<qulonglong>(index));
    if (hazard.group != HazardGroup::Costs)
        item->setIcon(What, glyphIcon(Glyph::Warning));
    for (int column = 0; column < Columns; ++column)
        item->setTextAlignment(column, (column >= Count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    auto *place = new QTreeWidgetItem(item);
    place->setFirstColumnSpanned(true);
    place->setFlags(Qt::ItemIsEnabled);
    place->setSizeHint(What, QSize(0, 0));
    m_rows.push_back({item, place, nullptr});
    group->setText(
        What,
        QStringLiteral("%1 (%2): %3")
            .arg(groupTitle(hazard.group), QString::number(group->childCount()), groupMeaning(hazard.group)));
}

void HazardTree::showHazard(std::size_t index)
{
    const bool isFirst = m_rows.empty();
    if (index >= m_rows.size())
        addRow(index);
    const FoundHazard &hazard = m_hazards.all()[index];
    QTreeWidgetItem *item = m_rows[index].item;
    item->setText(Count, QString::number(hazard.count));
    item->setText(FirstFrame, orDash(hazard.firstFrame));
    item->setText(LastFrame, orDash(hazard.lastFrame));
    if (isFirst)
        item->setExpanded(true); // Shows that rows have details.
}

void HazardTree::restart()
{
    clear();
    m_rows.clear();
    m_groups = {};
}

std::optional<std::size_t> HazardTree::indexOf(const QTreeWidgetItem *item) const
{
    if (item && item->parent() && item->parent()->parent())
        item = item->parent(); // The details belong to their row.
    if (!item || !item->parent())
        return std::nullopt;
    return static_cast<std::size_t>(item->data(What, Qt::UserRole).toULongLong());
}

void HazardTree::makeDetails(std::size_t index)
{
    Row &row = m_rows[index];
    if (row.details)
        return;
    const FoundHazard &hazard = m_hazards.all()[index];
    row.details = new HazardDetails(hazard);
    connect(row.details, &HazardDetails::remedyWanted, this, &HazardTree::remedyWanted);
    connect(row.details, &HazardDetails::frameWanted, this, [this, index] { emit opened(index); });
    connect(row.details, &HazardDetails::changed, this, &HazardTree::fitDetails, Qt::QueuedConnection);
    showRemedy(hazard, *row.details);
    setItemWidget(row.place, What, row.details);
    row.details->focusAfter(this);
    fitDetails();
}

/// Scrolls if the details would be below the edge.
void HazardTree::showDetails(std::size_t index)
{
    doItemsLayout();
    const Row &row = m_rows[index];
    if (visualItemRect(row.place).bottom() > viewport()->height())
        scrollToItem(row.item, QAbstractItemView::PositionAtTop);
}

void HazardTree::showRemedy(const FoundHazard &hazard, HazardDetails &details) const
{
    details.setRemedy(m_config && hazard.rule ? remedyFor(hazard.rule->id, *m_config, m_facts) : std::nullopt);
}

void HazardTree::setChoices(const std::optional<PipelineConfig> &config, const DeviceFacts &facts)
{
    if (config == m_config && facts.id == m_facts.id)
        return;
    m_config = config;
    m_facts = facts;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].details)
            showRemedy(m_hazards.all()[i], *m_rows[i].details);
    fitDetails();
}

void HazardTree::fitDetails()
{
    const int width = viewport()->width() - 3 * indentation();
    for (const Row &row : m_rows)
        if (row.details)
            row.place->setSizeHint(What, row.details->fitWidth(width));
}

void HazardTree::resizeEvent(QResizeEvent *event)
{
    QTreeWidget::resizeEvent(event);
    fitDetails();
}

void HazardTree::changeEvent(QEvent *event)
{
    QTreeWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        fitDetails();
        scheduleDelayedItemsLayout();
    }
}

} // namespace jetscope
