// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/clockfinder.h"

#include "core/lab/pictureshapes.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kSearchWidth = 640; ///< Pictures are reduced to about this width first, then to half and twice of it.
constexpr std::uint32_t kLeastPixels = 9;
constexpr std::size_t kMostMarks = 12; ///< The largest ones are tried.
constexpr double kMarksAlike = 1.8;    ///< Marks of one clock differ at most by this factor.

/// Something that looks like a mark: a black square in a black ring.
struct SeenMark {
    ClockPoint centre;
    double side = 0;
};

bool isBetween(double value, double least, double most)
{
    return value >= least && value <= most;
}

std::optional<SeenMark> markOf(const PictureShapes &picture, const PictureShape &ring)
{
    if (!ring.isBlack || ring.pixels < kLeastPixels || !isBetween(double(ring.width()) / ring.height(), 0.4, 2.5))
        return std::nullopt;
    const int x = (ring.left + ring.right) / 2;
    const int y = (ring.top + ring.bottom) / 2;
    const PictureShape &centre = picture.shapes[picture.at(x, y)];
    if (&centre == &ring || !centre.isBlack || centre.pixels < kLeastPixels)
        return std::nullopt;
    // A mark has 7 modules, its centre 3; the ring has 24 square modules, the centre 9.
    const double size = std::sqrt(double(ring.width()) * ring.height());
    const double inner = std::sqrt(double(centre.width()) * centre.height());
    const double apart = std::hypot(ring.centreX() - centre.centreX(), ring.centreY() - centre.centreY());
    if (!isBetween(size / inner, 1.5, 3.5) || !isBetween(double(ring.pixels) / centre.pixels, 1.2, 6)
        || apart > 0.12 * size)
        return std::nullopt;
    return SeenMark{{(ring.centreX() + centre.centreX()) / 2 + 0.5, (ring.centreY() + centre.centreY()) / 2 + 0.5},
                    size};
}

std::vector<SeenMark> marksIn(const PictureShapes &picture)
{
    std::vector<SeenMark> marks;
    for (const PictureShape &shape : picture.shapes)
        if (const std::optional<SeenMark> mark = markOf(picture, shape))
            marks.push_back(*mark);
    std::sort(marks.begin(), marks.end(), [](const SeenMark &a, const SeenMark &b) { return a.side > b.side; });
    if (marks.size() > kMostMarks)
        marks.resize(kMostMarks);
    return marks;
}

/// In order around their middle.
std::array<ClockPoint, 4> around(std::array<ClockPoint, 4> points)
{
    ClockPoint middle;
    for (const ClockPoint &point : points)
        middle = {middle.x + point.x / 4, middle.y + point.y / 4};
    std::sort(points.begin(), points.end(), [&](const ClockPoint &a, const ClockPoint &b) {
        return std::atan2(a.y - middle.y, a.x - middle.x) < std::atan2(b.y - middle.y, b.x - middle.x);
    });
    return points;
}

/// The clock with these marks, whichever of them is the upper left one.
std::optional<ClockReader> clockWith(const std::array<ClockPoint, 4> &marks, const LumaView &picture)
{
    for (std::size_t turn = 0; turn < 4; ++turn)
        for (const bool mirrored : {false, true}) {
            std::array<ClockPoint, 4> corners;
            for (std::size_t i = 0; i < 4; ++i)
                corners[i] = marks[(turn + (mirrored ? 4 - i : i)) % 4];
            std::optional<ClockReader> reader = ClockReader::at(corners, picture);
            if (reader && reader->isInPlace(picture))
                return reader;
        }
    return std::nullopt;
}

/// Every clock whose marks no other one has.
std::vector<ClockReader> clocksWith(const std::vector<SeenMark> &marks, const LumaView &picture, double scale)
{
    std::vector<ClockReader> clocks;
    std::vector<bool> isUsed(marks.size());
    const std::size_t n = marks.size();
    const auto placed = [scale](const SeenMark &mark) {
        return ClockPoint{mark.centre.x * scale, mark.centre.y * scale};
    };
    for (std::size_t a = 0; a + 3 < n; ++a)
        for (std::size_t b = a + 1; b + 2 < n; ++b)
            for (std::size_t c = b + 1; c + 1 < n; ++c)
                for (std::size_t d = c + 1; d < n; ++d) {
                    if (isUsed[a] || isUsed[b] || isUsed[c] || isUsed[d] || marks[a].side > kMarksAlike * marks[d].side)
                        continue;
                    const auto corners =
                        around({placed(marks[a]), placed(marks[b]), placed(marks[c]), placed(marks[d])});
                    std::optional<ClockReader> clock = clockWith(corners, picture);
                    if (!clock)
                        continue;
                    clocks.push_back(std::move(*clock));
                    isUsed[a] = isUsed[b] = isUsed[c] = isUsed[d] = true;
                }
    return clocks;
}

} // namespace

FoundClock findClock(const LumaView &picture)
{
    const int middle = std::max(1, (picture.width + kSearchWidth / 2) / kSearchWidth);
    std::vector<int> factors{middle};
    if (middle > 1)
        factors.push_back(middle / 2);
    factors.push_back(middle * 2);
    for (const int factor : factors) {
        const LumaPicture small = reduced(picture, factor);
        if (small.width < 2 * static_cast<int>(kClockWidth) || small.height < 2 * static_cast<int>(kClockHeight))
            continue;
        std::vector<ClockReader> clocks = clocksWith(marksIn(shapesOf(small)), picture, factor);
        if (clocks.size() > 1)
            return {std::nullopt, ClockSight::Several};
        if (clocks.size() == 1)
            return {std::move(clocks.front()), ClockSight::Read};
    }
    return {};
}

FoundClock findClock(const LumaPicture &copy, const LumaView &like)
{
    FoundClock found = findClock(copy.view());
    if (found.reader)
        found.reader = ClockReader::at(found.reader->corners(), like);
    return found;
}

} // namespace jetscope
