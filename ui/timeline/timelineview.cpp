// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelineview.h"

#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/timeline/frametip.h"
#include "ui/timeline/rowlabels.h"
#include "ui/timeline/searchbar.h"
#include "ui/timeline/timelinepainter.h"
#include "ui/traceselection.h"

#include <QEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr qint64 kLabelsEveryMs = 250; ///< While the newest values of counters stand beside their names.
constexpr double kStepPixels = 0.1;    ///< Of the view, for one step of a key.
constexpr double kZoomStep = 1.2;

} // namespace

TimelineView::TimelineView(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QAbstractScrollArea(parent),
      m_trace(trace),
      m_selection(selection),
      m_layout(layoutTimeline(trace)),
      m_tiles(trace, m_layout),
      m_camera(trace, this),
      m_resume(new QPushButton(tr("Follow"), viewport())),
      m_search(new SearchBar(trace, viewport())),
      m_frameTip(new FrameTip(viewport()))
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("What every thread, stream and queue did. Wheel zooms, drag pans, End follows the newest frames, F1 lists "
           "all keys."));
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setMouseTracking(true);
    m_resume->setObjectName(QStringLiteral("resume"));
    m_resume->setIcon(glyphIcon(Glyph::Play));
    m_resume->setToolTip(tr("Follows the newest frames again (H, End)"));
    m_resume->setCursor(Qt::ArrowCursor);
    m_resume->hide();
    m_prefetch.setInterval(0);
    m_prefetch.setSingleShot(true);
    m_camera.setAlignment([this](const TimeScale &scale) { return m_tiles.aligned(scale); });
    connect(&m_prefetch, &QTimer::timeout, this, [this] {
        if (!m_camera.isFollowing() && m_tiles.prefetch(tilesView()))
            m_prefetch.start();
    });
    connect(&m_camera, &TimelineCamera::changed, this, &TimelineView::cameraMoved);
    connect(&m_motion, &KeyMotion::moved, this,
            [this](double right) { m_camera.panBy(-qRound(right * kStepPixels * laneWidth())); });
    connect(&m_motion, &KeyMotion::zoomed, this, [this](double in) {
        const bool pointed = m_mouse && m_mouse->x() > m_layout.metrics.labelWidth;
        m_camera.zoomAt(pointed ? laneX(m_mouse->x()) : laneWidth() / 2.0, std::pow(kZoomStep, -in));
    });
    connect(m_resume, &QPushButton::clicked, this, &TimelineView::follow);
    connect(m_search, &SearchBar::found, this, &TimelineView::showFound);
    connect(m_search, &SearchBar::resized, this, &TimelineView::placeOverlays);
    connect(m_search, &SearchBar::closed, this, [this] { setFocus(); });
    connect(&m_selection, &TraceSelection::changed, viewport(), QOverload<>::of(&QWidget::update));
}

int TimelineView::laneWidth() const
{
    return std::max(1, viewport()->width() - m_layout.metrics.labelWidth);
}

int TimelineView::contentY(int viewportY) const
{
    const int y = viewportY - m_layout.contentTop();
    return y < stickyHeight() ? y : y + verticalScrollBar()->value();
}

/// So much at the top does not scroll: the pinned rows, unless they left too little room for the others.
int TimelineView::stickyHeight() const
{
    const int room = viewport()->height() - m_layout.contentTop() - m_layout.metrics.footerHeight;
    return m_layout.pinnedHeight <= room * 2 / 3 ? m_layout.pinnedHeight : 0;
}

void TimelineView::setPinned(const QStringList &pinned)
{
    m_pinned = pinned;
    relayout();
}

void TimelineView::setCollapsedGroups(const CollapsedGroups &collapsed)
{
    m_collapsed = collapsed;
    relayout();
}

void TimelineView::relayout()
{
    m_shape = m_trace.shape();
    m_layout = layoutTimeline(m_trace, m_collapsed, m_pinned);
    m_tiles.clear();
    m_labels = {};
    m_hovered.reset();
    updateScrollBar();
    viewport()->update();
}

void TimelineView::refresh()
{
    const bool reshaped = m_shape != m_trace.shape();
    if (reshaped)
        relayout();
    if (reshaped || std::exchange(m_dropped, m_trace.droppedSpans()) != m_trace.droppedSpans())
        m_selection.traceReshaped();
    if (std::exchange(m_version, m_trace.version()) == m_trace.version())
        return;
    if (!m_trace.counters().empty() && (!m_labelsAge.isValid() || m_labelsAge.elapsed() > kLabelsEveryMs))
        m_labels = {};
    m_search->traceChanged();
    const bool stale = m_tiles.dropUnsettled();
    m_camera.update();
    if (stale || m_labels.isNull())
        viewport()->update();
}

void TimelineView::restart(bool live)
{
    m_live = live;
    m_notes.clear();
    m_tiles.traceReplaced();
    m_version = m_trace.version();
    m_dropped = m_trace.droppedSpans();
    relayout();
    m_camera.restart(live);
    m_search->traceChanged();
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
    m_search->begin(m_camera.window().startNs);
    placeOverlays();
}

void TimelineView::cameraMoved()
{
    m_resume->setVisible(m_live && !m_camera.isFollowing());
    if (m_mouse && m_drag == Drag::None)
        hover(*m_mouse); // Something else is under it now.
    viewport()->update();
    emit viewChanged();
}

QString TimelineView::summary() const
{
    if (m_trace.empty())
        return tr("nothing recorded yet");
    const Interval window = m_camera.window();
    QString text = tr("%1 shown").arg(durationText(window.endNs - window.startNs));
    const FrameTable &frames = m_trace.frames();
    const auto [first, last] = frames.range(window.startNs, window.endNs);
    if (first < last)
        text += tr(" · frames %1–%2").arg(frames.at(first).frame).arg(frames.at(last - 1).frame);
    if (m_trace.droppedSpans() > 0)
        text += tr(" · %1 million spans forgotten").arg(static_cast<double>(m_trace.droppedSpans()) / 1e6);
    if (!m_live)
        return text;
    return text + (isFollowing() ? tr(" · following") : tr(" · standing still, End follows"));
}

TimelineTiles::View TimelineView::tilesView() const
{
    const int height = viewport()->height() - m_layout.contentTop() - m_layout.metrics.footerHeight;
    return {scale(), laneWidth(), std::max(0, height), verticalScrollBar()->value(), devicePixelRatioF(),
            stickyHeight()};
}

void TimelineView::prefetchAll()
{
    while (m_tiles.prefetch(tilesView())) {}
}

void TimelineView::updateScrollBar()
{
    const int room = viewport()->height() - m_layout.contentTop() - m_layout.metrics.footerHeight;
    verticalScrollBar()->setPageStep(std::max(room - stickyHeight(), 1));
    verticalScrollBar()->setSingleStep(m_layout.metrics.rowHeight);
    verticalScrollBar()->setRange(0, std::max(0, m_layout.height - room));
}

void TimelineView::placeOverlays()
{
    const int top = m_layout.metrics.rulerHeight + 6;
    m_search->adjustSize();
    m_search->move(viewport()->width() - m_search->width() - 8, top);
    // Beside the numbers of the frames, below the names of the lanes: there it covers nothing.
    const int height = m_layout.metrics.footerHeight;
    m_resume->setGeometry(8, viewport()->height() - height, m_layout.metrics.labelWidth - 20, height - 2);
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.setFont(font());
    const TimelineTiles::View view = tilesView();
    m_tiles.paint(painter, {m_layout.metrics.labelWidth, m_layout.metrics.rulerHeight}, view);
    const TimelineScene scene{m_trace,
                              m_layout,
                              theme(),
                              m_selection,
                              m_tiles.labels(view),
                              m_links.of(m_trace, m_selection.span()),
                              m_texts,
                              m_notes,
                              view.scale,
                              m_camera.rulerOriginNs(),
                              view.scrollY,
                              view.pinned,
                              viewport()->size(),
                              m_hovered,
                              m_measured,
                              m_mouse && m_drag == Drag::None ? std::optional(m_mouse->x()) : std::nullopt};
    TimelinePainter(painter, scene).paint();
    paintForgotten(painter);
    painter.drawPixmap(0, 0, labels());
    if (m_trace.empty()) {
        painter.setPen(theme().muted);
        painter.setFont(font());
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         m_live ? tr("Spans appear here as soon as the first frame is done.")
                                : tr("There is nothing in this file that has a place in time."));
    }
    if (!m_camera.isFollowing())
        m_prefetch.start();
}

/// Where the trace begins because what was before is forgotten.
void TimelineView::paintForgotten(QPainter &painter) const
{
    const double edge = m_layout.metrics.labelWidth + pixelAt(scale(), m_trace.oldestNs());
    if (m_trace.droppedSpans() == 0 || edge <= m_layout.metrics.labelWidth || edge > viewport()->width())
        return;
    const QRectF before(m_layout.metrics.labelWidth, m_layout.contentTop(), edge - m_layout.metrics.labelWidth,
                        viewport()->height() - m_layout.contentTop() - m_layout.metrics.footerHeight);
    painter.fillRect(QRectF(std::floor(edge) - 1, before.top(), 1, before.height()), theme().warn);
    painter.setFont(font());
    painter.setPen(theme().muted);
    painter.drawText(before.adjusted(8, 6, -8, 0), Qt::AlignRight | Qt::AlignTop | Qt::TextWordWrap,
                     tr("%1 million spans before this are forgotten: the trace keeps %2 million at most")
                         .arg(static_cast<double>(m_trace.droppedSpans()) / 1e6)
                         .arg(static_cast<double>(m_trace.mostSpans()) / 1e6));
}

const QPixmap &TimelineView::labels()
{
    if (!m_labels.isNull())
        return m_labels;
    m_labelsAge.start();
    const double ratio = devicePixelRatioF();
    const QSize size(m_layout.metrics.labelWidth, viewport()->height());
    m_labels = QPixmap((QSizeF(size) * ratio).toSize());
    m_labels.setDevicePixelRatio(ratio);
    QPainter painter(&m_labels);
    painter.setFont(font());
    paintRowLabels(painter, m_layout, m_trace, theme(), {verticalScrollBar()->value(), stickyHeight()}, size.height());
    return m_labels;
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_labels = {};
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
    m_labels = {}; // Theme or font may be others.
    m_tiles.clear();
    QAbstractScrollArea::changeEvent(event);
}

void TimelineView::scrollContentsBy(int, int)
{
    m_labels = {};
    viewport()->update();
}

} // namespace jetscope
