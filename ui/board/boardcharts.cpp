// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardcharts.h"

#include "core/board/energy.h"
#include "ui/board/chartpainter.h"
#include "ui/style/pointer.h"
#include "ui/style/style.h"
#include "ui/style/theme.h"

#include <QFontInfo>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

constexpr int kNarrowLabels = 108;
constexpr int kNarrowCharts = 620;
constexpr int kDot = 7;
constexpr int kBandAlpha = 46;

QColor eventColor(const BoardEvent &event)
{
    switch (event.kind) {
    case BoardEvent::Kind::PowerMode:
        return theme().cpuOnly;
    case BoardEvent::Kind::Missing:
        return theme().muted;
    case BoardEvent::Kind::Throttled:
    case BoardEvent::Kind::Slowed:
        break;
    }
    return theme().warn;
}

} // namespace

BoardCharts::BoardCharts(const BoardSeries &series, const std::vector<BoardEvent> &events, QWidget *parent)
    : QWidget(parent), m_series(series), m_events(events), m_camera(series.trace())
{
    setObjectName(QStringLiteral("boardCharts"));
    setAccessibleName(tr("Charts of the board"));
    setAccessibleRole(this, QAccessible::Chart);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_camera.stopFollowing(); // It follows frames.
    connect(&m_camera, &TimelineCamera::changed, this, &BoardCharts::moved);
}

void BoardCharts::restart(bool live)
{
    m_isLive = m_follows = live;
    m_hoverX.reset();
    m_heldNs.reset();
    m_range.reset();
    m_camera.restart(false);
    m_times = BoardTimes(m_series.time().startNs, m_series.trace().unixOffsetNs());
    emit rangeChanged();
    refresh();
}

void BoardCharts::refresh()
{
    if (m_isLive)
        m_times = BoardTimes(m_series.time().startNs, m_series.trace().unixOffsetNs());
    layOut();
    if (m_follows) {
        const std::int64_t endNs = m_series.time().endNs;
        m_camera.mirror(fitted(endNs - kFollowedNs, endNs, plot().width()), m_series.time().startNs);
    }
    moved();
}

void BoardCharts::setRoom(int room, bool valuesInside)
{
    if (m_room == room && m_valuesInside == valuesInside)
        return;
    m_room = room;
    m_valuesInside = valuesInside;
    layOut();
    moved();
}

void BoardCharts::setClosed(const std::set<BoardGroup> &closed)
{
    m_closed = closed;
    layOut();
    moved();
}

void BoardCharts::toggle(BoardGroup group)
{
    std::set<BoardGroup> closed = m_closed;
    if (closed.erase(group) == 0)
        closed.insert(group);
    setClosed(closed);
}

int BoardCharts::lineHeight() const
{
    return fontMetrics().height() + 4;
}

int BoardCharts::labels() const
{
    return width() < fontScaled(kNarrowCharts) ? fontScaled(kNarrowLabels) : ChartPainter::usualLabels();
}

void BoardCharts::layOut()
{
    const QString before = std::exchange(m_rowWords, QString());
    m_rows.build(m_series, m_closed, m_room, lineHeight(), m_valuesInside);
    m_rowWords = m_rows.words();
    m_picture = QPixmap();
    if (m_rowWords == before)
        return; // Whoever reads the table is not disturbed.
    setFixedHeight(std::max(m_rows.height(), 1));
    emit rowsChanged();
}

QRect BoardCharts::plot() const
{
    return ChartPainter::plotOf(QRect(0, 0, width(), 100), labels());
}

void BoardCharts::moved()
{
    m_picture = QPixmap();
    update();
    emit viewChanged();
    emit cursorMoved();
}

void BoardCharts::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_camera.setWidth(plot().width());
    if (m_follows)
        refresh();
    m_picture = QPixmap();
}

void BoardCharts::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange
        || event->type() == QEvent::StyleChange)
        layOut();
}

std::int64_t BoardCharts::nsAt(int x) const
{
    return timeAt(m_camera.scale(), x - plot().left());
}

int BoardCharts::xOf(std::int64_t ns) const
{
    return plot().left() + static_cast<int>(std::lround(pixelAt(m_camera.scale(), ns)));
}

std::int64_t BoardCharts::cursorNs() const
{
    if (m_heldNs)
        return *m_heldNs;
    const std::int64_t lastNs = std::max(m_series.time().startNs, m_series.time().endNs - 1);
    return m_hoverX ? nsAt(*m_hoverX) : m_isLive ? m_series.time().endNs : lastNs;
}

void BoardCharts::hover(std::optional<int> x)
{
    if (x && (*x < plot().left() || *x > plot().right()))
        x.reset();
    if (m_hoverX == x)
        return;
    m_hoverX = x;
    update();
    emit cursorMoved();
}

void BoardCharts::hold(std::optional<std::int64_t> ns)
{
    m_heldNs = ns;
    update();
    emit cursorMoved();
}

void BoardCharts::setRange(const std::optional<Interval> &range)
{
    m_range = range;
    update();
    emit rangeChanged();
}

void BoardCharts::measure(int fromX, int toX)
{
    setRange(Interval{nsAt(std::min(fromX, toX)), nsAt(std::max(fromX, toX))});
}

void BoardCharts::show(Interval time)
{
    m_follows = false;
    m_camera.show(time);
}

void BoardCharts::showAll()
{
    m_follows = false;
    m_camera.fitAll();
}

void BoardCharts::follow()
{
    m_follows = m_isLive;
    refresh();
}

void BoardCharts::zoomAt(int x, double factor)
{
    m_follows = false;
    m_camera.zoomAt(x - plot().left(), factor);
}

void BoardCharts::stepEvent(bool forward)
{
    if (m_events.empty())
        return;
    const std::int64_t fromNs = m_heldNs.value_or(forward ? std::numeric_limits<std::int64_t>::min()
                                                          : std::numeric_limits<std::int64_t>::max());
    std::size_t found = forward ? 0 : m_events.size() - 1; // Round to the other end.
    for (std::size_t i = 0; i < m_events.size(); ++i) {
        const std::size_t index = forward ? i : m_events.size() - 1 - i;
        const std::int64_t ns = m_events[index].time.startNs;
        if (forward ? ns > fromNs : ns < fromNs) {
            found = index;
            break;
        }
    }
    m_follows = false;
    hold(m_events[found].time.startNs);
    m_camera.reveal(m_events[found].time);
    emit eventShown(found);
}

/// To the next time at which any curve has a reading.
void BoardCharts::stepSample(bool forward)
{
    const std::int64_t fromNs = cursorNs();
    std::optional<std::int64_t> best;
    for (const CounterTrack &track : m_series.tracks()) {
        const std::uint64_t at = firstSampleFrom(track, forward ? fromNs + 1 : fromNs);
        if (forward ? at >= track.endIndex() : at <= track.firstIndex())
            continue;
        const std::int64_t ns = track.at(forward ? at : at - 1).first;
        if (!best || (forward ? ns < *best : ns > *best))
            best = ns;
    }
    if (!best)
        return;
    m_follows = false;
    hold(*best);
    m_camera.reveal({*best, *best});
}

void BoardCharts::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    m_pressed = event->pos();
    m_dragX = event->pos().x();
    m_isDragging = false;
    m_measures = (event->modifiers() & Qt::ShiftModifier) != 0;
}

void BoardCharts::mouseMoveEvent(QMouseEvent *event)
{
    hover(event->pos().x());
    if (!(event->buttons() & Qt::LeftButton) || m_pressed.x() < plot().left())
        return;
    m_isDragging = m_isDragging || std::abs(event->pos().x() - m_pressed.x()) >= kDragThreshold;
    if (!m_isDragging)
        return;
    if (m_measures)
        return measure(m_pressed.x(), event->pos().x());
    m_follows = false;
    m_camera.panBy(event->pos().x() - m_dragX);
    m_dragX = event->pos().x();
}

void BoardCharts::mouseReleaseEvent(QMouseEvent *event)
{
    const bool isClick = event->button() == Qt::LeftButton && !m_isDragging && event->pos().x() >= plot().left();
    m_isDragging = false;
    if (!isClick)
        return;
    constexpr double kSamePlace = 6; // A second click releases the cursor.
    const double heldX = m_heldNs ? plot().left() + pixelAt(m_camera.scale(), *m_heldNs) : -1e9;
    const bool isSame = std::abs(heldX - event->pos().x()) <= kSamePlace;
    hold(isSame ? std::nullopt : std::optional<std::int64_t>(nsAt(event->pos().x())));
}

/// On a name closes or opens the group.
void BoardCharts::mouseDoubleClickEvent(QMouseEvent *event)
{
    const BoardRow *row = m_rows.rowAt(event->pos().y());
    if (!row || event->pos().x() >= plot().left())
        return;
    toggle(row->group);
}

void BoardCharts::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    if (event->position().x() < plot().left() || (event->modifiers() & Qt::AltModifier) != 0)
        return event->ignore(); // The names scroll.
    const bool pans = (event->modifiers() & Qt::ShiftModifier) != 0 || delta.y() == 0;
    const int steps = delta.y() != 0 ? delta.y() : delta.x();
    if (pans) {
        m_follows = false;
        m_camera.panBy(steps / 2);
    } else {
        zoomAt(static_cast<int>(event->position().x()), std::pow(0.8, steps / 120.0));
    }
    event->accept();
}

void BoardCharts::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    hover(std::nullopt);
}

void BoardCharts::keyPressEvent(QKeyEvent *event)
{
    const int middle = plot().center().x();
    const int page = plot().width() / 10;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        return stepSample(event->key() == Qt::Key_Right);
    case Qt::Key_W:
    case Qt::Key_Plus:
        return zoomAt(m_hoverX.value_or(middle), 0.8);
    case Qt::Key_S:
    case Qt::Key_Minus:
        return zoomAt(m_hoverX.value_or(middle), 1.25);
    case Qt::Key_A:
    case Qt::Key_D:
        m_follows = false;
        return m_camera.panBy(event->key() == Qt::Key_A ? page : -page);
    case Qt::Key_Z:
        return m_range ? show(*m_range) : void();
    case Qt::Key_Backspace:
        m_follows = false;
        m_camera.back();
        return;
    case Qt::Key_F:
        return showAll();
    case Qt::Key_H:
        return follow();
    case Qt::Key_E:
        return stepEvent((event->modifiers() & Qt::ShiftModifier) == 0);
    case Qt::Key_Home:
        m_follows = false;
        return m_camera.goToStart();
    case Qt::Key_End:
        m_follows = false;
        return m_camera.goToEnd();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return hold(m_heldNs ? std::nullopt : std::optional<std::int64_t>(cursorNs()));
    case Qt::Key_Escape:
        if (m_heldNs)
            return hold(std::nullopt);
        if (m_range)
            return setRange(std::nullopt);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void BoardCharts::paintNames(QPainter &painter, const BoardRow &row) const
{
    painter.setFont(font());
    const int line = lineHeight();
    const int room = labels() - 16;
    const auto text = [&](int y, const QString &words, const QColor &color, int indent = 0) {
        painter.setPen(color);
        painter.drawText(QRect(10 + indent, y, room - indent, line), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(words, Qt::ElideRight, room - indent));
    };
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    const QString name = groupTitle(row.group);
    text(row.top + 4, row.isOpen ? name : QStringLiteral("▸ ") + name, theme().text);
    if (!row.isOpen)
        return;
    QFont small = font();
    small.setPixelSize(std::max(10, QFontInfo(font()).pixelSize() - 2));
    painter.setFont(small);
    int y = row.top + 4 + line - 2;
    text(y, row.about, theme().muted);
    y += line - 2;
    for (const ShownCurve &shown : row.curves) {
        if (y + line > row.top + row.height)
            break;
        const CounterTrack &track = m_series.tracks()[shown.curve.counter];
        QString words = shown.name;
        if (m_valuesInside) {
            const QString unit = boardUnit(track.info().unit);
            const std::optional<double> value = track.valueAt(cursorNs());
            words = (value ? boardValue(*value * boardFactor(track.info().unit), unit) : QStringLiteral("–")) + u' '
                + shown.name;
        }
        painter.fillRect(10, y + line / 2 - 4, kDot, kDot, shown.color);
        text(y, words, theme().muted, kDot + 6);
        y += line - 3;
    }
}

void BoardCharts::paintBands(QPainter &painter) const
{
    const QRect area(plot().left(), 0, plot().width(), height());
    for (const BoardEvent &event : m_events) {
        const int from = xOf(event.time.startNs);
        const int to = xOf(event.time.endNs);
        if (to < area.left() || from > area.right())
            continue;
        QColor color = eventColor(event);
        const bool isMoment = event.time.endNs == event.time.startNs;
        const int left = std::max(from, area.left());
        const int right = std::min(to, area.right());
        if (event.kind == BoardEvent::Kind::Missing) {
            painter.fillRect(left, 0, std::max(2, right - left), height(), theme().window);
            continue;
        }
        if (!isMoment) {
            QColor pale = color;
            pale.setAlpha(kBandAlpha);
            painter.fillRect(left, 0, std::max(2, right - left), height(), pale);
        }
        painter.setPen(QPen(color, 1, isMoment ? Qt::SolidLine : Qt::DashLine));
        if (from >= area.left() && from <= area.right())
            painter.drawLine(from, 0, from, height());
    }
    if (!m_range)
        return;
    const double from = std::clamp(pixelAt(m_camera.scale(), m_range->startNs), 0.0, static_cast<double>(area.width()));
    const double to = std::clamp(pixelAt(m_camera.scale(), m_range->endNs), 0.0, static_cast<double>(area.width()));
    QColor pale = theme().text;
    pale.setAlpha(26);
    painter.fillRect(QRectF(area.left() + from, 0, to - from, height()), pale);
}

void BoardCharts::paintPicture()
{
    m_picture = QPixmap(size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_picture.fill(theme().panel);
    QPainter painter(&m_picture);
    painter.setFont(font());
    for (const BoardRow &row : m_rows.all()) {
        painter.fillRect(0, row.top + row.height - 1, width(), 1, theme().border);
        if (row.isOpen)
            ChartPainter(painter, m_series, m_camera.scale())
                .paint(row, QRect(0, row.top, width(), row.height), labels());
    }
}

void BoardCharts::paintCursor(QPainter &painter) const
{
    if (!m_heldNs && !m_hoverX)
        return;
    const std::int64_t ns = cursorNs();
    const QRect area = plot();
    const int x = xOf(ns);
    if (x < area.left() || x > area.right())
        return;
    painter.fillRect(x, 0, 1, height(), theme().text);
    for (const BoardRow &row : m_rows.all())
        for (const ShownCurve &shown : row.curves) {
            const CounterTrack &track = m_series.tracks()[shown.curve.counter];
            const std::optional<double> value = track.valueAt(ns);
            const bool isStacked = shown.curve.role == BoardCurve::Role::Rail;
            if (!row.isOpen || !shown.isDrawn || !value || isStacked || shown.curve.role == BoardCurve::Role::Most)
                continue;
            const QRect rowPlot = ChartPainter::plotOf(QRect(0, row.top, width(), row.height), labels());
            const int y = ChartPainter::yOf(row, shown, rowPlot, *value * boardFactor(track.info().unit));
            painter.fillRect(x - kDot / 2, y - kDot / 2, kDot, kDot, theme().panel);
            painter.fillRect(x - kDot / 2 + 1, y - kDot / 2 + 1, kDot - 2, kDot - 2, shown.color);
        }
}

void BoardCharts::paintEvent(QPaintEvent *)
{
    if (m_picture.isNull() || m_picture.size() != size() * devicePixelRatioF())
        paintPicture();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    for (const BoardRow &row : m_rows.all())
        paintNames(painter, row);
    paintBands(painter);
    paintCursor(painter);
    if (m_rows.all().empty()) {
        painter.setPen(theme().muted);
        painter.drawText(rect(), Qt::AlignCenter, tr("No value of a board is known yet."));
    }
}

std::vector<std::pair<QString, QString>> boardKeys()
{
    return {
        {BoardCharts::tr("Mouse, click"), BoardCharts::tr("Read off the values; hold the cursor")},
        {BoardCharts::tr("← →"), BoardCharts::tr("Previous or next reading")},
        {BoardCharts::tr("Wheel, W S"), BoardCharts::tr("Zoom at the mouse")},
        {BoardCharts::tr("Drag, Shift+wheel, A D"), BoardCharts::tr("Move in time")},
        {BoardCharts::tr("Drag on the ruler, Shift+drag"),
         BoardCharts::tr("Measure a range: table and energy are of it")},
        {BoardCharts::tr("Z, Backspace, F"), BoardCharts::tr("Zoom to the range, previous view, all")},
        {BoardCharts::tr("E, Shift+E"), BoardCharts::tr("Next or previous event")},
        {BoardCharts::tr("H"), BoardCharts::tr("Follow the newest minute")},
        {BoardCharts::tr("Double click on a name"), BoardCharts::tr("Close or open a group")},
        {BoardCharts::tr("Esc"), BoardCharts::tr("Release the cursor, then the range")},
    };
}

} // namespace jetscope
