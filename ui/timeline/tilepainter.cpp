// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/tilepainter.h"

#include "ui/style/theme.h"
#include "ui/timeline/markpainter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr int kHatchPitch = 8; ///< Divides the width of a tile, so that the pattern continues in the next one.
constexpr int kHatchAlpha = 90;
constexpr int kMissingAlpha = 110;
constexpr int kMiniBar = 10; ///< Height of the summary bar of a collapsed group.

/// Mean period of the frames around a window; 0 if there are none.
double meanPeriodNs(const FrameTable &frames, Interval window)
{
    const auto [first, last] = frames.range(window.startNs, window.endNs);
    if (first >= last)
        return 0;
    const FrameFigures newest = frames.at(last - 1);
    return static_cast<double>(newest.startNs + newest.periodNs() - frames.at(first).startNs)
        / static_cast<double>(last - first);
}

} // namespace

TilePainter::TilePainter(const Trace &trace, const CoarseStore *coarse, const TimelineLayout &layout,
                         const Theme &theme)
    : m_trace(trace),
      m_coarse(coarse),
      m_layout(layout),
      m_theme(theme),
      m_strip(trace, layout, theme),
      m_counterLine(trace, theme)
{
    for (std::size_t i = 0; i < m_fills.size(); ++i)
        m_fills[i] = barColors(static_cast<Category>(i), theme).fill.rgb();
}

Tile TilePainter::paint(const TileArea &area, QImage memory)
{
    m_canvas.begin(area, std::move(memory));
    m_labels.clear();
    m_isWhole = true;
    if (m_canvas.window() != m_window || m_columns != m_canvas.columns() || m_version != m_trace.version())
        lookAround();
    m_coarseHere.clear();
    if (m_coarse)
        for (const auto &[startNs, coarse] : m_coarse->all())
            if (const Interval time = timeOf(coarse.window);
                time.startNs < m_window.endNs && time.endNs > m_window.startNs)
                m_coarseHere.push_back(&coarse);
    if (area.overlap) {
        m_strip.paint(m_canvas, m_near, m_trace.distant() ? m_distant ? m_distant : &m_guess : nullptr);
        if (m_trace.distant() && !m_distant)
            hatchMissing(0, area.height);
    } else {
        for (const TimelineRow &row : m_layout.rows)
            if (row.top < area.top + area.height && row.top + row.height > area.top)
                paintRow(row);
    }
    m_canvas.fillTo(m_canvas.image().height());
    paintMarkLines();
    return {m_canvas.finish(), std::move(m_labels), m_isWhole};
}

/// Computes what all tiles of the same time range share.
void TilePainter::lookAround()
{
    m_window = m_canvas.window();
    m_columns = m_canvas.columns();
    m_version = m_trace.version();
    if (DistantSpans *const distant = m_trace.distant()) {
        m_distant = distant->find(m_canvas.area().columns());
        m_guess = distant->guess(m_canvas.area().columns());
        m_near = m_distant && m_distant->isNear;
        m_contended = m_near ? m_distant->contended : Intervals();
    } else {
        m_near = isNear(m_trace, m_window, m_canvas.area().scale.nsPerPixel);
        // At lower zoom there are no bars to hatch.
        m_contended = m_near ? contendedPieces(m_trace, m_window) : Intervals();
    }
    m_holes.clear();
    for (const Interval &hole : m_trace.missing())
        if (hole.startNs < m_window.endNs && hole.endNs > m_window.startNs) {
            const auto last = static_cast<double>(m_columns);
            m_holes.emplace_back(static_cast<int>(std::floor(std::clamp(m_canvas.columnOf(hole.startNs), 0.0, last))),
                                 static_cast<int>(std::ceil(std::clamp(m_canvas.columnOf(hole.endNs), 0.0, last))));
        }
    makeBackground();
}

/// Shades every other frame, unless frames are too narrow to distinguish.
void TilePainter::makeBackground()
{
    std::vector<QRgb> pixels(static_cast<std::size_t>(m_columns), m_theme.panel.rgb());
    const FrameTable &frames = m_trace.frames();
    const bool toldApart = meanPeriodNs(frames, m_window) >= kMinBandColumns * m_canvas.nsPerColumn();
    const auto [first, last] =
        toldApart ? frames.range(m_window.startNs, m_window.endNs) : std::pair<std::uint64_t, std::uint64_t>();
    const auto width = static_cast<double>(pixels.size());
    for (std::uint64_t i = first; i < last; ++i) {
        const FrameFigures frame = frames.at(i);
        if (frame.frame % 2 != 0)
            continue;
        const double left = std::clamp(m_canvas.columnOf(frame.startNs), 0.0, width);
        const double right = std::clamp(m_canvas.columnOf(frame.startNs + frame.periodNs()), 0.0, width);
        std::fill(pixels.begin() + qRound(left), pixels.begin() + qRound(right), m_theme.band.rgb());
    }
    m_canvas.setBackground(std::move(pixels));
}

void TilePainter::paintRow(const TimelineRow &row)
{
    switch (row.kind) {
    case TimelineRow::Kind::Heading:
        paintHeading(row);
        break;
    case TimelineRow::Kind::Lane:
        paintLane(row);
        break;
    case TimelineRow::Kind::Counter:
        paintCounter(row);
        break;
    case TimelineRow::Kind::Idle:
        paintIdle(row);
        break;
    case TimelineRow::Kind::Overlap:
    case TimelineRow::Kind::Note:
        break;
    }
    m_canvas.separate(row.top + row.height, m_theme.border.rgb());
}

/// Processes one row at a time for cache locality. A mark just left of the tile may round to its first pixel.
void TilePainter::paintMarkLines()
{
    struct Line {
        int left;
        MarkLine look;
    };
    std::vector<Line> lines;
    for (const TraceMark *mark : marksSeen(m_trace.marks(), m_canvas.area().scale, -1, m_canvas.area().width))
        if (const auto look = markLine(mark->kind, m_theme))
            lines.push_back(
                {qRound(qRound(pixelAt(m_canvas.area().scale, mark->timeNs)) * m_canvas.area().ratio), *look});
    if (lines.empty())
        return;
    const int above = m_canvas.area().overlap ? 0 : m_layout.overlap.height + m_canvas.area().top;
    const int width = std::max(1, qRound(m_canvas.area().ratio));
    for (int row = 0; row < m_canvas.image().height(); ++row) {
        auto *const pixels = m_canvas.pixels(row);
        const int y = above + static_cast<int>(row / m_canvas.area().ratio);
        for (const Line &line : lines)
            if (line.look.hasInk(y))
                std::fill(pixels + std::clamp(line.left, 0, m_columns),
                          pixels + std::clamp(line.left + width, 0, m_columns), line.look.color);
    }
}

/// Shows the activity of a collapsed group: all its lanes on one thin line.
void TilePainter::paintHeading(const TimelineRow &row)
{
    if (row.tracks.empty())
        return;
    m_line.begin(m_canvas.background());
    bool isThere = true;
    for (const std::size_t track : row.tracks) {
        isThere &= readTrack(track);
        addColumns();
        addBars(0);
    }
    const int height = fontScaled(kMiniBar);
    const int top = m_canvas.rowOf(row.top + (row.height - height) / 2);
    m_canvas.showLine(m_line, top, m_canvas.rowOf(row.top + (row.height + height) / 2) - top);
    if (!isThere)
        hatchMissing(row.top, row.height);
}

void TilePainter::paintCounter(const TimelineRow &row)
{
    if (!m_trace.distant())
        return m_counterLine.paint(m_canvas, row, nullptr);
    static const std::vector<CounterColumn> kNothing;
    const WindowPicture &known = m_distant ? *m_distant : m_guess;
    const auto found = known.counters.find(static_cast<std::uint32_t>(row.counter));
    m_counterLine.paint(m_canvas, row, found == known.counters.end() ? &kNothing : &found->second);
    if (found == known.counters.end())
        hatchMissing(row.top, row.height);
}

void TilePainter::paintIdle(const TimelineRow &row)
{
    row.idle->track.query({m_window.startNs, m_canvas.nsPerColumn(), m_columns}, m_picture);
    m_line.begin(m_canvas.background());
    const QRgb ink = m_theme.warn.rgb();
    for (std::size_t x = 0; x < m_picture.columns.size(); ++x)
        if (const TraceColumn &column = m_picture.columns[x]; column.busyNs > 0)
            m_line.addColumn(static_cast<int>(x), ink, static_cast<double>(column.busyNs) / m_canvas.nsPerColumn(),
                             PixelLine::Look::Hatched);
    for (const TraceBar &bar : m_picture.bars)
        m_line.addBar(m_canvas.columnOf(bar.span.startNs), m_canvas.columnOf(bar.span.endNs()), ink,
                      PixelLine::Look::Hatched);
    const BarBand band = barBand(m_layout.metrics, 0, 1);
    const int top = m_canvas.rowOf(row.top + band.top);
    const int rows = m_canvas.rowOf(row.top + band.top + band.height) - top;
    m_canvas.showLine(m_line, top, rows);
    m_line.roundCorners(m_canvas.image(), top, rows);
}

bool TilePainter::readTrack(std::size_t track)
{
    if (!m_trace.distant()) {
        m_trace.tracks()[track].query({m_window.startNs, m_canvas.nsPerColumn(), m_columns}, m_picture);
        addCoarse(track);
        m_shown = &m_picture;
        return true;
    }
    static const TrackPicture kNothing;
    for (const WindowPicture *known : {m_distant, static_cast<const WindowPicture *>(&m_guess)}) {
        const auto found = known ? known->tracks.find(static_cast<std::uint32_t>(track)) : m_guess.tracks.end();
        if (!known || found == known->tracks.end())
            continue;
        m_shown = &found->second;
        return known == m_distant;
    }
    m_shown = &kNothing;
    return false;
}

/// What is known of spans that have not come yet; it is hatched all the same.
void TilePainter::addCoarse(std::size_t track)
{
    const SpanTrack &own = m_trace.tracks()[track];
    const ColumnWindow window{m_window.startNs, m_canvas.nsPerColumn(), m_columns};
    for (const CoarseSpans *const coarse : m_coarseHere)
        if (const auto known = coarse->tracks.find({own.lane(), own.depth()}); known != coarse->tracks.end())
            jetscope::addCoarse(known->second, coarse->window, window, m_picture.columns);
}

/// Marks what has not come yet.
void TilePainter::hatchMissing(int top, int height)
{
    hatchColumns(top, height, 0, m_columns);
}

void TilePainter::hatchHoles(int top, int height)
{
    for (const auto &[first, last] : m_holes)
        hatchColumns(top, height, first, last);
}

void TilePainter::hatchColumns(int top, int height, int first, int last)
{
    m_isWhole = false;
    m_canvas.fillTo(m_canvas.rowOf(top + height));
    const int from = std::max(m_canvas.rowOf(top), 0);
    const int end = std::min(m_canvas.rowOf(top + height), m_canvas.image().height());
    const int above = qRound(m_canvas.area().top * m_canvas.area().ratio); // The pattern continues across tiles.
    const QRgb ink = m_theme.muted.rgb();
    for (int y = from; y < end; ++y) {
        QRgb *const pixels = m_canvas.pixels(y);
        for (int x = first + (above + y + kHatchPitch - first % kHatchPitch) % kHatchPitch; x < last; x += kHatchPitch)
            pixels[x] = blended(ink, pixels[x], kMissingAlpha);
    }
}

void TilePainter::paintLane(const TimelineRow &row)
{
    const double fringe = uncertaintyNs(row.lane);
    for (std::size_t depth = 0; depth < row.tracks.size(); ++depth) {
        const BarBand band = barBand(m_layout.metrics, depth, row.tracks.size());
        const int top = row.top + band.top;
        if (top >= m_canvas.area().top + m_canvas.area().height || top + band.height <= m_canvas.area().top)
            continue;
        paintTrack(row.tracks[depth], top, band.height, fringe);
        if (depth == 0 && isGpuLane(row.role))
            hatchContended(top, band.height);
        addLabels(row.tracks[depth], top, band.height);
    }
}

void TilePainter::paintTrack(std::size_t track, int top, int height, double fringeNs)
{
    const bool isThere = readTrack(track);
    m_line.begin(m_canvas.background());
    addColumns();
    addBars(fringeNs);
    const int from = m_canvas.rowOf(top);
    const int rows = m_canvas.rowOf(top + height) - from;
    m_canvas.showLine(m_line, from, rows);
    m_line.roundCorners(m_canvas.image(), from, rows);
    if (!isThere)
        hatchMissing(top, height);
    hatchHoles(top, height);
}

void TilePainter::addColumns()
{
    const double columnsPerNs = 1 / m_canvas.nsPerColumn();
    for (std::size_t x = 0; x < m_shown->columns.size(); ++x) {
        const TraceColumn &column = m_shown->columns[x];
        if (column.count > 0 || column.busyNs > 0)
            m_line.addColumn(static_cast<int>(x), fillOf(column.longest),
                             static_cast<double>(column.busyNs) * columnsPerNs, lookOf(column.longest));
    }
}

void TilePainter::addBars(double fringeNs)
{
    for (const TraceBar &bar : m_shown->bars)
        m_line.addBar(m_canvas.columnOf(bar.span.startNs), m_canvas.columnOf(bar.span.endNs()), fillOf(bar.span.name),
                      lookOf(bar.span.name));
    const double fringe = fringeNs / m_canvas.nsPerColumn();
    if (fringe < 1)
        return;
    for (const TraceBar &bar : m_shown->bars) {
        const double left = m_canvas.columnOf(bar.span.startNs);
        const double right = m_canvas.columnOf(bar.span.endNs());
        m_line.addFringe(left - fringe, left, fillOf(bar.span.name));
        m_line.addFringe(right - 1, right + fringe, fillOf(bar.span.name));
    }
}

void TilePainter::addLabels(std::size_t track, int top, int height)
{
    for (const TraceBar &bar : m_shown->bars)
        if (static_cast<double>(bar.span.durationNs) >= kMinLabelPixels * m_canvas.area().scale.nsPerPixel)
            m_labels.push_back({{track, bar}, top, height});
}

double TilePainter::uncertaintyNs(LaneId lane) const
{
    if (m_distant)
        for (const auto &[described, ns] : m_distant->uncertainties)
            if (described == lane)
                return ns;
    for (const CounterTrack &counter : m_trace.counters())
        if (isUncertainty(counter.info()) && counter.info().lane == lane) {
            const auto value = counter.valueAt(m_window.startNs / 2 + m_window.endNs / 2);
            return value && std::isfinite(*value) ? *value : 0;
        }
    return 0;
}

/// Hatches bars where GL and CUDA share one GPU, because that work does not run in parallel.
void TilePainter::hatchContended(int top, int height)
{
    const int from = std::max(m_canvas.rowOf(top), 0);
    const int end = std::min(m_canvas.rowOf(top + height), m_canvas.image().height());
    const int above = qRound(m_canvas.area().top * m_canvas.area().ratio); // The pattern continues across tiles.
    const QRgb ink = m_theme.barText.rgb();
    for (const Interval &piece : m_contended) {
        const int left = qRound(std::clamp<double>(m_canvas.columnOf(piece.startNs), 0, m_columns));
        const int right = qRound(std::clamp<double>(m_canvas.columnOf(piece.endNs), 0, m_columns));
        for (int y = from; y < end; ++y) {
            auto *pixels = m_canvas.pixels(y);
            for (int stroke = left - (left + above + y) % kHatchPitch; stroke < right; stroke += kHatchPitch)
                for (const int x : {stroke, stroke + 1})
                    if (x >= left && x < right && m_line.isCovered(x))
                        pixels[x] = blended(ink, pixels[x], kHatchAlpha);
        }
    }
}

} // namespace jetscope
