// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/controls/filtereditor.h"

#include "core/pipelineconfig.h"
#include "ui/controls/choicegroup.h"
#include "ui/style/icons.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr int kFilterRole = Qt::UserRole;
constexpr int kFewestRowsShown = 2;
constexpr int kMostRowsShown = 10; ///< Longer chains scroll within the list.

} // namespace

FilterEditor::FilterEditor(QWidget *parent)
    : QWidget(parent), m_list(new QListWidget(this)), m_add(new QToolButton(this))
{
    m_list->setObjectName(QStringLiteral("filterList"));
    m_list->setAccessibleName(tr("Filter chain, in order"));
    m_list->setToolTip(
        tr("Checked filters run from top to bottom. Space switches one off, Delete removes it, dragging it "
           "moves it."));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto *remove = new QShortcut(QKeySequence::Delete, m_list);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &FilterEditor::removeCurrent);
    makeAddMenu();
    m_up = makeButton(static_cast<int>(Glyph::Up), tr("Move up"), tr("Runs the selected filter earlier"));
    m_down = makeButton(static_cast<int>(Glyph::Down), tr("Move down"), tr("Runs the selected filter later"));
    m_remove =
        makeButton(static_cast<int>(Glyph::Close), tr("Remove"), tr("Takes the selected filter out of the chain"));

    auto *column = makeInnerLayout<QVBoxLayout>(this, 5);
    column->addWidget(m_list);
    auto *row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(m_add, 1);
    for (QToolButton *button : {m_up, m_down, m_remove})
        row->addWidget(button);
    column->addLayout(row);

    connect(m_up, &QToolButton::clicked, this, [this] { moveCurrent(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { moveCurrent(1); });
    connect(m_remove, &QToolButton::clicked, this, &FilterEditor::removeCurrent);
    connect(m_list, &QListWidget::itemChanged, this, &FilterEditor::announce);
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, &FilterEditor::announce);
    connect(m_list, &QListWidget::currentRowChanged, this, &FilterEditor::updateButtons);
    updateButtons();
}

/// A menu instead of a combo box: adding a filter is an action that needs a click or a key.
void FilterEditor::makeAddMenu()
{
    auto *menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    for (const Choice<Filter> &choice : choices<Filter>()) {
        QAction *action = menu->addAction(toQString(choice.label), this, [this, filter = choice.value] {
            append(filter);
            m_list->setCurrentRow(m_list->count() - 1);
            announce();
        });
        action->setData(static_cast<int>(choice.value));
        action->setToolTip(toQString(choice.help));
    }
    m_add->setObjectName(QStringLiteral("addFilter"));
    m_add->setText(tr("Add a filter…"));
    m_add->setAccessibleName(tr("Add a filter"));
    m_add->setToolTip(tr("Appends a filter to the chain"));
    m_add->setAccessibleDescription(m_add->toolTip());
    m_add->setMenu(menu);
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setFocusPolicy(Qt::StrongFocus);
    m_add->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QToolButton *FilterEditor::makeButton(int glyph, const QString &name, const QString &help)
{
    auto *button = new QToolButton(this);
    button->setIcon(glyphIcon(static_cast<Glyph>(glyph)));
    button->setAccessibleName(name);
    button->setToolTip(help);
    button->setAccessibleDescription(help);
    return button;
}

std::vector<Filter> FilterEditor::filters() const
{
    std::vector<Filter> out;
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->checkState() == Qt::Checked)
            out.push_back(static_cast<Filter>(m_list->item(row)->data(kFilterRole).toInt()));
    return out;
}

void FilterEditor::setFilters(const std::vector<Filter> &wanted)
{
    if (wanted == filters())
        return;
    m_filling = true;
    m_list->clear();
    for (const Filter filter : wanted)
        append(filter);
    m_filling = false;
    updateButtons();
}

void FilterEditor::setFacts(const DeviceFacts &facts)
{
    for (QAction *action : m_add->menu()->actions()) {
        const auto filter = static_cast<Filter>(action->data().toInt());
        const Availability available = availability(filter, {}, facts);
        action->setEnabled(available.legal());
        action->setToolTip(ChoiceGroup::explanation(toQString(choiceOf(filter).help), available));
    }
}

void FilterEditor::append(Filter filter)
{
    const bool wasFilling = std::exchange(m_filling, true);
    const Choice<Filter> &choice = choiceOf(filter);
    auto *item = new QListWidgetItem(toQString(choice.label), m_list);
    item->setData(kFilterRole, static_cast<int>(filter));
    item->setToolTip(toQString(choice.help));
    item->setFlags((item->flags() | Qt::ItemIsUserCheckable) & ~Qt::ItemIsDropEnabled);
    item->setCheckState(Qt::Checked);
    m_filling = wasFilling;
}

void FilterEditor::removeCurrent()
{
    if (m_list->currentRow() < 0)
        return;
    delete m_list->takeItem(m_list->currentRow());
    announce();
}

void FilterEditor::moveCurrent(int by)
{
    const int from = m_list->currentRow();
    const int to = from + by;
    if (from < 0 || to < 0 || to >= m_list->count())
        return;
    m_filling = true;
    m_list->insertItem(to, m_list->takeItem(from));
    m_filling = false;
    m_list->setCurrentRow(to);
    announce();
}

void FilterEditor::announce()
{
    if (m_filling)
        return;
    updateButtons();
    emit changed(filters());
}

void FilterEditor::updateButtons()
{
    const int row = m_list->currentRow();
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
    m_remove->setEnabled(row >= 0);
    m_add->setEnabled(m_list->count() < kMaxFilters);
    showAllRows();
}

/// Row heights change with the style.
bool FilterEditor::event(QEvent *event)
{
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::Polish || event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        showAllRows();
    return handled;
}

/// Makes the list as high as the chain, so that the wheel scrolls the panel instead of the list.
void FilterEditor::showAllRows()
{
    m_list->ensurePolished();
    const int row = std::max(m_list->sizeHintForRow(0), m_list->fontMetrics().height() + 4);
    const int rows = std::clamp(m_list->count(), kFewestRowsShown, kMostRowsShown);
    m_list->setFixedHeight(row * rows + 2 * m_list->frameWidth() + 2);
}

} // namespace jetscope
