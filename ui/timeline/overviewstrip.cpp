// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/overviewstrip.h"

#include "core/path/windowpicture.h"
#include "ui/style/pointer.h"
#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelinecamera.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr int kTextHeight = 14; ///< Of the frames and of a band, as chosen for the usual font.
constexpr int kBandGap = 1;
constexpr int kEdge = 2;
constexpr double kGripPixels = 4;
constexpr double kLeastNumbered = 44; ///< Pixels of a frame whose number is shown.
constexpr qint64 kReadMs = 1000;
constexpr qint64 kReadCost = 20;      ///< A growing trace is read for at most a twentieth of the time.
constexpr double kOverviewStep = 0.1; ///< Of the shown time, for one key.
constexpr double kOverviewZoom = 1.2;

} // namespace

OverviewStrip::OverviewStrip(const Trace &trace, TimelineCamera &camera, int labelWidth, QWidget *parent)
    : QWidget(parent), m_trace(trace), m_camera(camera), m_labelWidth(labelWidth)
{
    setFixedHeight(usualHeight());
    setFocusPolicy(Qt::TabFocus);
    setProperty("focusRing", true);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Whole trace"));
    setAccessibleRole(this, QAccessible::Chart);
    setAccessibleDescription(
        tr("The shown part of the whole trace. Arrows move it, plus and minus zoom, Home shows all."));
    connect(&m_camera, &TimelineCamera::changed, this, QOverload<>::of(&QWidget::update));
}

void OverviewStrip::setLabelWidth(int labelWidth)
{
    if (std::exchange(m_labelWidth, labelWidth) == labelWidth)
        return;
    m_picture = {};
    update();
}

int OverviewStrip::usualHeight()
{
    return kEdge + 4 * fontScaled(kTextHeight) + 3 * kBandGap + 1;
}

QRect OverviewStrip::plot() const
{
    return {m_labelWidth, kEdge, std::max(1, width() - m_labelWidth), height() - 2 * kEdge};
}

Interval OverviewStrip::whole() const
{
    return {m_trace.oldestNs(), std::max(m_trace.newestNs(), m_trace.oldestNs() + 1)};
}

double OverviewStrip::pixelOf(std::int64_t ns) const
{
    const Interval time = whole();
    return plot().left()
        + static_cast<double>(ns - time.startNs) / static_cast<double>(time.endNs - time.startNs) * plot().width();
}

std::int64_t OverviewStrip::timeOf(double x) const
{
    const Interval time = whole();
    const double part = std::clamp((x - plot().left()) / plot().width(), 0.0, 1.0);
    return time.startNs + std::llround(part * static_cast<double>(time.endNs - time.startNs));
}

void OverviewStrip::restart()
{
    m_work.cancel();
    m_overview = {};
    m_version = 0;
    m_picture = {};
    compute();
    update();
}

void OverviewStrip::refresh()
{
    const bool rests = m_read.isValid() && m_read.elapsed() < std::max(kReadMs, kReadCost * m_tookMs);
    if (!m_work.isRunning() && !rests)
        compute();
}

/// Reads the spans that came since the last time. Those of the newest moments may still be missing, so that they are
/// read later, but for the end of a file.
void OverviewStrip::compute()
{
    if (!isVisible() || m_trace.empty() || m_version == m_trace.version())
        return;
    if (const DistantSpans *distant = m_trace.distant()) {
        if (distant->whole() && m_overview.empty()) {
            m_overview = distant->whole()->loads;
            m_picture = {};
            update();
        }
        return;
    }
    m_version = m_trace.version();
    m_read.start();
    m_work.start(m_trace.snapshot(),
                 [this, overview = m_overview](const std::shared_ptr<const Trace> &trace,
                                               Progress &progress) mutable -> std::function<void()> {
                     if (!overview.extend(*trace, trace->newestNs(), progress))
                         return {};
                     return [this, overview] {
                         m_overview = overview;
                         m_tookMs = m_read.elapsed();
                         m_picture = {};
                         update();
                     };
                 });
}

void OverviewStrip::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

void OverviewStrip::changeEvent(QEvent *event)
{
    m_picture = {}; // Theme or font may have changed.
    QWidget::changeEvent(event);
}

void OverviewStrip::resizeEvent(QResizeEvent *event)
{
    m_picture = {};
    QWidget::resizeEvent(event);
}

/// A colour for each column: what the frames in it did for the largest part of their periods.
void OverviewStrip::paintFrames(QPainter &painter, const QRect &area) const
{
    const FrameTable &frames = m_trace.frames();
    const Interval time = whole();
    std::vector<FrameColumn> columns;
    if (const DistantSpans *distant = m_trace.distant()) {
        for (int x = 0; distant->whole() && x < area.width(); ++x)
            columns.push_back(distant->whole()->frames[static_cast<std::size_t>(x) * WholePicture::kColumns
                                                       / static_cast<std::size_t>(area.width())]);
    } else {
        frames.query({time.startNs, static_cast<double>(time.endNs - time.startNs) / area.width(), area.width()},
                     columns);
    }
    for (int x = 0; x < static_cast<int>(columns.size()); ++x) {
        const FrameColumn &column = columns[static_cast<std::size_t>(x)];
        if (column.periodNs <= 0)
            continue;
        const std::array<std::pair<double, QColor>, 4> parts = {
            {{column.bothNs, theme().both},
             {column.cpuNs - column.bothNs, theme().cpuOnly},
             {column.gpuNs - column.bothNs, theme().gpuOnly},
             {column.periodNs - column.cpuNs - column.gpuNs + column.bothNs, theme().wait}}};
        const auto most = std::max_element(parts.begin(), parts.end(),
                                           [](const auto &a, const auto &b) { return a.first < b.first; });
        painter.fillRect(area.left() + x, area.bottom() - 3, 1, 4, most->second);
    }
    const auto [first, last] = frames.range(time.startNs, time.endNs);
    if (m_trace.distant() || first >= last
        || area.width() / static_cast<double>(last - first) < fontScaled(kLeastNumbered))
        return;
    painter.setPen(theme().muted);
    for (std::uint64_t i = first; i < last; ++i) {
        const FrameFigures frame = frames.at(i);
        const int left = qRound(pixelOf(frame.startNs));
        const int right = qRound(pixelOf(frame.startNs + frame.periodNs()));
        painter.fillRect(left, area.top(), 1, area.height(), theme().border);
        painter.drawText(QRect(left + 4, area.top(), right - left - 6, area.height() - 4),
                         Qt::AlignVCenter | Qt::AlignLeft, QString::number(m_trace.frameNumber(frame.frame)));
    }
}

/// Three bands, each as high as the load in its column.
void OverviewStrip::paintBands(QPainter &painter, const QRect &area) const
{
    const Interval time = whole();
    const double perPixel = static_cast<double>(time.endNs - time.startNs) / area.width();
    const std::array<QColor, 3> colors = {theme().cpuOnly, theme().gpuOnly, theme().both};
    const int bandHeight = fontScaled(kTextHeight);
    for (int band = 0; band < 3; ++band)
        painter.fillRect(area.left(), area.top() + (band + 1) * (bandHeight + kBandGap) - 1, area.width(), 1,
                         theme().border);
    for (int x = 0; x < area.width(); ++x) {
        const std::int64_t from = time.startNs + std::llround(x * perPixel);
        const std::int64_t to = std::max<std::int64_t>(from + 1, time.startNs + std::llround((x + 1) * perPixel));
        const TraceOverview::Load load = m_overview.loadOf({from, to});
        const std::array<double, 3> loads = {load.cpu, load.gpu, load.both};
        for (std::size_t band = 0; band < 3; ++band) {
            const int height = loads[band] > 0 ? std::max(1, qRound(loads[band] * (bandHeight - 1))) : 0;
            const int bottom = area.top() + static_cast<int>(band + 1) * (bandHeight + kBandGap) - 1;
            painter.fillRect(area.left() + x, bottom - height, 1, height, colors[band]);
        }
    }
}

void OverviewStrip::paintLabels(QPainter &painter) const
{
    const int line = fontScaled(kTextHeight);
    painter.setPen(theme().text);
    painter.drawText(QRect(12, kEdge, m_labelWidth - 16, line), Qt::AlignVCenter | Qt::AlignLeft, tr("Whole trace"));
    const std::array<std::pair<QString, QColor>, 3> bands = {
        {{tr("CPU"), theme().cpuOnly}, {tr("GPU"), theme().gpuOnly}, {tr("both"), theme().both}}};
    for (int band = 0; band < 3; ++band) {
        const auto &[name, color] = bands[static_cast<std::size_t>(band)];
        const int top = kEdge + line + band * (line + kBandGap);
        painter.fillRect(14, top + (line - 8) / 2, 8, 8, color);
        painter.setPen(theme().muted);
        painter.drawText(QRect(28, top, m_labelWidth - 32, line), Qt::AlignVCenter | Qt::AlignLeft, name);
    }
}

void OverviewStrip::render()
{
    m_pictured = whole();
    m_picture = QPixmap(size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&m_picture);
    painter.fillRect(rect(), theme().panel);
    const QFont small = paintedFont(font(), 10);
    painter.setFont(small);
    const QRect area = plot();
    painter.fillRect(area, theme().band);
    if (!m_trace.empty()) {
        const int line = fontScaled(kTextHeight);
        paintFrames(painter, {area.left(), area.top(), area.width(), line});
        paintBands(painter, area.adjusted(0, line, 0, 0));
    }
    paintLabels(painter);
    painter.fillRect(0, height() - 1, width(), 1, theme().border);
}

QRectF OverviewStrip::windowRect() const
{
    const Interval shown = m_camera.window();
    const double left = std::clamp<double>(pixelOf(shown.startNs), plot().left(), plot().right() - 2);
    const double right = std::clamp<double>(pixelOf(shown.endNs), left + 3, plot().right() + 1);
    return {left, static_cast<double>(plot().top()), right - left, static_cast<double>(plot().height())};
}

void OverviewStrip::paintEvent(QPaintEvent *)
{
    if (m_picture.isNull() || m_pictured != whole())
        render();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    if (m_trace.empty())
        return;
    const QRectF window = windowRect();
    QColor veil = theme().panel;
    veil.setAlpha(130);
    const QRectF area = plot();
    painter.fillRect(QRectF(area.left(), area.top(), window.left() - area.left(), area.height()), veil);
    painter.fillRect(QRectF(window.right(), area.top(), area.right() - window.right(), area.height()), veil);
    painter.setPen(theme().accent);
    painter.drawRect(window.adjusted(0, 0, -1, -1));
    for (const double edge : {window.left(), window.right() - 3})
        painter.fillRect(QRectF(edge, window.center().y() - 7, 3, 14), theme().accent);
}

OverviewStrip::Grip OverviewStrip::gripAt(double x) const
{
    if (m_trace.empty() || x < plot().left() - kGripPixels)
        return Grip::None;
    const QRectF window = windowRect();
    // Of a narrow window the middle moves it.
    const double reach = std::min(kGripPixels, window.width() / 3);
    if (x >= window.left() - kGripPixels && x <= window.left() + reach)
        return Grip::Start;
    if (x >= window.right() - reach && x <= window.right() + kGripPixels)
        return Grip::End;
    return x > window.left() && x < window.right() ? Grip::Window : Grip::Beside;
}

void OverviewStrip::showTime(Interval time)
{
    if (time.endNs <= time.startNs)
        return;
    TimeScale scale = fitted(time.startNs, time.endNs, m_camera.width());
    scale.nsPerPixel = std::clamp(scale.nsPerPixel, kMinNsPerPixel, kMaxNsPerPixel);
    m_camera.mirror(scale, m_camera.rulerOriginNs());
}

void OverviewStrip::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressX = event->pos().x();
    m_grip = gripAt(m_pressX);
    m_pressWindow = m_camera.window();
    m_dragged = false;
}

void OverviewStrip::drag(double x)
{
    const Interval time = whole();
    const auto moved =
        static_cast<std::int64_t>((x - m_pressX) / plot().width() * static_cast<double>(time.endNs - time.startNs));
    Interval window = m_pressWindow;
    switch (m_grip) {
    case Grip::Start:
        window.startNs = std::min(timeOf(x), window.endNs - 1);
        break;
    case Grip::End:
        window.endNs = std::max(timeOf(x), window.startNs + 1);
        break;
    case Grip::Window: {
        const std::int64_t length = window.endNs - window.startNs;
        window.startNs = std::clamp(window.startNs + moved, time.startNs - length / 2, time.endNs - length / 2);
        window.endNs = window.startNs + length;
        break;
    }
    case Grip::Beside:
        window = {std::min(timeOf(m_pressX), timeOf(x)), std::max(timeOf(m_pressX), timeOf(x))};
        break;
    case Grip::None:
        return;
    }
    showTime(window);
}

void OverviewStrip::mouseMoveEvent(QMouseEvent *event)
{
    const double x = event->pos().x();
    if (event->buttons() & Qt::LeftButton) {
        m_dragged = m_dragged || std::abs(x - m_pressX) >= kDragThreshold;
        if (m_dragged)
            drag(x);
        return;
    }
    const Grip grip = gripAt(x);
    setCursor(grip == Grip::Start || grip == Grip::End ? Qt::SizeHorCursor
                  : grip == Grip::Window               ? Qt::OpenHandCursor
                                                       : Qt::ArrowCursor);
}

/// A click beside the window brings it there.
void OverviewStrip::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !m_dragged && m_grip == Grip::Beside)
        m_camera.center({timeOf(m_pressX), timeOf(m_pressX) + 1});
    m_grip = Grip::None;
}

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        m_camera.fitAll();
}

void OverviewStrip::keyPressEvent(QKeyEvent *event)
{
    const double middle = m_camera.width() / 2.0;
    const int step = std::max(1, qRound(kOverviewStep * m_camera.width()));
    switch (event->key()) {
    case Qt::Key_Left:
        return m_camera.panBy(step);
    case Qt::Key_Right:
        return m_camera.panBy(-step);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return m_camera.zoomAt(middle, 1 / kOverviewZoom);
    case Qt::Key_Minus:
        return m_camera.zoomAt(middle, kOverviewZoom);
    case Qt::Key_Home:
        return m_camera.fitAll();
    default:
        QWidget::keyPressEvent(event);
    }
}

QString OverviewStrip::textAt(double x) const
{
    if (m_overview.empty() || x < plot().left())
        return {};
    const std::int64_t from = timeOf(x);
    const TraceOverview::Load load = m_overview.loadOf({from, std::max(from + 1, timeOf(x + 1))});
    return tr("%1 from the start: CPU %2, GPU %3, both %4")
        .arg(durationText(from - whole().startNs), percentText(load.cpu), percentText(load.gpu),
             percentText(load.both));
}

bool OverviewStrip::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), textAt(help->pos().x()), this);
    return true;
}

} // namespace jetscope
