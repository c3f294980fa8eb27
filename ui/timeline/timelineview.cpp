// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelineview.h"

#include "ui/session/traceselection.h"
#include "ui/style/icons.h"
#include "ui/style/pointer.h"
#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/frametip.h"
#include "ui/timeline/overviewstrip.h"
#include "ui/timeline/searchbar.h"
#include "ui/timeline/timelinepainter.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kStepPixels = 0.1; ///< Fraction of the view for one key step.
constexpr double kZoomStep = 1.2;
constexpr double kPanPerNotch = 60;

} // namespace

TimelineView::TimelineView(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QAbstractScrollArea(parent),
      m_trace(trace),
      m_selection(selection),
      m_rows(trace, this),
      m_idle(trace, this),
      m_tiles(trace, m_rows.layout()),
      m_camera(trace, this),
      m_probe(trace, m_camera, m_rows),
      m_navigator(trace, selection, m_camera, m_rows),
      m_drag(selection, m_camera, m_rows, m_probe),
      m_lanes(m_rows, m_probe, selection, viewport()),
      m_resume(new QPushButton(tr("Follow"), viewport())),
      m_search(new SearchBar(
          trace, [this] { return m_camera.targetWindow(); }, viewport())),
      m_frameTip(new FrameTip(viewport()))
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setAccessibleRole(this, QAccessible::Chart);
    setAccessibleDescription(
        tr("What every thread, stream and queue did. Wheel zooms, drag pans, End follows the newest frames, F1 lists "
           "all keys."));
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setMouseTracking(true);
    m_resume->setObjectName(QStringLiteral("resume"));
    m_resume->setProperty("footer", true);
    m_resume->setIcon(glyphIcon(Glyph::Play));
    m_resume->setIconSize({10, 10});
    m_resume->setToolTip(tr("Follows the newest frames again (H, End)"));
    m_resume->setCursor(Qt::ArrowCursor);
    m_resume->hide();
    m_prefetch.setInterval(0);
    m_prefetch.setSingleShot(true);
    connectParts();
    connectKeys();
}

void TimelineView::connectParts()
{
    m_camera.setAlignment([this](const TimeScale &scale) { return m_tiles.aligned(scale); });
    connect(&m_rows, &TimelineRows::arranged, this, &TimelineView::rowsArranged);
    connect(&m_idle, &IdleLanes::changed, this, [this] { m_rows.setIdle(m_idle.lanes()); });
    connect(&m_rows, &TimelineRows::scrolled, this, [this] { verticalScrollBar()->setValue(m_rows.scrollY()); });
    connect(&m_prefetch, &QTimer::timeout, this, [this] {
        if (!m_camera.isFollowing() && m_tiles.prefetch(tilesView()))
            m_prefetch.start();
    });
    connect(&m_camera, &TimelineCamera::changed, this, &TimelineView::cameraMoved);
    connect(&m_motion, &KeyMotion::moved, this,
            [this](double right) { m_camera.panBy(-qRound(right * kStepPixels * laneWidth())); });
    connect(&m_motion, &KeyMotion::zoomed, this,
            [this](double in) { m_camera.zoomAt(zoomCentre(), std::pow(kZoomStep, -in)); });
    auto *arrows = new ArrowMenu(m_lanes.menu());
    m_lanes.menu()->addMenu(arrows);
    connect(arrows, &QMenu::aboutToShow, this, [this, arrows] { arrows->setCurrent(m_links.choice()); });
    connect(arrows, &ArrowMenu::chosen, this, &TimelineView::setArrows);
    connect(&m_lanes, &LaneControls::changed, this, &TimelineView::updateLanes);
    connect(m_resume, &QPushButton::clicked, this, &TimelineView::follow);
    connect(m_search, &SearchBar::found, this, [this](const SpanPlace &span, bool asked) {
        m_navigator.selectFound(span, asked, m_probe.laneX(m_search->x()));
    });
    connect(m_search, &SearchBar::resized, this, &TimelineView::placeOverlays);
    connect(m_search, &SearchBar::closed, this, [this] { setFocus(); });
    connect(&m_selection, &TraceSelection::changed, this, &TimelineView::updateLanes);
}

/// Leaves out the field of the filter, which would be painted anew with every frame.
void TimelineView::updateLanes()
{
    viewport()->update(QRegion(viewport()->rect()) - m_lanes.place());
}

int TimelineView::laneWidth() const
{
    return std::max(1, viewport()->width() - layout().metrics.labelWidth);
}

/// x of the mouse, or the middle of the lanes.
double TimelineView::zoomCentre() const
{
    const bool pointed = m_mouse && m_probe.laneX(m_mouse->x()) > 0;
    return pointed ? m_probe.laneX(m_mouse->x()) : laneWidth() / 2.0;
}

void TimelineView::rowsArranged()
{
    m_tiles.clear();
    m_labels.clear();
    m_hovered.reset();
    updateScrollBar();
    placeOverlays();
    updateLanes();
    emit viewChanged(); // The summary counts the lanes that are not shown.
}

void TimelineView::setOverviewShown(bool on)
{
    if (on && !m_overview)
        m_overview = new OverviewStrip(m_trace, m_camera, layout().metrics.labelWidth, this);
    if (!m_overview)
        return;
    m_overview->setVisible(on);
    setViewportMargins(0, on ? OverviewStrip::usualHeight() : 0, 0, 0);
    placeOverlays();
}

void TimelineView::refresh()
{
    if (m_overview)
        m_overview->refresh();
    m_idle.refresh();
    const bool reshaped = m_rows.update() || (m_trace.distant() && m_version != m_trace.version());
    if (reshaped || std::exchange(m_dropped, m_trace.droppedSpans()) != m_trace.droppedSpans())
        m_selection.traceReshaped();
    const bool hasNewCoarse = m_tiles.hasNewCoarse();
    if (std::exchange(m_version, m_trace.version()) == m_trace.version() && !hasNewCoarse)
        return;
    m_labels.traceGrown(m_trace);
    m_search->traceChanged();
    const bool stale = m_tiles.dropUnsettled();
    m_camera.update();
    if (stale || m_labels.isEmpty())
        updateLanes();
}

void TimelineView::restart(bool live)
{
    m_live = live;
    m_notes.clear();
    m_links.clear();
    m_tiles.traceReplaced();
    m_version = m_trace.version();
    m_dropped = m_trace.droppedSpans();
    m_rows.restart();
    m_idle.restart(!live && layout().metrics.headingHeight > 0);
    m_camera.restart(live);
    m_search->traceReplaced();
    m_navigator.restart();
    if (m_overview)
        m_overview->restart();
}

void TimelineView::follow()
{
    if (!m_live) {
        m_camera.goToEnd();
        return;
    }
    m_camera.follow();
    emit followed();
}

void TimelineView::fitAll()
{
    m_camera.fitAll();
}

void TimelineView::find()
{
    m_search->begin();
    placeOverlays();
}

void TimelineView::find(const QString &text)
{
    m_search->beginWith(text);
    placeOverlays();
}

void TimelineView::stepLonger(int direction)
{
    if (!m_selection.span())
        return emit said(tr("Select a span first: the next one of its name that is longer is looked for."));
    m_navigator.stepLonger(direction, [this, direction] {
        emit said(direction > 0 ? tr("No later span of this name is longer.")
                                : tr("No earlier span of this name is longer."));
    });
}

void TimelineView::cameraMoved()
{
    m_resume->setVisible(m_live && !m_camera.isFollowing());
    if (m_mouse && !m_drag.isActive())
        hover(*m_mouse); // Another item is under the mouse now.
    updateLanes();
    emit viewChanged();
}

QString TimelineView::summary()
{
    if (m_trace.empty())
        return tr("nothing recorded yet");
    const Interval window = m_camera.window();
    QString text = tr("%1 shown").arg(durationText(window.endNs - window.startNs));
    const FrameTable &frames = m_trace.frames();
    const auto [first, last] = frames.range(window.startNs, window.endNs);
    // While following, the frames change faster than a text that must be readable.
    if (first < last && !(m_live && isFollowing())) {
        const auto number = [&](std::uint64_t index) { return m_trace.frameNumber(frames.at(index).frame); };
        text += first + 1 == last ? tr(" · frame %1").arg(number(first))
                                  : tr(" · frames %1–%2").arg(number(first)).arg(number(last - 1));
    }
    if (m_trace.droppedSpans() > 0)
        text += tr(" · %1 million spans discarded").arg(static_cast<double>(m_trace.droppedSpans()) / 1e6);
    for (const QString &missing : {unseenText(layout()), m_links.missing(m_trace, window)})
        if (!missing.isEmpty())
            text += QStringLiteral(" · ") + missing;
    if (!m_live)
        return text;
    return text + (isFollowing() ? tr(" · following") : tr(" · stopped, End follows the newest frames"));
}

void TimelineView::setArrows(const ArrowChoice &arrows)
{
    m_links.setChoice(arrows);
    updateLanes();
    emit viewChanged();
}

TimelineTiles::View TimelineView::tilesView() const
{
    return {scale(), laneWidth(), m_rows.room(), m_rows.scrollY(), devicePixelRatioF(), m_rows.stickyHeight()};
}

void TimelineView::prefetchAll()
{
    while (m_tiles.prefetch(tilesView())) {}
}

void TimelineView::updateScrollBar()
{
    const int y = m_rows.scrollY(); // Setting the range may change the value.
    verticalScrollBar()->setPageStep(m_rows.scrollPage());
    verticalScrollBar()->setSingleStep(layout().metrics.rowHeight);
    verticalScrollBar()->setRange(0, m_rows.mostScrollY());
    verticalScrollBar()->setValue(y);
}

void TimelineView::placeOverlays()
{
    if (m_overview) {
        m_overview->setLabelWidth(layout().metrics.labelWidth);
        m_overview->setGeometry(0, 0, viewport()->width(), OverviewStrip::usualHeight());
    }
    m_lanes.arrange();
    const int top = layout().metrics.rulerHeight + 6;
    m_search->adjustSize();
    m_search->move(viewport()->width() - m_search->width() - 8, top);
    // Beside the frame numbers and below the lane names, where it covers nothing.
    const int height = layout().metrics.footerHeight;
    m_resume->setGeometry(8, viewport()->height() - height, layout().metrics.labelWidth - 20, height - 2);
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.setFont(font());
    const TimelineTiles::View view = tilesView();
    m_tiles.paint(painter, {layout().metrics.labelWidth, layout().metrics.rulerHeight}, view);
    const TimelineScene scene{m_trace,
                              layout(),
                              theme(),
                              m_selection,
                              m_tiles.labels(view),
                              m_links.selected(m_trace, m_selection.span()),
                              m_links.all(m_trace, m_camera.window()).links,
                              m_texts,
                              m_notes,
                              view.scale,
                              m_camera.rulerOriginNs(),
                              view.scrollY,
                              view.pinned,
                              viewport()->size(),
                              m_hovered,
                              m_drag.measured(),
                              m_mouse && !m_drag.isActive() ? std::optional(m_mouse->x()) : std::nullopt};
    TimelinePainter(painter, scene).paint();
    painter.drawPixmap(
        0, 0,
        m_labels.picture(layout(), m_trace, {m_rows.scrollY(), m_rows.stickyHeight()}, viewport()->height(), *this));
    m_lanes.paint(painter, viewport()->width());
    if (m_trace.empty())
        paintEmpty(painter);
    if (m_trace.distant()) // Where the view moves to is asked for before it is there.
        m_tiles.ask({m_camera.target(), view.width, view.height, view.scrollY, view.ratio, view.pinned});
    if (!m_camera.isFollowing())
        m_prefetch.start();
}

QString TimelineView::emptyText() const
{
    return m_live
        ? tr("Spans appear here as soon as the first frame is done.\nChoose a source above, or open a capture "
             "(Ctrl+Shift+O).")
        : tr("There is nothing in this file that has a place in time.\nOpen another one (Ctrl+Shift+O), or go "
             "back to live (F5).");
}

void TimelineView::paintEmpty(QPainter &painter) const
{
    painter.setPen(theme().muted);
    painter.setFont(font());
    painter.drawText(viewport()->rect(), Qt::AlignCenter, emptyText());
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_labels.clear();
    m_rows.setWidth(viewport()->width());
    m_rows.setHeight(viewport()->height());
    m_camera.setWidth(laneWidth());
    m_camera.update();
    updateScrollBar();
    placeOverlays();
    refresh();
}

void TimelineView::showEvent(QShowEvent *event)
{
    QAbstractScrollArea::showEvent(event);
    refresh();
}

void TimelineView::changeEvent(QEvent *event)
{
    m_labels.clear(); // Theme or font may have changed.
    m_tiles.clear();
    QAbstractScrollArea::changeEvent(event);
}

void TimelineView::scrollContentsBy(int, int)
{
    m_rows.setScrollY(verticalScrollBar()->value());
    m_labels.clear();
    updateLanes();
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    if (m_lanes.key(*event) || m_motion.press(event))
        return;
    if (event->key() == Qt::Key_F && event->modifiers().testFlag(Qt::ControlModifier))
        find();
    else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Left)
        m_camera.back();
    else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Right)
        m_camera.forward();
    else if (const auto command = m_commands.find(event->key()); command != m_commands.end())
        command->second();
    else
        QAbstractScrollArea::keyPressEvent(event);
}

void TimelineView::keyReleaseEvent(QKeyEvent *event)
{
    if (!m_motion.release(event))
        QAbstractScrollArea::keyReleaseEvent(event);
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    m_motion.stop();
    QAbstractScrollArea::focusOutEvent(event);
}

/// Commands of single keys; timelineKeys() describes them.
void TimelineView::connectKeys()
{
    m_commands = {
        {Qt::Key_Left, [this] { m_navigator.stepSpan(-1); }},
        {Qt::Key_Right, [this] { m_navigator.stepSpan(1); }},
        {Qt::Key_Up, [this] { m_navigator.stepLane(-1); }},
        {Qt::Key_Down, [this] { m_navigator.stepLane(1); }},
        {Qt::Key_BracketLeft, [this] { m_navigator.stepFrame(-1); }},
        {Qt::Key_BracketRight, [this] { m_navigator.stepFrame(1); }},
        {Qt::Key_Home, [this] { m_camera.goToStart(); }},
        {Qt::Key_End, [this] { follow(); }},
        {Qt::Key_Plus, [this] { m_camera.zoomAt(laneWidth() / 2.0, 1 / kZoomStep); }},
        {Qt::Key_Minus, [this] { m_camera.zoomAt(laneWidth() / 2.0, kZoomStep); }},
        {Qt::Key_Z, [this] { m_navigator.zoomToSelected(); }},
        {Qt::Key_Backspace, [this] { m_camera.back(); }},
        {Qt::Key_F, [this] { fitAll(); }},
        {Qt::Key_H, [this] { toggleFollowing(); }},
        {Qt::Key_Escape, [this] { clearOne(); }},
    };
}

void TimelineView::clearOne()
{
    if (m_lanes.cancel() || m_drag.isActive()) {
        m_drag.cancel();
        viewport()->unsetCursor();
        updateLanes();
    } else if (m_selection.range()) {
        m_selection.clearRange();
    } else {
        m_selection.clear();
    }
}

void TimelineView::toggleFollowing()
{
    if (m_camera.isFollowing())
        m_camera.stopFollowing();
    else
        follow();
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    if (m_probe.laneX(event->position().x()) < 0) {
        QAbstractScrollArea::wheelEvent(event); // Over the row names the wheel scrolls the rows.
        return;
    }
    if (delta.x() != 0 || event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_camera.panBy(qRound((delta.x() != 0 ? delta.x() : delta.y()) / kWheelNotch * kPanPerNotch));
    } else {
        const double perNotch = event->modifiers().testFlag(Qt::ControlModifier) ? 1.05 : 1.2;
        m_camera.zoomAt(m_probe.laneX(event->position().x()), std::pow(perNotch, -delta.y() / kWheelNotch));
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    m_frameTip->hide();
    if (!m_lanes.press(*event))
        m_drag.press(*event);
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    m_mouse = event->position().toPoint();
    if (m_lanes.move(*event))
        return;
    if (!m_drag.isActive()) {
        hover(*m_mouse);
        return;
    }
    m_drag.move(*event);
    if (m_drag.isPanning())
        viewport()->setCursor(Qt::ClosedHandCursor);
    updateLanes();
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    if (m_lanes.release(*event))
        return;
    const bool clicked = m_drag.release();
    viewport()->unsetCursor();
    if (clicked)
        click(event->position().toPoint());
    updateLanes();
}

void TimelineView::click(QPoint at)
{
    if (m_probe.isOnFrameNumbers(at)) {
        if (const auto frame = m_probe.frameUnder(at)) {
            m_camera.stopFollowing();
            m_selection.selectFrame(*frame);
        }
        return;
    }
    if (m_lanes.click(at))
        return;
    if (const auto span = m_probe.spanUnder(at)) {
        m_camera.stopFollowing();
        m_selection.selectSpan(*span);
    } else if (m_probe.isOnLanes(at)) {
        m_selection.clear();
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QPoint at = event->position().toPoint();
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto span = m_probe.spanUnder(at)) {
        m_navigator.zoomTo(*span);
    } else if (const auto frame = m_probe.isOnFrameNumbers(at) ? m_probe.frameUnder(at) : std::nullopt) {
        const FrameFigures figures = m_trace.frames().at(*frame);
        m_camera.show({figures.startNs, figures.startNs + figures.periodNs()});
    } else {
        mousePressEvent(event); // Two fast clicks on a heading count as two clicks.
    }
}

/// With the mouse for the row under it, with the keyboard for the current row.
void TimelineView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    QMenu *menu = m_lanes.menuFor(byKey ? std::nullopt : std::optional(event->pos()), this);
    if (!menu)
        return;
    menu->popup(byKey ? viewport()->mapToGlobal(QPoint(layout().metrics.labelWidth, layout().contentTop()))
                      : event->globalPos());
}

void TimelineView::hover(QPoint at)
{
    m_hovered = m_probe.spanUnder(at);
    viewport()->setCursor(m_lanes.hover(at)           ? Qt::PointingHandCursor
                              : m_probe.isOnRuler(at) ? Qt::SplitHCursor
                                                      : Qt::ArrowCursor);
    const auto frame = m_probe.isOnFrameNumbers(at) ? m_probe.frameUnder(at) : std::nullopt;
    if (frame)
        m_frameTip->showFrame(m_trace, *frame, {at.x(), viewport()->height() - layout().metrics.footerHeight - 4});
    else
        m_frameTip->hide();
    updateLanes();
}

void TimelineView::leave()
{
    m_mouse.reset();
    m_hovered.reset();
    m_lanes.leave();
    m_frameTip->hide();
    updateLanes();
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        leave();
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString ofLane = m_lanes.tipAt(help->pos());
    const QString text = ofLane.isEmpty() ? m_probe.tipAt(help->pos()) : ofLane;
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, viewport());
    return true;
}

} // namespace jetscope
