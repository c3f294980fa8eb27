// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardpage.h"

#include "core/board/boardwords.h"
#include "core/enumtable.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jetscope {

namespace {

constexpr int kValuesRole = Qt::UserRole;
constexpr int kTopRole = Qt::UserRole + 1;
constexpr int kHistoryMargin = 3;

/// Draws the values of a row as a line from the left, the newest at the right. Unknown values (NaN) are gaps.
class HistoryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const auto values = index.data(kValuesRole).value<QList<double>>();
        const auto [low, high] = rangeOf(values, index.data(kTopRole).toDouble());
        if (!(high > low))
            return;
        const QRectF area =
            QRectF(option.rect).adjusted(kHistoryMargin, kHistoryMargin, -kHistoryMargin, -kHistoryMargin);
        const double step = area.width() / (BoardPage::kHistoryValues - 1);
        const double first = area.right() - step * static_cast<double>(values.size() - 1);
        QPolygonF line;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(theme().accentText, 1.2));
        for (qsizetype i = 0; i < values.size(); ++i) {
            if (std::isfinite(values[i]))
                line << QPointF(first + step * static_cast<double>(i),
                                area.bottom() - (values[i] - low) / (high - low) * area.height());
            if (!std::isfinite(values[i]) || i + 1 == values.size()) {
                painter->drawPolyline(line);
                line.clear();
            }
        }
        painter->restore();
    }

private:
    /// From 0 to the highest value that is possible, or that was seen.
    static std::pair<double, double> rangeOf(const QList<double> &values, double top)
    {
        double low = 0;
        double high = top;
        for (const double value : values)
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        return {low, high > low ? high : low + 1};
    }
};

/// "GPU clock" of the group GPU stays; "temperature AO-therm" of the group Temperature becomes "AO-therm".
QString nameInGroup(const BoardItem &item)
{
    QString name = toQString(item.name);
    for (const QString &group : {QStringLiteral("temperature "), QStringLiteral("power ")})
        if ((item.part == BoardPart::Temperature || item.part == BoardPart::Power) && name.startsWith(group))
            name.remove(0, group.size());
    return name.left(1).toUpper() + name.mid(1);
}

} // namespace

BoardPage::BoardPage(QWidget *parent) : QTreeWidget(parent)
{
    setColumnCount(Columns);
    setMachine({});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    header()->setSectionResizeMode(Name, QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(Value, QHeaderView::ResizeToContents);
    setItemDelegateForColumn(History, new HistoryDelegate(this));
}

void BoardPage::setMachine(const QString &name)
{
    setAccessibleName(tr("Values of %1").arg(name.isEmpty() ? tr("this machine") : name));
    setHeaderLabels({name.isEmpty() ? tr("This machine") : name, tr("Now"), tr("Last minute")});
    clear();
    m_facts.reset();
}

QTreeWidgetItem *BoardPage::section(const QString &title)
{
    auto *item = new QTreeWidgetItem(this, {title});
    QFont bold = font();
    bold.setBold(true);
    item->setFont(Name, bold);
    item->setFirstColumnSpanned(true);
    item->setExpanded(true);
    return item;
}

void BoardPage::identityRow(QTreeWidgetItem *parent, const QString &name, const Reading<std::string> &value)
{
    const QString text = value.known() ? toQString(*value.value) : tr("unknown");
    auto *row = new QTreeWidgetItem(parent, {name, text});
    row->setToolTip(Value, value.known() ? text : toQString(value.reason));
    if (!value.known())
        row->setText(History, toQString(value.reason));
}

void BoardPage::build(const BoardFacts &facts)
{
    clear();
    QTreeWidgetItem *machine = section(tr("Machine"));
    const BoardIdentity &identity = facts.identity;
    identityRow(machine, tr("Model"), identity.model);
    if (identity.isJetson()) {
        identityRow(machine, tr("Module"), identity.module);
        identityRow(machine, tr("Chip"), identity.chip);
        identityRow(machine, tr("L4T"),
                    identity.l4t.known() ? Reading<std::string>(identity.l4t.value->text())
                                         : Reading<std::string>(sentence(identity.l4t.reason)));
        identityRow(machine, tr("JetPack"), identity.jetpack);
    }
    identityRow(machine, tr("Kernel"), identity.kernel);
    m_limits = new QTreeWidgetItem(machine, {tr("Clocks limited by"), QString()});
    if (!facts.nvmlReason.empty())
        identityRow(machine, tr("NVML"), sentence(facts.nvmlReason));
    m_rows.assign(facts.layout.items.size(), nullptr);
    for (std::size_t part = 0; part < enumCount<BoardPart>(); ++part) {
        QTreeWidgetItem *group = nullptr;
        for (std::size_t i = 0; i < facts.layout.items.size(); ++i) {
            const BoardItem &item = facts.layout.items[i];
            if (item.part != static_cast<BoardPart>(part))
                continue;
            if (!group)
                group = section(toQString(partName(item.part)));
            m_rows[i] = new QTreeWidgetItem(group, {nameInGroup(item)});
            m_rows[i]->setData(History, kTopRole, item.most);
        }
    }
}

void BoardPage::showValue(std::size_t index, const BoardItem &item, const Reading<double> &reading)
{
    QTreeWidgetItem &row = *m_rows[index];
    row.setText(Value, toQString(readingText(item, reading, m_facts->layout.modes)));
    const QString reason = reading.known() ? QString() : toQString(reading.reason);
    row.setToolTip(Value, reason);
    if (!item.unavailable.empty()) {
        row.setText(History, reason);
        return;
    }
    auto values = row.data(History, kValuesRole).value<QList<double>>();
    values.append(reading.value.value_or(std::numeric_limits<double>::quiet_NaN()));
    if (values.size() > kHistoryValues)
        values.removeFirst();
    row.setData(History, kValuesRole, QVariant::fromValue(values));
}

void BoardPage::show(const std::shared_ptr<const BoardFacts> &facts, const BoardState &state)
{
    if (m_facts != facts) {
        m_facts = facts;
        build(*facts);
    }
    QStringList limits;
    for (const std::string &limit : state.limits)
        limits.append(toQString(limit));
    m_limits->setText(Value, limits.isEmpty() ? tr("nothing that is known") : limits.join(QStringLiteral(", ")));
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        showValue(i, facts->layout.items[i], state.values[i]);
}

} // namespace jetscope
