// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/filtereditor.h"

#include "core/settings/filters.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/stages/stagetable.h"
#include "gpu/stages/vpi/vpistage.h"
#include "ui/live/stageloader.h"
#include "ui/live/stageoptions.h"
#include "ui/style/choicegroup.h"
#include "ui/style/icons.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>

#include <algorithm>
#include <optional>
#include <utility>

namespace jetscope {

namespace {

constexpr int kFilterRole = Qt::UserRole; ///< None while a stage is being tried.
constexpr int kPlaceRole = Qt::UserRole + 1;
constexpr const char *kHelp = "help"; ///< Property: the tooltip without the reason.
constexpr int kMinRowsShown = 2;
constexpr int kMaxRowsShown = 10; ///< Longer chains scroll within the list.

std::optional<Filter> filterOf(const QListWidgetItem *item)
{
    const QVariant filter = item ? item->data(kFilterRole) : QVariant();
    return filter.isValid() ? std::optional(static_cast<Filter>(filter.toInt())) : std::nullopt;
}

} // namespace

FilterEditor::FilterEditor(QWidget *parent)
    : QWidget(parent),
      m_list(new QListWidget(this)),
      m_add(new QToolButton(this)),
      m_options(new StageOptions(this)),
      m_loader(new StageLoader(this))
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
    column->addWidget(m_options);

    connect(m_up, &QToolButton::clicked, this, [this] { moveCurrent(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { moveCurrent(1); });
    connect(m_remove, &QToolButton::clicked, this, &FilterEditor::removeCurrent);
    connect(m_list, &QListWidget::itemChanged, this, &FilterEditor::announce);
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, &FilterEditor::announce);
    connect(m_list, &QListWidget::currentRowChanged, this, &FilterEditor::updateButtons);
    connect(m_list, &QListWidget::currentRowChanged, this, &FilterEditor::showOptions);
    connect(m_options, &StageOptions::wanted, this, &FilterEditor::wantCurrent);
    connect(m_loader, &StageLoader::loaded, this, &FilterEditor::stageLoaded);
    connect(m_loader, &StageLoader::refused, this, &FilterEditor::stageWasRefused);
    updateButtons();
}

/// A menu instead of a combo box: adding a filter is an action that needs a click or a key.
void FilterEditor::makeAddMenu()
{
    auto *menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    m_add->setMenu(menu);
    addStageActions();
    for (const Choice<Filter> &choice : choices<Filter>())
        addToMenu(choice);
    m_add->setObjectName(QStringLiteral("addFilter"));
    m_add->setText(tr("Add a filter…"));
    m_add->setAccessibleName(tr("Add a filter"));
    m_add->setToolTip(tr("Appends a filter to the chain"));
    m_add->setAccessibleDescription(m_add->toolTip());
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setFocusPolicy(Qt::StrongFocus);
    m_add->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

/// Above the entries that ask for a file, once.
void FilterEditor::addToMenu(const Choice<Filter> &choice)
{
    QMenu *const menu = m_add->menu();
    const QList<QAction *> all = menu->actions();
    const QVariant filter = static_cast<int>(choice.value);
    if (std::any_of(all.begin(), all.end(), [&](const QAction *each) { return each->data() == filter; }))
        return;
    auto *action = new QAction(toQString(choice.label), menu);
    connect(action, &QAction::triggered, this, [this, added = choice.value] {
        if (isFull()) // Entries can be reached while the button is disabled.
            return;
        append(added);
        m_list->setCurrentRow(m_list->count() - 1);
        announce();
    });
    action->setData(filter);
    action->setToolTip(toQString(choice.help));
    const auto separator = std::find_if(all.begin(), all.end(), [](QAction *each) { return each->isSeparator(); });
    menu->insertAction(*separator, action);
}

void FilterEditor::addStageActions()
{
    QMenu *const menu = m_add->menu();
    menu->addSeparator();
    const auto add = [&](const char *scheme, const QString &text, const QString &title, const QString &files,
                         const QString &help) {
        QAction *action = menu->addAction(text, this, [=, this] { chooseStage(scheme, title, files); });
        action->setObjectName(QLatin1String(scheme));
        action->setProperty(kHelp, help + tr(" It is tried in a process of its own first."));
        offer(action->objectName(), Capability::yes());
    };
    add("stage", tr("Library of yours…"), tr("Add a stage from a library"), tr("Libraries (*.so *.so.*)"),
        tr("Adds a shared library with the interface of jetscope_stage.h."));
    add("cu", tr("Kernel of yours…"), tr("Add a kernel"), tr("CUDA kernels (*.cu)"),
        tr("Adds a kernel in CUDA's C++, which is compiled for this device."));
    add("nviva", tr("nvivafilter library…"), tr("Add a library for nvivafilter"), tr("Libraries (*.so *.so.*)"),
        tr("Adds a library written for GStreamer's nvivafilter, which runs in a process of its own."));
    add("dla", tr("Loadable for a DLA…"), tr("Add a loadable"), tr("Loadables (*)"),
        tr("Adds a loadable that TensorRT made for a deep-learning accelerator."));
    for (const char *algorithm : {"gaussian", "rescale", "convert", "harris"}) {
        const QString name = QStringLiteral("vpi:") + QLatin1String(algorithm);
        QAction *action = menu->addAction(tr("VPI %1").arg(QLatin1String(algorithm)), this,
                                          [=, this] { addStage(name.toStdString()); });
        action->setObjectName(name);
        action->setProperty(kHelp,
                            tr("Adds this algorithm of NVIDIA's VPI, on the CPU at first: its backend is an option."));
        offer(name, Capability::yes());
    }
}

/// On a thread of its own, since files are read. Nothing is loaded for it.
void FilterEditor::lookForStages(const DeviceFacts &facts)
{
    if (m_takeStage) // A board has files and libraries of its own.
        return offer({}, Capability::yes());
    m_look.start([this, facts, vpi = vpiTools().library](const Worker::Reply &reply) {
        std::vector<std::pair<QString, Capability>> found = {{QStringLiteral("vpi:"), hasVpi(vpi)}};
        for (const char *scheme : {"cu", "nviva", "dla"})
            found.emplace_back(QLatin1String(scheme), canHaveStages(scheme, facts));
        reply.post([this, found] {
            for (const auto &[stages, capability] : found)
                offer(stages, capability);
        });
    });
}

/// The entries whose names begin so.
void FilterEditor::offer(const QString &stages, const Capability &capability)
{
    const auto level = capability.available ? Availability::Level::Legal : Availability::Level::Unavailable;
    for (QAction *action : m_add->menu()->actions()) {
        if (action->objectName().isEmpty() || !action->objectName().startsWith(stages))
            continue;
        action->setEnabled(capability.available);
        action->setToolTip(ChoiceGroup::explanation(action->property(kHelp).toString(), {level, capability.reason}));
    }
}

void FilterEditor::chooseStage(const char *scheme, const QString &title, const QString &files)
{
    const QString path = m_chooseFile ? m_chooseFile(title, files) : QString();
    if (!path.isEmpty())
        addStage(std::string(scheme) + ':' + path.toStdString());
}

void FilterEditor::addStage(const std::string &name)
{
    if (isFull())
        return;
    if (m_takeStage)
        return m_takeStage(name);
    const bool wasFilling = std::exchange(m_filling, true);
    const QString file = QFileInfo(toQString(name.substr(0, name.find('?')))).fileName();
    auto *item = new QListWidgetItem(tr("%1: is being tried…").arg(file), m_list);
    item->setData(kPlaceRole, ++m_places);
    item->setFlags(Qt::ItemIsSelectable);
    m_filling = wasFilling;
    updateButtons();
    m_loader->want(m_places, name);
}

QListWidgetItem *FilterEditor::itemAt(quint64 place) const
{
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(kPlaceRole).toULongLong() == place)
            return m_list->item(row);
    return nullptr; // It was removed meanwhile.
}

void FilterEditor::stageLoaded(quint64 place, Filter filter)
{
    QListWidgetItem *const item = itemAt(place);
    if (!item)
        return;
    const bool isNew = !filterOf(item);
    setFilter(item, filter);
    if (isNew) {
        addToMenu(choiceOf(filter));
        m_list->setCurrentItem(item);
    }
    if (!m_loader->isWanted(place)) // Else the boxes show what is to come.
        showOptions();
    if (isNew || item->checkState() == Qt::Checked)
        announce();
}

void FilterEditor::stageWasRefused(quint64 place, const QString &reason)
{
    QListWidgetItem *const item = itemAt(place);
    if (item && !filterOf(item))
        delete m_list->takeItem(m_list->row(item));
    updateButtons();
    if (!m_loader->isWanted(place))
        showOptions();
    emit stageRefused(reason);
}

/// Another value of an option of the selected stage: it is another filter in the same place.
void FilterEditor::wantCurrent(const std::string &name)
{
    if (const QListWidgetItem *const item = m_list->currentItem())
        m_loader->want(item->data(kPlaceRole).toULongLong(), name);
}

void FilterEditor::showOptions()
{
    m_options->show(filterOf(m_list->currentItem()));
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
        if (const auto filter = filterOf(m_list->item(row)); filter && m_list->item(row)->checkState() == Qt::Checked)
            out.push_back(*filter);
    return out;
}

void FilterEditor::setFilters(const std::vector<Filter> &wanted)
{
    if (wanted == filters())
        return;
    const auto firstStage = static_cast<int>(std::find_if(wanted.begin(), wanted.end(), isStage) - wanted.begin());
    const int current = m_list->currentRow() >= 0 ? m_list->currentRow() : firstStage;
    m_filling = true;
    m_list->clear();
    for (const Filter filter : wanted)
        append(filter);
    m_filling = false;
    m_list->setCurrentRow(current < m_list->count() ? current : -1); // With the options of a stage.
    updateButtons();
}

void FilterEditor::setFacts(const DeviceFacts &facts)
{
    m_loader->setFacts(facts);
    lookForStages(facts);
    for (QAction *action : m_add->menu()->actions()) {
        if (!action->data().isValid())
            continue;
        const auto filter = static_cast<Filter>(action->data().toInt());
        const Availability available = availability(filter, {}, facts);
        action->setEnabled(available.legal());
        action->setToolTip(ChoiceGroup::explanation(toQString(choiceOf(filter).help), available));
    }
}

void FilterEditor::append(Filter filter)
{
    const bool wasFilling = std::exchange(m_filling, true);
    auto *item = new QListWidgetItem(m_list);
    item->setData(kPlaceRole, ++m_places);
    setFilter(item, filter);
    m_filling = wasFilling;
}

/// An item that was checked or not stays so.
void FilterEditor::setFilter(QListWidgetItem *item, Filter filter)
{
    const bool wasFilling = std::exchange(m_filling, true);
    const bool isNew = !filterOf(item);
    const Choice<Filter> &choice = choiceOf(filter);
    item->setText(toQString(choice.label));
    item->setData(kFilterRole, static_cast<int>(filter));
    item->setToolTip(toQString(choice.help));
    if (isNew) {
        item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Checked);
    }
    m_filling = wasFilling;
}

bool FilterEditor::isFull() const
{
    return m_list->count() >= kMaxFilters;
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
    m_add->setEnabled(!isFull());
    showAllRows();
}

/// Row heights change with the style.
bool FilterEditor::event(QEvent *event)
{
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::Polish || event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::Show)
        showAllRows();
    return handled;
}

/// Makes the list as high as the chain, so that the wheel scrolls the panel instead of the list.
void FilterEditor::showAllRows()
{
    m_list->ensurePolished();
    const int row = std::max(m_list->sizeHintForRow(0), m_list->fontMetrics().height() + 4);
    const int rows = std::clamp(m_list->count(), kMinRowsShown, kMaxRowsShown);
    m_list->setFixedHeight(row * rows + 2 * m_list->frameWidth() + 2);
}

} // namespace jetscope
