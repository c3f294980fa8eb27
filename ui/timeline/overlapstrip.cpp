// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/overlapstrip.h"

#include "core/path/tracepaths.h"
#include "core/path/waitcauses.h"
#include "ui/style/pathcolors.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr double kMinPieceColumns = 3; ///< Narrower pieces are drawn as shares of their columns.
constexpr int kPathGap = 2;            ///< Between the strip and the critical path below it.
constexpr int kPathHeight = 3;

/// Adds the interval [left, right) to the columns that it covers, each with the covered fraction.
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

} // namespace

void OverlapStrip::paint(TileCanvas &canvas, bool isNear, const WindowPicture *distant)
{
    m_shares.assign(static_cast<std::size_t>(canvas.columns()), {});
    m_line.begin(canvas.background());
    if (isNear) {
        addExactPieces(canvas, distant ? distant->pieces : piecesAround(canvas));
    } else {
        if (!distant)
            m_trace.frames().query(canvas.area().columns(), m_frames);
        addSumsOfFrames(distant ? distant->sums : m_frames);
    }
    const BarBand band = barBand(m_layout.metrics, 0, 1);
    const int top = canvas.rowOf(band.top);
    const int height = canvas.rowOf(band.top + band.height) - top;
    canvas.showLine(m_line, top, height);
    m_line.roundCorners(canvas.image(), top, height);
    paintShares(canvas, top, height);
    if (isNear) {
        if (!distant) {
            const auto [first, last] = framesOnPathIn(m_trace, canvas.window());
            m_path.clear();
            TracePaths(m_trace, kMaxSpansOfPath).follow(first, last, m_path);
        }
        paintPath(canvas, distant ? distant->path : m_path, canvas.rowOf(band.top + band.height + kPathGap),
                  canvas.rowOf(kPathHeight) - canvas.rowOf(0));
    }
    canvas.separate(m_layout.overlap.height, m_theme.border.rgb());
}

std::vector<BusyPiece> OverlapStrip::piecesAround(const TileCanvas &canvas) const
{
    // Slightly more than the tile, so that a piece that crosses its edge is not drawn with an end there.
    const std::int64_t margin = std::llround(canvas.nsPerColumn() * 8);
    return busyPieces(m_trace, {canvas.window().startNs - margin, canvas.window().endNs + margin});
}

void OverlapStrip::addExactPieces(const TileCanvas &canvas, const std::vector<BusyPiece> &pieces)
{
    for (const BusyPiece &piece : pieces) {
        const double left = canvas.columnOf(piece.time.startNs);
        const double right = canvas.columnOf(piece.time.endNs);
        const bool both = piece.kind == BusyPiece::Kind::Both;
        const bool cpu = piece.kind == BusyPiece::Kind::CpuOnly;
        if (right - left >= kMinPieceColumns) {
            m_line.addBar(left, right,
                          (both      ? m_theme.both
                               : cpu ? m_theme.cpuOnly
                                     : m_theme.gpuOnly)
                              .rgb(),
                          piece.certain ? PixelLine::Look::Solid : PixelLine::Look::Hatched);
            continue;
        }
        spread(left, right, canvas.columns(), [&](std::size_t x, float part) {
            Share &share = m_shares[x];
            (both ? share.both : cpu ? share.cpu : share.gpu) += part;
        });
    }
}

void OverlapStrip::addSumsOfFrames(const std::vector<FrameColumn> &sums)
{
    for (std::size_t x = 0; x < std::min(m_shares.size(), sums.size()); ++x) {
        const FrameColumn &column = sums[x];
        if (column.periodNs <= 0)
            continue;
        const auto part = [&](double ns) { return static_cast<float>(ns / column.periodNs); };
        m_shares[x] = {part(column.bothNs), part(column.cpuNs - column.bothNs), part(column.gpuNs - column.bothNs)};
    }
}

/// Paints the critical paths of the frames in view.
void OverlapStrip::paintPath(TileCanvas &canvas, const std::vector<PathPiece> &path, int top, int height)
{
    m_line.begin(canvas.background());
    for (const PathPiece &piece : path) {
        const double left = canvas.columnOf(piece.startNs);
        const double right = canvas.columnOf(piece.endNs);
        if (left < canvas.columns() && right > 0)
            m_line.addBar(left, right, pathColor(piece.cause, m_theme).rgb());
    }
    canvas.showLine(m_line, top, height);
}

/// From the bottom: both, CPU only, GPU only; the rest is idle.
void OverlapStrip::paintShares(TileCanvas &canvas, int top, int height)
{
    const QRgb both = m_theme.both.rgb();
    const QRgb cpu = m_theme.cpuOnly.rgb();
    const QRgb gpu = m_theme.gpuOnly.rgb();
    for (int y = std::max(top, 0); y < std::min(top + height, canvas.image().height()); ++y) {
        QRgb *const row = canvas.pixels(y);
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

} // namespace jetscope
