// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/controls/baselinetable.h"

#include "ui/icons.h"
#include "ui/style.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace jetscope {

BaselineTable::BaselineTable(QWidget *parent)
    : QWidget(parent),
      m_pin(new QPushButton(glyphIcon(Glyph::Pin), tr("Pin as baseline A"), this)),
      m_hint(new QLabel(tr("Pin the present figures, then switch: the differences appear here."), this)),
      m_table(new QWidget(this)),
      m_grid(new QGridLayout(m_table))
{
    setAccessibleName(tr("Now, against the pinned baseline"));
    m_pin->setObjectName(QStringLiteral("pinBaseline"));
    m_pin->setToolTip(tr("Keeps the present figures as baseline A, to compare later choices with (Ctrl+B)"));
    m_pin->setAccessibleDescription(m_pin->toolTip());
    m_pin->setEnabled(false);
    m_hint->setWordWrap(true);
    m_hint->setProperty("muted", true);

    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setVerticalSpacing(0);
    m_grid->setHorizontalSpacing(0);
    for (int row = 0; row < kRows; ++row) {
        for (int column = 0; column < kColumns; ++column) {
            auto *label = new QLabel(m_table);
            label->setAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            label->setProperty("table", row == 0 ? "title" : column == 0 ? "name" : "value");
            label->setContentsMargins(0, 0, 2, 0);
            m_grid->addWidget(label, row, column);
        }
    }
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnMinimumWidth(3, 50);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_table);
    column->addWidget(m_hint);
    column->addWidget(m_pin);
    connect(m_pin, &QPushButton::clicked, this, &BaselineTable::pin);
    refresh();
}

QLabel *BaselineTable::cell(int row, int column) const
{
    return static_cast<QLabel *>(m_grid->itemAtPosition(row, column)->widget());
}

void BaselineTable::setNow(const Baseline &now)
{
    m_now = now;
    m_pin->setEnabled(now.figures.frames > 0);
    refresh();
}

void BaselineTable::pin()
{
    if (m_now.figures.frames == 0)
        return;
    m_baseline = m_now;
    refresh();
}

void BaselineTable::refresh()
{
    m_table->setVisible(m_baseline.has_value());
    m_hint->setVisible(!m_baseline);
    if (m_baseline)
        show(compareWithBaseline(m_baseline->figures, m_now.figures));
}

void BaselineTable::show(const std::vector<ComparisonRow> &rows)
{
    const ComparisonTitles titles = comparisonTitles(m_baseline->config, m_now.config);
    cell(0, 1)->setText(tr("A %1").arg(titles.before));
    cell(0, 2)->setText(tr("now %1").arg(titles.now));
    cell(0, 3)->setText(QStringLiteral("Δ"));
    int line = 1;
    for (const ComparisonRow &row : rows) {
        cell(line, 0)->setText(row.name);
        cell(line, 1)->setText(row.before);
        cell(line, 2)->setText(row.now);
        QLabel *delta = cell(line, 3);
        delta->setText(row.delta);
        const bool same = row.trend == ComparisonRow::Trend::Same;
        const bool better = row.trend == ComparisonRow::Trend::Better;
        const QString word = same ? tr("no change") : better ? tr("better") : tr("worse");
        delta->setToolTip(word);
        delta->setAccessibleName(tr("%1: %2, %3").arg(row.name, row.delta, word));
        setStyleKind(delta, "trend", same ? "same" : better ? "good" : "bad");
        ++line;
    }
}

} // namespace jetscope
