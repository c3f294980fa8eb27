// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinetiles.h"

#include "core/trace/timelimits.h"
#include "ui/style/theme.h"
#include "ui/timeline/limitbands.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr int kStripPage = -1;
/// Spans of lanes that do not belong to a frame may arrive this much later than the newest span.
constexpr std::int64_t kArrivalNs = 1'000'000'000;
constexpr double kOnGrid = 1e-3; ///< Pixels.
constexpr std::size_t kMaxSpared = 48;

std::int64_t floorDiv(std::int64_t a, std::int64_t b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

/// A multiple of 16, so that tiles have whole device pixels at common pixel ratios.
int tileWidthFor(int viewWidth, int across)
{
    constexpr int kStep = 16;
    const int part = across * kStep;
    return std::max(1, (viewWidth + part - 1) / part) * kStep;
}

} // namespace

void TimelineTiles::clear()
{
    for (auto &[key, kept] : m_tiles)
        spare(std::move(kept.tile.image));
    m_tiles.clear();
    m_painter.reset();
    m_pages.clear();
}

/// Breaks pages at the edges of rows and bars, so that no row is queried for two pages.
void TimelineTiles::paginate()
{
    m_pages = {0};
    const auto breakAt = [this](int bottom) {
        if (bottom - m_pages.back() >= kPageHeight)
            m_pages.push_back(bottom);
    };
    for (const TimelineRow &row : m_layout.rows) {
        for (std::size_t depth = 0; depth + 1 < row.tracks.size(); ++depth) {
            const BarBand band = barBand(m_layout.metrics, depth, row.tracks.size());
            breakAt(row.top + std::min(band.top + band.height, row.height));
        }
        breakAt(row.top + row.height);
    }
    if (m_layout.height > m_pages.back())
        m_pages.push_back(m_layout.height);
}

TilePainter &TimelineTiles::tilePainter()
{
    if (!m_painter)
        m_painter.emplace(m_trace, m_coarse, m_layout, theme());
    return *m_painter;
}

void TimelineTiles::spare(QImage image)
{
    if (m_spared.size() < kMaxSpared)
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
    look();
}

/// Figures of a frame are final once all of its spans have arrived.
void TimelineTiles::look()
{
    if (m_trace.distant()) {
        m_settledNs = kMaxTraceNs; // What is there is final.
        m_settledMarks = settledMarks();
        return;
    }
    const std::int64_t arrived = m_trace.newestNs() - kArrivalNs;
    const FrameTable &frames = m_trace.frames();
    m_settledNs = frames.empty() ? arrived : std::min(arrived, frames.at(frames.endIndex() - 1).startNs);
    m_settledMarks = settledMarks();
}

std::uint64_t TimelineTiles::settledMarks() const
{
    const MarkList &marks = m_trace.marks();
    return marks.discarded() + marks.range(-kMaxTraceNs, m_settledNs).second;
}

bool TimelineTiles::hasNewCoarse()
{
    return m_coarse && std::exchange(m_coarseVersion, m_coarse->version()) != m_coarse->version();
}

bool TimelineTiles::dropUnsettled()
{
    m_changing = true;
    std::vector<CounterAxis> axes;
    for (const CounterTrack &counter : m_trace.counters())
        axes.push_back(counterAxis(counter));
    const bool others = m_missing != m_trace.missing() || axes != m_axes || m_dropped != m_trace.droppedSpans()
        || m_settledMarks != settledMarks();
    m_axes = std::move(axes);
    m_missing = m_trace.missing();
    m_dropped = m_trace.droppedSpans();
    look();
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
    return timeAt(m_grid, static_cast<double>(column + 1) * m_tileWidth) < m_settledNs;
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

bool TimelineTiles::isAligned(const TimeScale &scale) const
{
    const double exact = pixelAt(m_grid, scale.startNs) + scale.startFraction / m_grid.nsPerPixel;
    return scale.nsPerPixel == m_grid.nsPerPixel && std::abs(exact - std::round(exact)) < kOnGrid;
}

/// Keeps the grid while the view is aligned with it.
void TimelineTiles::adopt(const View &view)
{
    const int tileWidth = tileWidthFor(view.width, m_trace.distant() ? kDistantTilesAcross : kTilesAcross);
    if (!isAligned(view.scale) || view.ratio != m_ratio || tileWidth != m_tileWidth) {
        m_grid = view.scale;
        m_ratio = view.ratio;
        m_tileWidth = tileWidth;
        clear();
    }
    if (m_pages.empty())
        paginate();
}

TimelineTiles::Range TimelineTiles::rangeOf(const View &view) const
{
    const std::int64_t left = offsetOf(view.scale);
    Range range;
    range.firstColumn = floorDiv(left, m_tileWidth);
    range.lastColumn = floorDiv(left + std::max(view.width, 1) - 1, m_tileWidth);
    const auto pageAt = [this](int y) {
        return static_cast<int>(std::upper_bound(m_pages.begin(), m_pages.end() - 1, y) - m_pages.begin()) - 1;
    };
    if (view.pinned > 0)
        range.lastPinnedPage = pageAt(view.pinned - 1);
    range.firstPage = std::max(0, pageAt(view.scrollY + view.pinned));
    range.lastPage = pageAt(view.scrollY + std::max(view.height, 1) - 1);
    return range;
}

TileArea TimelineTiles::areaOf(Key key) const
{
    TileArea area;
    area.scale = panned(m_grid, -static_cast<double>(key.column) * m_tileWidth);
    area.width = m_tileWidth;
    area.overlap = key.page == kStripPage;
    const auto page = static_cast<std::size_t>(area.overlap ? 0 : key.page);
    area.top = area.overlap ? 0 : m_pages[page];
    area.height = area.overlap ? m_layout.overlap.height : m_pages[page + 1] - area.top;
    area.ratio = m_ratio;
    return area;
}

const Tile &TimelineTiles::make(Key key)
{
    const auto found = m_tiles.find(key);
    if (found != m_tiles.end())
        return found->second.tile;
    const TileArea area = areaOf(key);
    ++m_rebuilds;
    const QSize size(qRound(area.width * area.ratio), qRound(area.height * area.ratio));
    Kept kept{tilePainter().paint(area, spared(size)), isSettled(key.column)};
    kept.settled = kept.settled && kept.tile.isWhole;
    return m_tiles.emplace(key, std::move(kept)).first->second.tile;
}

void TimelineTiles::discardFar(const Range &visible)
{
    const std::int64_t width = visible.lastColumn - visible.firstColumn + 1;
    std::erase_if(m_tiles, [&](const auto &entry) {
        const Key key = entry.first;
        return key.column < visible.firstColumn - width - 1 || key.column > visible.lastColumn + width + 1
            || (key.page > visible.lastPinnedPage
                && (key.page < visible.firstPage - 1 || key.page > visible.lastPage + 1));
    });
}

void TimelineTiles::paint(QPainter &painter, QPoint at, const View &view)
{
    adopt(view);
    const Range range = rangeOf(view);
    discardFar(range);
    const std::int64_t left = offsetOf(view.scale);
    const int stripHeight = m_layout.overlap.height;
    for (std::int64_t column = range.firstColumn; column <= range.lastColumn; ++column) {
        const int x = at.x() + static_cast<int>(column * m_tileWidth - left);
        painter.setClipRect(at.x(), at.y(), view.width, stripHeight);
        painter.drawImage(x, at.y(), make({column, kStripPage}).image);
        const int top = at.y() + stripHeight;
        painter.setClipRect(at.x(), top, view.width, view.pinned);
        for (int page = 0; page <= range.lastPinnedPage; ++page)
            painter.drawImage(x, top + m_pages[static_cast<std::size_t>(page)], make({column, page}).image);
        painter.setClipRect(at.x(), top + view.pinned, view.width, view.height - view.pinned);
        for (int page = range.firstPage; page <= range.lastPage; ++page)
            painter.drawImage(x, top + m_pages[static_cast<std::size_t>(page)] - view.scrollY,
                              make({column, page}).image);
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
            if (m_trace.distant() && !m_trace.distant()->find(areaOf({column, kStripPage}).columns()))
                continue;
            for (int page = kStripPage; page <= range.lastPage; ++page) {
                const bool wanted = page == kStripPage || range.hasPage(page);
                if (!wanted || m_tiles.contains({column, page}))
                    continue;
                make({column, page});
                return true;
            }
        }
    return false;
}

/// The rows of the pages that are shown.
WindowWish TimelineTiles::wishOf(std::int64_t column, const Range &range) const
{
    WindowWish wish;
    const TileArea area = areaOf({column, kStripPage});
    wish.window = area.columns();
    wish.nsPerPixel = area.scale.nsPerPixel;
    for (const TimelineRow &row : m_layout.rows) {
        bool isShown = false;
        for (int page = 0; page <= range.lastPage; ++page)
            isShown |= range.hasPage(page) && row.top < m_pages[static_cast<std::size_t>(page) + 1]
                && row.top + row.height > m_pages[static_cast<std::size_t>(page)];
        if (!isShown)
            continue;
        wish.tracks.insert(wish.tracks.end(), row.tracks.begin(), row.tracks.end());
        if (row.kind == TimelineRow::Kind::Counter)
            wish.counters.push_back(static_cast<std::uint32_t>(row.counter));
    }
    for (std::size_t i = 0; i < m_trace.counters().size(); ++i)
        if (showsLimits(m_trace.counters()[i])) // They are shown on all rows.
            wish.counters.push_back(static_cast<std::uint32_t>(i));
    for (std::vector<std::uint32_t> *places : {&wish.tracks, &wish.counters}) {
        std::sort(places->begin(), places->end());
        places->erase(std::unique(places->begin(), places->end()), places->end());
    }
    return wish;
}

void TimelineTiles::ask(const View &view)
{
    const TimeScale grid = m_grid;
    if (!isAligned(view.scale))
        m_grid = view.scale; // As it will be adopted when the view is there.
    const Range range = rangeOf(view);
    const std::int64_t width = range.lastColumn - range.firstColumn + 1;
    std::vector<WindowWish> shown;
    std::vector<WindowWish> beside;
    for (std::int64_t column = range.firstColumn; column <= range.lastColumn; ++column)
        shown.push_back(wishOf(column, range));
    for (std::int64_t away = 1; away <= width; ++away)
        for (const std::int64_t column : {range.lastColumn + away, range.firstColumn - away})
            beside.push_back(wishOf(column, range));
    m_grid = grid;
    m_trace.distant()->want(std::move(shown), std::move(beside));
}

const std::vector<TileLabel> &TimelineTiles::labels(const View &view)
{
    m_labels.clear();
    const Range range = rangeOf(view);
    for (int page = 0; page <= range.lastPage; ++page)
        for (std::int64_t column = range.firstColumn; range.hasPage(page) && column <= range.lastColumn; ++column) {
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
