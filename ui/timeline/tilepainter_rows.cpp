// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/rangepaths.h"
#include "ui/pathcolors.h"
#include "ui/theme.h"
#include "ui/timeline/tilepainter.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kMinPieceColumns = 3; ///< A narrower piece is a share of its columns.
constexpr int kPathGap = 2; ///< Between the strip and the line of the critical path below it.
constexpr int kPathHeight = 3;
constexpr std::uint64_t kMostSpansOfPath = 8192; ///< Of frames around a tile; those of frames with more are not followed.
constexpr int kCounterMargin = 4;
constexpr int kCounterFillAlpha = 60;
constexpr int kCounterRangeAlpha = 110;  ///< Between the extremes of columns that hold many values.
constexpr double kStepNsPerColumn = 2e6; ///< Below, a column with two values is the edge of a step.

/// Adds a piece of `amount` to the columns that it covers.
template <typename Add>
void spread(double left, double right, int width, Add add)
{
    const int first = std::max(0, static_cast<int>(std::floor(std::clamp(left, -1.0, width + 1.0))));
    const int last = std::min(width - 1, static_cast<int>(std::floor(std::clamp(right, -1.0, width + 1.0))));
    for (int x = first; x <= last; ++x) {
        const double part = std::min(right, x + 1.0) - std::max(left, static_cast<double>(x));
        if (part > 0)
            add(static_cast<std::size_t>(x), static_cast<float>(part));
    }
}

double niceAbove(double value)
{
    if (value <= 0)
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= value)
            return digit * power;
    return 10 * power;
}

} // namespace

void TilePainter::paintOverlap()
{
    m_shares.assign(static_cast<std::size_t>(m_columns), {});
    m_line.begin(m_background);
    if (m_near)
        addExactPieces();
    else
        addSumsOfFrames();
    const BarBand band = barBand(m_layout.metrics, 0);
    const int top = deviceRow(band.top);
    const int height = deviceRow(band.top + band.height) - top;
    showLine(top, height);
    m_line.roundCorners(m_tile.image, top, height);
    paintShares(top, height);
    if (m_near)
        paintPath(deviceRow(band.top + band.height + kPathGap), deviceRow(kPathHeight) - deviceRow(0));
    paintSeparator(m_layout.overlap.height);
}

void TilePainter::addExactPieces()
{
    // A little more than the tile, so that a piece that crosses its edge has no end there.
    const std::int64_t margin = std::llround(m_nsPerColumn * 8);
    for (const BusyPiece &piece : busyPieces(m_trace, {m_window.startNs - margin, m_window.endNs + margin})) {
        const double left = columnOf(piece.time.startNs);
        const double right = columnOf(piece.time.endNs);
        const bool both = piece.kind == BusyPiece::Kind::Both;
        const bool cpu = piece.kind == BusyPiece::Kind::CpuOnly;
        if (right - left >= kMinPieceColumns) {
            m_line.addBar(left, right, (both ? m_theme.both : cpu ? m_theme.cpuOnly : m_theme.gpuOnly).rgb(),
                          piece.certain ? PixelLine::Look::Solid : PixelLine::Look::Hatched);
            continue;
        }
        spread(left, right, m_columns, [&](std::size_t x, float part) {
            Share &share = m_shares[x];
            (both ? share.both : cpu ? share.cpu : share.gpu) += part;
        });
    }
}

void TilePainter::addSumsOfFrames()
{
    m_trace.frames().query({m_window.startNs, m_nsPerColumn, m_columns}, m_frames);
    for (std::size_t x = 0; x < m_shares.size(); ++x) {
        const FrameColumn &column = m_frames[x];
        if (column.periodNs <= 0)
            continue;
        const auto part = [&](double ns) { return static_cast<float>(ns / column.periodNs); };
        m_shares[x] = {part(column.bothNs), part(column.cpuNs - column.bothNs), part(column.gpuNs - column.bothNs)};
    }
}

/// The critical paths of the frames in view, one piece behind the other.
void TilePainter::paintPath(int top, int height)
{
    const auto [first, last] = framesOnPathIn(m_trace, m_window);
    m_path.clear();
    TracePaths(m_trace, kMostSpansOfPath).follow(first, last, m_path);
    m_line.begin(m_background);
    for (const PathPiece &piece : m_path) {
        const double left = columnOf(piece.startNs);
        const double right = columnOf(piece.endNs);
        if (left < m_columns && right > 0)
            m_line.addBar(left, right, pathColor(piece.cause, m_theme).rgb());
    }
    showLine(top, height);
}

/// Both at the bottom, then the CPU's own, then the GPU's own; what is left is idle.
void TilePainter::paintShares(int top, int height)
{
    QImage &image = m_tile.image;
    const QRgb both = m_theme.both.rgb();
    const QRgb cpu = m_theme.cpuOnly.rgb();
    const QRgb gpu = m_theme.gpuOnly.rgb();
    for (int y = std::max(top, 0); y < std::min(top + height, image.height()); ++y) {
        auto *row = reinterpret_cast<QRgb *>(image.scanLine(y));
        const float level = (static_cast<float>(top + height - y) - 0.5f) / static_cast<float>(height);
        for (std::size_t x = 0; x < m_shares.size(); ++x) {
            const Share &share = m_shares[x];
            if (m_line.isCovered(static_cast<int>(x)))
                continue;
            if (level < share.both)
                row[x] = both;
            else if (level < share.both + share.cpu)
                row[x] = cpu;
            else if (level < share.both + share.cpu + share.gpu)
                row[x] = gpu;
        }
    }
}

CounterAxis counterAxis(const CounterTrack &counter)
{
    const auto extremes = counter.extremes();
    if (!extremes)
        return {};
    const double bottom = extremes->first < 0 ? -niceAbove(-extremes->first) : 0;
    const double nice = niceAbove(extremes->second);
    const double top = counter.info().unit == "%" ? std::max(100.0, nice) : nice;
    return {bottom, std::max(top, bottom + 1e-9)};
}

void TilePainter::paintCounter(const TimelineRow &row)
{
    const CounterTrack &counter = m_trace.counters()[row.counter];
    counter.query({m_window.startNs, m_nsPerColumn, m_columns}, m_values);
    fillTo(deviceRow(row.top + row.height));
    const CounterAxis axis = counterAxis(counter);
    const int top = deviceRow(row.top + kCounterMargin);
    const int bottom = deviceRow(row.top + row.height - kCounterMargin);
    const auto yOf = [&](double value) {
        const double part = std::clamp((value - axis.bottom) / (axis.top - axis.bottom), 0.0, 1.0);
        return bottom - qRound(part * (bottom - top));
    };
    const QRgb line = m_theme.accentText.rgb();
    m_strokes.assign(m_values.size(), {});
    for (std::size_t x = 0; x < m_values.size(); ++x) {
        const CounterColumn &column = m_values[x];
        if (column.low > column.high)
            continue;
        // From the lowest to the highest value, with a line at the one in force when the column ends.
        Stroke &stroke = m_strokes[x];
        stroke.high = yOf(column.high);
        stroke.low = yOf(column.low);
        const bool step = stroke.low - stroke.high <= 1 || m_nsPerColumn < kStepNsPerColumn;
        stroke.line = !step && std::isfinite(column.last) ? yOf(column.last) : Stroke::kNowhere;
        stroke.range = step ? line : blended(line, m_background[x], kCounterRangeAlpha);
        stroke.fill = blended(line, m_background[x], kCounterFillAlpha);
    }
    for (int y = std::max(top, 0); y <= std::min(bottom, m_tile.image.height() - 1); ++y) {
        auto *const pixels = reinterpret_cast<QRgb *>(m_tile.image.scanLine(y));
        for (std::size_t x = 0; x < m_strokes.size(); ++x) {
            const Stroke &stroke = m_strokes[x];
            if (y >= stroke.high)
                pixels[x] = y == stroke.line ? line : y <= stroke.low ? stroke.range : stroke.fill;
        }
    }
}

} // namespace jetscope
