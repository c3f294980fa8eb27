// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/lanecontrols.h"

#include "ui/session/traceselection.h"
#include "ui/style/icons.h"
#include "ui/style/pointer.h"
#include "ui/style/theme.h"
#include "ui/timeline/rowlabels.h"
#include "ui/timeline/timelinerows.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

constexpr int kIcon = 16;
constexpr int kMoreWidth = 24;

bool isLane(const TimelineRow &row)
{
    return row.kind == TimelineRow::Kind::Lane || row.kind == TimelineRow::Kind::Counter
        || row.kind == TimelineRow::Kind::Idle;
}

} // namespace

LaneControls::LaneControls(TimelineRows &rows, const TimelineProbe &probe, TraceSelection &selection, QWidget *viewport)
    : m_rows(rows),
      m_probe(probe),
      m_selection(selection),
      m_viewport(viewport),
      m_filter(new QLineEdit(viewport)),
      m_more(new QToolButton(viewport)),
      m_menu(new QMenu(viewport))
{
    m_filter->setObjectName(QStringLiteral("laneFilter"));
    m_filter->setPlaceholderText(tr("Filter lanes"));
    m_filter->setAccessibleName(tr("Filter lanes"));
    m_filter->setToolTip(tr("Shows only lanes whose name contains these words (L); figures still count all lanes"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setCursor(Qt::IBeamCursor);
    m_more->setObjectName(QStringLiteral("laneMenu"));
    m_more->setText(QStringLiteral("…"));
    m_more->setAccessibleName(tr("Lanes"));
    m_more->setToolTip(tr("Shows, folds and orders all lanes"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setCursor(Qt::ArrowCursor);
    m_more->setMenu(m_menu);
    addCommon(*m_menu);
    connect(m_menu, &QMenu::aboutToShow, this, [this] {
        const bool all = m_rows.layout().hidden + m_rows.layout().filtered == 0;
        m_menu->actions().front()->setEnabled(!all);
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) { m_rows.setFilter(text); });
    connect(m_filter, &QLineEdit::returnPressed, m_viewport->parentWidget(),
            [this] { m_viewport->parentWidget()->setFocus(); });
    m_filter->installEventFilter(this);
    connect(&m_rows, &TimelineRows::arranged, this, &LaneControls::rowsArranged);
    connect(&m_selection, &TraceSelection::changed, this, [this] { setCurrent({}); });
}

/// Esc in the filter clears it and goes back to the timeline.
bool LaneControls::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        m_filter->clear();
        m_viewport->parentWidget()->setFocus();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

void LaneControls::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

void LaneControls::rowsArranged()
{
    m_hovered.clear();
    // Only if the rows changed it: the text has the blanks that are being typed.
    if (m_rows.choices().filter() != m_filter->text().simplified()) {
        const QSignalBlocker quiet(m_filter);
        m_filter->setText(m_rows.choices().filter());
    }
    emit changed();
}

QRegion LaneControls::place() const
{
    return m_filter->isVisible() ? QRegion(m_filter->geometry()) + m_more->geometry() : QRegion();
}

void LaneControls::arrange()
{
    const TimelineMetrics &metrics = m_rows.layout().metrics;
    const bool wanted = metrics.headingHeight > 0; // Else these are timelines for a comparison.
    const int height = metrics.rulerHeight - 3;
    m_filter->setVisible(wanted);
    m_more->setVisible(wanted);
    m_filter->setGeometry(6, 1, metrics.labelWidth - kMoreWidth - 14, height);
    m_more->setGeometry(metrics.labelWidth - kMoreWidth - 4, 1, kMoreWidth, height);
}

const TimelineRow *LaneControls::currentRow() const
{
    const TimelineLayout &layout = m_rows.layout();
    if (const TimelineRow *row = m_current.isEmpty() ? nullptr : layout.rowOfKey(m_current))
        return row;
    const auto &span = m_selection.span();
    const TimelineRow *row = span ? layout.rowOfTrack(span->track) : nullptr;
    return row && isLane(*row) ? row : nullptr;
}

void LaneControls::setCurrent(const QString &key)
{
    if (std::exchange(m_current, key) != key)
        emit changed();
}

bool LaneControls::isOnNames(QPoint at) const
{
    return m_rows.layout().metrics.headingHeight > 0 && !m_probe.isOnLanes(at);
}

QRect LaneControls::rectOf(const TimelineRow &row) const
{
    return {0, m_rows.shownTop(row), m_rows.layout().metrics.labelWidth, row.height - 1};
}

QRect LaneControls::iconOf(const TimelineRow &row, Part part) const
{
    const QRect name = rectOf(row);
    if (part == Part::Levels)
        return row.foldable ? levelsRect(row, name.width()).translated(0, name.top()) : QRect();
    const int left = name.right() - (part == Part::Pin ? 2 : 1) * (kIcon + 3);
    return {left, name.top() + 3, kIcon, std::min(kIcon, name.height() - 4)};
}

LaneControls::Part LaneControls::partAt(QPoint at, const TimelineRow &row) const
{
    if (!isLane(row))
        return Part::Name;
    for (const Part part : {Part::Pin, Part::Hide, Part::Levels})
        if (iconOf(row, part).contains(at))
            return part;
    return Part::Name;
}

bool LaneControls::press(const QMouseEvent &event)
{
    const QPoint at = event.position().toPoint();
    const TimelineRow *row = m_probe.rowUnder(at);
    if (event.button() != Qt::LeftButton || !row || !isOnNames(at) || !isLane(*row))
        return false;
    m_pressed = row->key;
    m_pressedAt = at;
    m_dragging = false;
    return true;
}

bool LaneControls::move(const QMouseEvent &event)
{
    if (m_pressed.isEmpty())
        return false;
    const QPoint at = event.position().toPoint();
    m_dragging = m_dragging || (at - m_pressedAt).manhattanLength() >= kDragThreshold;
    m_drop.reset();
    const TimelineRow *const dragged = m_rows.layout().rowOfKey(m_pressed);
    const TimelineRow *const under = m_probe.rowUnder(at);
    if (m_dragging && dragged && under && isLane(*under) && TimelineRows::areSiblings(*dragged, *under)
        && under->key != m_pressed)
        m_drop = Drop{under->key, at.y() >= rectOf(*under).center().y()};
    emit changed();
    return true;
}

bool LaneControls::release(const QMouseEvent &event)
{
    if (m_pressed.isEmpty())
        return false;
    const QString lane = std::exchange(m_pressed, {});
    const std::optional<Drop> drop = std::exchange(m_drop, {});
    if (!std::exchange(m_dragging, false))
        click(event.position().toPoint());
    else if (drop)
        m_rows.move(lane, drop->lane, drop->behind);
    emit changed();
    return true;
}

bool LaneControls::cancel()
{
    const bool active = !m_pressed.isEmpty();
    m_pressed.clear();
    m_dragging = false;
    m_drop.reset();
    return active;
}

bool LaneControls::click(QPoint at)
{
    const TimelineRow *row = m_probe.rowUnder(at);
    if (!row)
        return false;
    if (!isLane(*row)) {
        activate(*row);
        return true;
    }
    if (!isOnNames(at))
        return false;
    switch (partAt(at, *row)) {
    case Part::Pin:
        m_rows.togglePin(row->key);
        break;
    case Part::Hide:
        hide(*row);
        break;
    case Part::Levels:
        m_rows.toggleLevels(row->key);
        break;
    case Part::Name:
    case Part::None:
        setCurrent(row->key);
        break;
    }
    return true;
}

/// What Enter does, and a click on a heading.
void LaneControls::activate(const TimelineRow &row)
{
    if (row.kind == TimelineRow::Kind::Heading)
        m_rows.toggleGroup(row.key);
    else if (row.kind == TimelineRow::Kind::Note)
        m_rows.showAll();
    else if (row.foldable)
        m_rows.toggleLevels(row.key);
}

/// The row below becomes the current one, so that the next can be hidden.
void LaneControls::hide(const TimelineRow &row)
{
    const QString lane = row.key;
    const bool wasCurrent = lane == m_current;
    stepCurrent(1);
    const QString next = std::exchange(m_current, {});
    m_rows.setHidden(lane, true);
    if (wasCurrent && next != lane)
        setCurrent(next);
}

void LaneControls::stepCurrent(int direction)
{
    const std::vector<TimelineRow> &rows = m_rows.layout().rows;
    if (rows.empty())
        return;
    const TimelineRow *row = currentRow();
    const std::ptrdiff_t from = row ? row - rows.data() + direction : 0;
    const auto to = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from, 0, std::ssize(rows) - 1));
    m_rows.show(rows[to]);
    setCurrent(rows[to].key);
}

bool LaneControls::key(const QKeyEvent &event)
{
    const bool up = event.key() == Qt::Key_Up;
    const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
    if (event.key() == Qt::Key_L && modifiers == Qt::NoModifier) {
        focusFilter();
        return true;
    }
    if ((up || event.key() == Qt::Key_Down) && modifiers == Qt::ControlModifier) {
        stepCurrent(up ? -1 : 1);
        return true;
    }
    const TimelineRow *row = currentRow();
    if (!row)
        return false;
    if ((event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) && modifiers == Qt::NoModifier) {
        activate(*row);
    } else if (!isLane(*row)) {
        return false;
    } else if ((up || event.key() == Qt::Key_Down) && modifiers == Qt::AltModifier) {
        const QString lane = row->key;
        if (m_rows.step(lane, up ? -1 : 1))
            m_rows.show(lane);
    } else if (event.key() == Qt::Key_P && modifiers == Qt::NoModifier) {
        const QString lane = row->key;
        m_rows.togglePin(lane);
        m_rows.show(lane); // The filter may leave it out once it is not pinned.
    } else if (event.key() == Qt::Key_X && modifiers == Qt::NoModifier) {
        hide(*row);
    } else {
        return false;
    }
    return true;
}

bool LaneControls::hover(QPoint at)
{
    const TimelineRow *row = m_probe.rowUnder(at);
    const QString key = row && isOnNames(at) ? row->key : QString();
    const Part part = key.isEmpty() ? Part::None : partAt(at, *row);
    const bool differs = key != m_hovered || part != m_hoveredPart;
    m_hovered = key;
    m_hoveredPart = part;
    if (differs)
        emit changed();
    return (row && !isLane(*row)) || (part != Part::None && part != Part::Name);
}

void LaneControls::leave()
{
    m_hovered.clear();
    m_hoveredPart = Part::None;
}

QString LaneControls::tipAt(QPoint at) const
{
    const TimelineRow *row = m_probe.rowUnder(at);
    if (!row || !isOnNames(at))
        return {};
    if (row->kind == TimelineRow::Kind::Heading)
        return row->collapsed ? tr("Unfolds these lanes") : tr("Folds these lanes into one line");
    if (row->kind == TimelineRow::Kind::Note)
        return tr(
            "They are only out of sight: overlap, search and all figures still count them. Click shows them all.");
    switch (partAt(at, *row)) {
    case Part::Pin:
        return row->pinned ? tr("Unpins the lane (P)") : tr("Pins the lane to the top (P)");
    case Part::Hide:
        return tr("Hides the lane (X)");
    case Part::Levels:
        return row->deeper.empty() ? tr("Shows the outermost levels only") : tr("Shows all levels");
    case Part::Name:
    case Part::None:
        return {};
    }
    return {};
}

void LaneControls::paint(QPainter &painter, int width) const
{
    const TimelineLayout &layout = m_rows.layout();
    const QRect area(0, layout.contentTop(), width, m_rows.room());
    const auto clipFor = [&](const TimelineRow &row) {
        return row.top < m_rows.stickyHeight() ? area : area.adjusted(0, m_rows.stickyHeight(), 0, 0);
    };
    painter.save();
    if (const TimelineRow *row = m_current.isEmpty() ? nullptr : layout.rowOfKey(m_current)) {
        QColor shade = theme().accent;
        shade.setAlpha(50);
        painter.setClipRect(clipFor(*row));
        painter.fillRect(rectOf(*row), shade);
        painter.fillRect(QRect(rectOf(*row).topLeft(), QSize(3, row->height - 1)), theme().accentText);
    }
    if (const TimelineRow *row = m_hovered.isEmpty() ? nullptr : layout.rowOfKey(m_hovered); row && isLane(*row)) {
        painter.setClipRect(clipFor(*row));
        for (const Part part : {Part::Pin, Part::Hide}) {
            const QRect icon = iconOf(*row, part);
            painter.fillRect(icon.adjusted(-2, -1, 2, 1), part == m_hoveredPart ? theme().hover : theme().panel);
            glyphIcon(part == Part::Pin ? Glyph::Pin : Glyph::Eye).paint(&painter, icon.adjusted(1, 1, -1, -1));
        }
        for (int dot = 0; dot < 6; ++dot) // The grip.
            painter.fillRect(5 + dot % 2 * 4, rectOf(*row).top() + 7 + dot / 2 * 4, 2, 2, theme().muted);
    }
    if (const TimelineRow *row = m_drop ? layout.rowOfKey(m_drop->lane) : nullptr) {
        painter.setClipRect(area);
        painter.fillRect(0, rectOf(*row).top() + (m_drop->behind ? row->height : 0) - 2, width, 3, theme().accentText);
    }
    painter.restore();
}

void LaneControls::addCommon(QMenu &menu)
{
    const bool all = m_rows.layout().hidden + m_rows.layout().filtered == 0;
    QAction *show = menu.addAction(tr("Show all lanes"), &m_rows, &TimelineRows::showAll);
    show->setObjectName(QStringLiteral("showAll"));
    show->setEnabled(!all);
    menu.addAction(tr("Fold all groups"), &m_rows, [this] { m_rows.foldAll(true); });
    menu.addAction(tr("Unfold all groups"), &m_rows, [this] { m_rows.foldAll(false); });
    menu.addAction(tr("As the lanes were at first"), &m_rows, [this] { m_rows.setChoices({}); })
        ->setObjectName(QStringLiteral("resetLanes"));
}

void LaneControls::addOfLane(QMenu &menu, const TimelineRow &row)
{
    const QString lane = row.key; // The layout may change while the menu is open.
    menu.addAction(row.pinned ? tr("Unpin %1").arg(row.label) : tr("Pin %1 to the top").arg(row.label), &m_rows,
                   [this, lane] { m_rows.togglePin(lane); })
        ->setObjectName(QStringLiteral("pin"));
    menu.addAction(tr("Hide %1").arg(row.label), &m_rows, [this, lane] { m_rows.setHidden(lane, true); })
        ->setObjectName(QStringLiteral("hide"));
    menu.addAction(tr("Move up"), &m_rows, [this, lane] { m_rows.step(lane, -1); });
    menu.addAction(tr("Move down"), &m_rows, [this, lane] { m_rows.step(lane, 1); });
    if (row.foldable)
        menu.addAction(row.deeper.empty() ? tr("Show the outermost levels only")
                                          : tr("Show all %1 levels").arg(row.tracks.size() + row.deeper.size()),
                       &m_rows, [this, lane] { m_rows.toggleLevels(lane); });
}

void LaneControls::addOfHeading(QMenu &menu, const TimelineRow &row)
{
    const QString group = row.key;
    menu.addAction(row.collapsed ? tr("Unfold %1").arg(row.label) : tr("Fold %1").arg(row.label), &m_rows,
                   [this, group] { m_rows.toggleGroup(group); });
    menu.addAction(tr("Hide %1").arg(row.label), &m_rows, [this, group] { m_rows.hideGroup(group); })
        ->setObjectName(QStringLiteral("hide"));
}

QMenu *LaneControls::menuFor(std::optional<QPoint> at, QWidget *parent)
{
    const TimelineRow *row = at ? m_probe.rowUnder(*at) : currentRow();
    if (!row)
        return nullptr;
    auto *menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (isLane(*row))
        addOfLane(*menu, *row);
    else if (row->kind == TimelineRow::Kind::Heading)
        addOfHeading(*menu, *row);
    if (!menu->isEmpty())
        menu->addSeparator();
    addCommon(*menu);
    return menu;
}

} // namespace jetscope
