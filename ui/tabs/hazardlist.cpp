// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/tabs/hazardlist.h"

#include "ui/style/icons.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <utility>

namespace jetscope {

namespace {

enum HazardColumn { What, RuleName, Count, FirstFrame, LastFrame, Columns };
enum HazardDetail { Whole, Where, Why, Fix };
constexpr int kMostRows = 200; ///< More rows are not useful to read.
constexpr int kFigureWidth = 90;

/// Digits are replaced, so that the same rule broken in the same way at another address gives the same row.
QString keyOf(const PipelineNotice &violation)
{
    static const QRegularExpression digits(QStringLiteral("[0-9]+"));
    return toQString(violation.rule) + u'\n' + toQString(violation.text).replace(digits, QStringLiteral("#"));
}

/// Hazard texts have the form "what happened: why that is wrong".
std::pair<QString, QString> whatAndWhy(const QString &text)
{
    const qsizetype colon = text.indexOf(QStringLiteral(": "));
    return colon < 0 ? std::pair(text, QString()) : std::pair(text.left(colon) + u'.', text.mid(colon + 2));
}

/// Placeholder for details that the hazard checker did not provide.
QString orUnknown(const QString &text)
{
    if (text.isEmpty())
        return HazardList::tr("not known");
    return text.left(1).toUpper() + text.mid(1) + (text.endsWith(u'.') ? QString() : QStringLiteral("."));
}

} // namespace

HazardList::HazardList(QWidget *parent) : QWidget(parent), m_list(new QTreeWidget(this)), m_empty(new QLabel(this))
{
    m_list->setAccessibleName(tr("Hazards"));
    m_list->setToolTip(
        tr("Accesses that broke the documented rules; a row unfolds by a click on its arrow, a double click or "
           "the right arrow key"));
    m_list->setColumnCount(Columns);
    m_list->setHeaderLabels({tr("What happened"), tr("Rule"), tr("Count"), tr("First frame"), tr("Last frame")});
    m_list->setWordWrap(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(What, QHeaderView::Stretch);
    for (const int column : {RuleName, Count, FirstFrame, LastFrame})
        m_list->header()->resizeSection(column, kFigureWidth);
    m_empty->setText(tr("No access broke the documented rules of CUDA, EGL and OpenGL ES so far."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("muted", true);
    auto *column = makeInnerLayout<QVBoxLayout>(this);
    column->addWidget(m_empty, 1);
    column->addWidget(m_list, 1);
    clear();
}

QTreeWidgetItem *HazardList::addRow(const PipelineNotice &violation, quint64 frame)
{
    const auto [what, why] = whatAndWhy(toQString(violation.text));
    auto *row = new QTreeWidgetItem(
        m_list, {what, toQString(violation.rule), QStringLiteral("0"), QString::number(frame), QString()});
    row->setIcon(What, glyphIcon(Glyph::Warning));
    row->setToolTip(What, toQString(violation.text));
    for (const QString &text :
         {tr("What: %1").arg(toQString(violation.text)), QString(), tr("Why: %1").arg(orUnknown(why)),
          tr("Fix: %1").arg(orUnknown(toQString(violation.fix)))}) {
        auto *detail = new QTreeWidgetItem(row, {text});
        detail->setFirstColumnSpanned(true);
    }
    if (m_list->topLevelItemCount() == 1)
        row->setExpanded(true); // Expand the first row to show that rows have details.
    return row;
}

void HazardList::add(const PipelineNotice &violation, quint64 frame)
{
    QTreeWidgetItem *&row = m_rows[keyOf(violation)];
    if (!row) {
        if (rows() >= kMostRows) {
            m_rows.remove(keyOf(violation));
            return;
        }
        row = addRow(violation, frame);
    }
    row->setText(Count, QString::number(row->text(Count).toLongLong() + 1));
    row->setText(LastFrame, QString::number(frame));
    row->child(Where)->setText(What,
                               row->text(FirstFrame) == row->text(LastFrame)
                                   ? tr("Where: frame %1").arg(row->text(FirstFrame))
                                   : tr("Where: frames %1 to %2").arg(row->text(FirstFrame), row->text(LastFrame)));
    m_empty->hide();
    m_list->show();
    emit rowsChanged(rows());
}

void HazardList::clear()
{
    m_list->clear();
    m_rows.clear();
    m_list->hide();
    m_empty->show();
    emit rowsChanged(0);
}

int HazardList::rows() const
{
    return m_list->topLevelItemCount();
}

} // namespace jetscope
