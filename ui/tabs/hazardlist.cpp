// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tabs/hazardlist.h"

#include "ui/icons.h"
#include "ui/text.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace jetscope {

namespace {

enum HazardColumn { What, Count, FirstFrame, LastFrame, Columns };
constexpr int kMostRows = 1000; ///< A thousand different texts are more than anybody reads.

} // namespace

HazardList::HazardList(QWidget *parent) : QWidget(parent), m_list(new QTreeWidget(this)), m_empty(new QLabel(this))
{
    m_list->setAccessibleName(tr("Hazards"));
    m_list->setColumnCount(Columns);
    m_list->setHeaderLabels({tr("What happened"), tr("Count"), tr("First frame"), tr("Last frame")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(What, QHeaderView::Stretch);
    m_empty->setText(tr("No access broke the documented rules of CUDA, EGL and OpenGL ES so far."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("muted", true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_empty, 1);
    column->addWidget(m_list, 1);
    clear();
}

QTreeWidgetItem *HazardList::rowOf(const QString &text) const
{
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        if (m_list->topLevelItem(i)->text(What) == text)
            return m_list->topLevelItem(i);
    return nullptr;
}

void HazardList::add(const PipelineNotice &violation)
{
    const QString text = toQString(violation.text);
    QTreeWidgetItem *row = rowOf(text);
    if (!row) {
        if (rows() >= kMostRows)
            return;
        row = new QTreeWidgetItem(m_list, {text, QStringLiteral("0"), QString::number(violation.frame), QString()});
        row->setIcon(What, glyphIcon(Glyph::Warning));
        row->setToolTip(What, text);
    }
    row->setText(Count, QString::number(row->text(Count).toLongLong() + 1));
    row->setText(LastFrame, QString::number(violation.frame));
    m_empty->hide();
    m_list->show();
    emit rowsChanged(rows());
}

void HazardList::clear()
{
    m_list->clear();
    m_list->hide();
    m_empty->show();
    emit rowsChanged(0);
}

int HazardList::rows() const
{
    return m_list->topLevelItemCount();
}

} // namespace jetscope
