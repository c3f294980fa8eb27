// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/tilepainter.h"

#include "ui/theme.h"
#include "ui/timeline/marklines.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace jetscope {

namespace {

constexpr double kMinBandPixels = 3;
constexpr double kMostSpansPerPixel = 0.8; ///< More, and cutting the strip exactly costs more than all lanes.
constexpr std::uint64_t kMostExactSpans = 5000;
constexpr int kHatchPitch = 8; ///< Divides a tile's width, so that the pattern goes on in the next tile.
constexpr int kHatchAlpha = 90;
constexpr int kMiniBar = 10; ///< Height of what a collapsed group still shows.

/// Mean period of the frames around a window; 0 when there are none.
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

/// By what there is on average, so that all pieces of a view agree; but not where far more than that comes together.
bool isNear(const Trace &trace, Interval window, double nsPerPixel)
{
    const auto length = static_cast<double>(std::max<std::int64_t>(1, trace.newestNs() - trace.oldestNs()));
    if (static_cast<double>(trace.spanCount()) * nsPerPixel > kMostSpansPerPixel * length)
        return false;
    std::uint64_t spans = 0;
    for (const SpanTrack &track : trace.tracks()) {
        const auto [first, last] = track.range(window.startNs, window.endNs);
        spans += last - first;
    }
    return spans <= kMostExactSpans;
}

TilePainter::TilePainter(const Trace &trace, const TimelineLayout &layout, const Theme &theme)
    : m_trace(trace), m_layout(layout), m_theme(theme)
{
    for (std::size_t i = 0; i < m_fills.size(); ++i)
        m_fills[i] = barColors(static_cast<Category>(i), theme).fill.rgb();
}

Tile TilePainter::paint(const TileArea &area, QImage memory)
{
    begin(area, std::move(memory));
    if (area.overlap) {
        paintOverlap();
    } else {
        for (const TimelineRow &row : m_layout.rows)
            if (row.top < area.top + area.height && row.top + row.height > area.top)
                paintRow(row);
    }
    fillTo(m_tile.image.height());
    paintMarkLines();
    m_tile.image.setDevicePixelRatio(area.ratio);
    return std::move(m_tile);
}

void TilePainter::begin(const TileArea &area, QImage memory)
{
    m_area = area;
    m_nsPerColumn = area.scale.nsPerPixel / area.ratio;
    const QSize size(qRound(area.width * area.ratio), qRound(area.height * area.ratio));
    m_tile = {memory.size() == size ? std::move(memory) : QImage(size, QImage::Format_RGB32), {}};
    m_tile.image.setDevicePixelRatio(1);
    m_filled = 0;
    const Interval window{timeAt(area.scale, 0), timeAt(area.scale, area.width) + 1};
    if (window != m_window || m_columns != size.width() || m_version != m_trace.version())
        lookAt(window);
}

void TilePainter::lookAt(Interval window)
{
    m_window = window;
    m_columns = m_tile.image.width();
    m_version = m_trace.version();
    m_near = isNear(m_trace, window, m_area.scale.nsPerPixel);
    // Farther out there are no bars to hatch.
    m_contended = m_near ? contendedPieces(m_trace, window) : Intervals();
    makeBackground();
}

/// Down to this row of pixels there is at least what lies behind the lanes.
void TilePainter::fillTo(int row)
{
    const int end = std::min(row, m_tile.image.height());
    const qsizetype pitch = m_tile.image.bytesPerLine();
    uchar *const bits = m_tile.image.bits();
    for (; m_filled < end; ++m_filled)
        std::memcpy(bits + m_filled * pitch, m_background.data(), m_background.size() * sizeof(QRgb));
}

/// The line in these rows of pixels, below all that was painted before.
void TilePainter::showLine(int top, int rows)
{
    fillTo(top);
    m_line.copyTo(m_tile.image, top, rows, std::max(0, top + qRound(m_area.top * m_area.ratio)));
    m_filled = std::clamp(top + rows, m_filled, std::max(m_filled, m_tile.image.height()));
}

/// Every other frame is a band, as long as frames can be told apart.
void TilePainter::makeBackground()
{
    m_background.assign(static_cast<std::size_t>(m_columns), m_theme.panel.rgb());
    const FrameTable &frames = m_trace.frames();
    if (meanPeriodNs(frames, m_window) < kMinBandPixels * m_nsPerColumn)
        return;
    const auto [first, last] = frames.range(m_window.startNs, m_window.endNs);
    const auto width = static_cast<double>(m_background.size());
    for (std::uint64_t i = first; i < last; ++i) {
        const FrameFigures frame = frames.at(i);
        if (frame.frame % 2 != 0)
            continue;
        const double left = std::clamp(columnOf(frame.startNs), 0.0, width);
        const double right = std::clamp(columnOf(frame.startNs + frame.periodNs()), 0.0, width);
        std::fill(m_background.begin() + qRound(left), m_background.begin() + qRound(right), m_theme.band.rgb());
    }
}

double TilePainter::columnOf(std::int64_t ns) const
{
    return pixelAt(m_area.scale, ns) * m_area.ratio;
}

int TilePainter::deviceRow(int y) const
{
    return qRound(y * m_area.ratio) - qRound(m_area.top * m_area.ratio);
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
    case TimelineRow::Kind::Overlap:
        break;
    }
    paintSeparator(row.top + row.height);
}

void TilePainter::paintSeparator(int bottom)
{
    const int y = deviceRow(bottom) - 1;
    fillTo(y + 1);
    if (y < 0 || y >= m_tile.image.height())
        return;
    auto *row = reinterpret_cast<QRgb *>(m_tile.image.scanLine(y));
    std::fill(row, row + m_tile.image.width(), m_theme.border.rgb());
}

/// Row by row while the tile is in the caches. A mark just left of the tile may round to its first pixel.
void TilePainter::paintMarkLines()
{
    struct Line {
        int left;
        MarkLine look;
    };
    std::vector<Line> lines;
    for (const TraceMark *mark : marksSeen(m_trace.marks(), m_area.scale, -1, m_area.width))
        if (const auto look = markLine(mark->kind, m_theme))
            lines.push_back({qRound(qRound(pixelAt(m_area.scale, mark->timeNs)) * m_area.ratio), *look});
    if (lines.empty())
        return;
    const int above = m_area.overlap ? 0 : m_layout.overlap.height + m_area.top;
    const int width = std::max(1, qRound(m_area.ratio));
    for (int row = 0; row < m_tile.image.height(); ++row) {
        auto *const pixels = reinterpret_cast<QRgb *>(m_tile.image.scanLine(row));
        const int y = above + static_cast<int>(row / m_area.ratio);
        for (const Line &line : lines)
            if (line.look.hasInk(y))
                std::fill(pixels + std::clamp(line.left, 0, m_columns),
                          pixels + std::clamp(line.left + width, 0, m_columns), line.look.color);
    }
}

/// A collapsed group still shows when it did something: its lanes on one thin line.
void TilePainter::paintHeading(const TimelineRow &row)
{
    if (row.tracks.empty())
        return;
    m_line.begin(m_background);
    for (const std::size_t track : row.tracks) {
        m_trace.tracks()[track].query({m_window.startNs, m_nsPerColumn, m_columns}, m_picture);
        addColumns();
        addBars(0);
    }
    const int top = deviceRow(row.top + (row.height - kMiniBar) / 2);
    showLine(top, deviceRow(row.top + (row.height + kMiniBar) / 2) - top);
}

void TilePainter::paintLane(const TimelineRow &row)
{
    const double fringe = uncertaintyNs(row.lane);
    for (std::size_t depth = 0; depth < row.tracks.size(); ++depth) {
        const BarBand band = barBand(m_layout.metrics, depth);
        const int top = row.top + band.top;
        if (top >= m_area.top + m_area.height || top + band.height <= m_area.top)
            continue;
        paintTrack(row.tracks[depth], top, band.height, fringe);
        if (depth == 0 && isGpuLane(row.role))
            hatchContended(top, band.height);
        addLabels(row.tracks[depth], top, band.height);
    }
}

void TilePainter::paintTrack(std::size_t track, int top, int height, double fringeNs)
{
    m_trace.tracks()[track].query({m_window.startNs, m_nsPerColumn, m_columns}, m_picture);
    m_line.begin(m_background);
    addColumns();
    addBars(fringeNs);
    const int from = deviceRow(top);
    const int rows = deviceRow(top + height) - from;
    showLine(from, rows);
    m_line.roundCorners(m_tile.image, from, rows);
}

void TilePainter::addColumns()
{
    const double columnsPerNs = 1 / m_nsPerColumn;
    for (std::size_t x = 0; x < m_picture.columns.size(); ++x) {
        const TraceColumn &column = m_picture.columns[x];
        if (column.count > 0 || column.busyNs > 0)
            m_line.addColumn(static_cast<int>(x), fillOf(column.longest),
                             static_cast<double>(column.busyNs) * columnsPerNs, lookOf(column.longest));
    }
}

void TilePainter::addBars(double fringeNs)
{
    for (const TraceBar &bar : m_picture.bars)
        m_line.addBar(columnOf(bar.span.startNs), columnOf(bar.span.endNs()), fillOf(bar.span.name), lookOf(bar.span.name));
    const double fringe = fringeNs / m_nsPerColumn;
    if (fringe < 1)
        return;
    for (const TraceBar &bar : m_picture.bars) {
        const double left = columnOf(bar.span.startNs);
        const double right = columnOf(bar.span.endNs());
        m_line.addFringe(left - fringe, left, fillOf(bar.span.name));
        m_line.addFringe(right - 1, right + fringe, fillOf(bar.span.name));
    }
}

void TilePainter::addLabels(std::size_t track, int top, int height)
{
    for (const TraceBar &bar : m_picture.bars)
        if (static_cast<double>(bar.span.durationNs) >= kMinLabelPixels * m_area.scale.nsPerPixel)
            m_tile.labels.push_back({{track, bar}, top, height});
}

double TilePainter::uncertaintyNs(LaneId lane) const
{
    for (const CounterTrack &counter : m_trace.counters())
        if (isUncertainty(counter.info()) && counter.info().lane == lane) {
            const auto value = counter.valueAt(m_window.startNs / 2 + m_window.endNs / 2);
            return value && std::isfinite(*value) ? *value : 0;
        }
    return 0;
}

/// Where GL and CUDA share the one GPU, the bars of the line are hatched: that is no work in parallel.
void TilePainter::hatchContended(int top, int height)
{
    const int from = std::max(deviceRow(top), 0);
    const int end = std::min(deviceRow(top + height), m_tile.image.height());
    const int above = qRound(m_area.top * m_area.ratio); // The pattern goes on from page to page.
    const QRgb ink = m_theme.barText.rgb();
    for (const Interval &piece : m_contended) {
        const int left = qRound(std::clamp<double>(columnOf(piece.startNs), 0, m_columns));
        const int right = qRound(std::clamp<double>(columnOf(piece.endNs), 0, m_columns));
        for (int y = from; y < end; ++y) {
            auto *pixels = reinterpret_cast<QRgb *>(m_tile.image.scanLine(y));
            for (int stroke = left - (left + above + y) % kHatchPitch; stroke < right; stroke += kHatchPitch)
                for (const int x : {stroke, stroke + 1})
                    if (x >= left && x < right && m_line.isCovered(x))
                        pixels[x] = blended(ink, pixels[x], kHatchAlpha);
        }
    }
}

} // namespace jetscope
