// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinetiles.h"

#include "ui/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kStripPage = -1;
/// Spans of lanes that no frame accounts for may arrive this much behind the newest one.
constexpr std::int64_t kArrivalNs = 1'000'000'000;
constexpr double kOnGrid = 1e-3; ///< Pixels.
constexpr std::size_t kMostSpared = 48;

std::int64_t floorDiv(std::int64_t a, std::int64_t b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

} // namespace

void TimelineTiles::clear()
{
    for (auto &[key, kept] : m_tiles)
        spare(std::move(kept.tile.image));
    m_tiles.clear();
}

void TimelineTiles::spare(QImage image)
{
    if (m_spared.size() < kMostSpared)
        m_spared.push_back(std::move(image));
}

QImage TimelineTiles::spared(QSize size)
{
    for (auto place = m_spared.rbegin(); place != m_spared.rend(); ++place)
        if (place->size() == size) {
            QImage image = std::move(*place);
            m_spared.erase(std::next(place).base());
            return image;
        }
    return {};
}

void TimelineTiles::traceReplaced()
{
    m_changing = false;
    clear();
}

/// Up to here nothing new can appear: the figures of a frame are final once all of its spans are in.
std::int64_t TimelineTiles::settledNs() const
{
    const std::int64_t arrived = m_trace.newestNs() - kArrivalNs;
    const FrameTable &frames = m_trace.frames();
    return frames.empty() ? arrived : std::min(arrived, frames.at(frames.endIndex() - 1).startNs);
}

bool TimelineTiles::dropUnsettled()
{
    m_changing = true;
    std::vector<CounterAxis> axes;
    for (const CounterTrack &counter : m_trace.counters())
        axes.push_back(counterAxis(counter));
    const bool others = axes != m_axes || m_dropped != m_trace.droppedSpans();
    m_axes = std::move(axes);
    m_dropped = m_trace.droppedSpans();
    if (others) {
        clear();
        return true;
    }
    return std::erase_if(m_tiles,
                         [this](auto &entry) {
                             if (entry.second.settled)
                                 return false;
                             spare(std::move(entry.second.tile.image));
                             return true;
                         })
        > 0;
}

bool TimelineTiles::isSettled(std::int64_t column) const
{
    return timeAt(m_grid, static_cast<double>(column + 1) * kTileWidth) < settledNs();
}

std::int64_t TimelineTiles::offsetOf(const TimeScale &scale) const
{
    return std::llround(pixelAt(m_grid, scale.startNs) + scale.startFraction / m_grid.nsPerPixel);
}

TimeScale TimelineTiles::aligned(const TimeScale &scale) const
{
    if (scale.nsPerPixel != m_grid.nsPerPixel)
        return scale;
    return panned(m_grid, -static_cast<double>(offsetOf(scale)));
}

/// Keeps the grid as long as the view lies on it.
void TimelineTiles::adopt(const View &view)
{
    const double exact = pixelAt(m_grid, view.scale.startNs) + view.scale.startFraction / m_grid.nsPerPixel;
    const bool same = view.scale.nsPerPixel == m_grid.nsPerPixel && view.ratio == m_ratio
        && std::abs(exact - std::round(exact)) < kOnGrid;
    if (same)
        return;
    m_grid = view.scale;
    m_ratio = view.ratio;
    clear();
}

TimelineTiles::Range TimelineTiles::rangeOf(const View &view) const
{
    const std::int64_t left = offsetOf(view.scale);
    Range range;
    range.firstColumn = floorDiv(left, kTileWidth);
    range.lastColumn = floorDiv(left + std::max(view.width, 1) - 1, kTileWidth);
    range.firstPage = std::max(0, view.scrollY / kTileHeight);
    range.lastPage =
        std::min(view.scrollY + std::max(view.height, 1) - 1, std::max(0, m_layout.height - 1)) / kTileHeight;
    return range;
}

const Tile &TimelineTiles::make(Key key)
{
    const auto found = m_tiles.find(key);
    if (found != m_tiles.end())
        return found->second.tile;
    TileArea area;
    area.scale = panned(m_grid, -static_cast<double>(key.column) * kTileWidth);
    area.width = kTileWidth;
    area.overlap = key.page == kStripPage;
    area.top = area.overlap ? 0 : key.page * kTileHeight;
    area.height = area.overlap ? m_layout.overlap.height : std::min(kTileHeight, m_layout.height - area.top);
    area.ratio = m_ratio;
    ++m_rebuilds;
    const QSize size(qRound(area.width * area.ratio), qRound(area.height * area.ratio));
    Kept kept{TilePainter(m_trace, m_layout, theme()).paint(area, spared(size)), isSettled(key.column)};
    return m_tiles.emplace(key, std::move(kept)).first->second.tile;
}

void TimelineTiles::forgetFar(const Range &visible)
{
    const std::int64_t width = visible.lastColumn - visible.firstColumn + 1;
    std::erase_if(m_tiles, [&](const auto &entry) {
        const Key key = entry.first;
        return key.column < visible.firstColumn - width - 1 || key.column > visible.lastColumn + width + 1
            || (key.page != kStripPage && (key.page < visible.firstPage - 1 || key.page > visible.lastPage + 1));
    });
}

void TimelineTiles::paint(QPainter &painter, QPoint at, const View &view)
{
    adopt(view);
    const Range range = rangeOf(view);
    forgetFar(range);
    const std::int64_t left = offsetOf(view.scale);
    const int stripHeight = m_layout.overlap.height;
    for (std::int64_t column = range.firstColumn; column <= range.lastColumn; ++column) {
        const int x = at.x() + static_cast<int>(column * kTileWidth - left);
        painter.setClipRect(at.x(), at.y(), view.width, stripHeight);
        painter.drawImage(x, at.y(), make({column, kStripPage}).image);
        if (m_layout.height == 0)
            continue;
        painter.setClipRect(at.x(), at.y() + stripHeight, view.width, view.height);
        for (int page = range.firstPage; page <= range.lastPage; ++page)
            painter.drawImage(x, at.y() + stripHeight + page * kTileHeight - view.scrollY, make({column, page}).image);
    }
    painter.setClipping(false);
}

bool TimelineTiles::prefetch(const View &view)
{
    adopt(view);
    const Range range = rangeOf(view);
    const std::int64_t width = range.lastColumn - range.firstColumn + 1;
    for (std::int64_t away = 1; away <= width; ++away)
        for (const std::int64_t column : {range.lastColumn + away, range.firstColumn - away}) {
            if (!isSettled(column) && m_changing)
                continue;
            for (int page = kStripPage; page <= range.lastPage; ++page) {
                const bool wanted = page == kStripPage || (page >= range.firstPage && m_layout.height > 0);
                if (!wanted || m_tiles.contains({column, page}))
                    continue;
                make({column, page});
                return true;
            }
        }
    return false;
}

const std::vector<TileLabel> &TimelineTiles::labels(const View &view)
{
    m_labels.clear();
    const Range range = rangeOf(view);
    for (int page = range.firstPage; page <= range.lastPage; ++page)
        for (std::int64_t column = range.firstColumn; column <= range.lastColumn; ++column) {
            const auto found = m_tiles.find({column, page});
            if (found == m_tiles.end())
                continue;
            for (const TileLabel &label : found->second.tile.labels)
                m_labels.push_back(label);
        }
    const auto order = [](const TileLabel &a, const TileLabel &b) {
        return std::pair(a.place.track, a.place.bar.index) < std::pair(b.place.track, b.place.bar.index);
    };
    std::sort(m_labels.begin(), m_labels.end(), order);
    m_labels.erase(std::unique(m_labels.begin(), m_labels.end(),
                               [&](const TileLabel &a, const TileLabel &b) { return !order(a, b) && !order(b, a); }),
                   m_labels.end());
    return m_labels;
}

} // namespace jetscope
