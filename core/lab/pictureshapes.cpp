// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/pictureshapes.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace jetscope {

namespace {

constexpr int kAroundPart = 10; ///< The mean around a pixel is over a square with this part of the width as radius.
constexpr int kBelowMean = 6;   ///< Black is at least so much darker than that mean.

/// Sums over all pixels above and left of each.
class SumTable {
public:
    explicit SumTable(const LumaPicture &picture) : m_width(static_cast<std::size_t>(picture.width) + 1)
    {
        m_sums.resize(m_width * (static_cast<std::size_t>(picture.height) + 1));
        for (int y = 0; y < picture.height; ++y) {
            std::uint32_t row = 0;
            for (int x = 0; x < picture.width; ++x) {
                row += picture.view().at(x, y);
                const std::size_t at = (static_cast<std::size_t>(y) + 1) * m_width + static_cast<std::size_t>(x) + 1;
                m_sums[at] = m_sums[at - m_width] + row;
            }
        }
    }

    /// Of [left, right) x [top, bottom).
    std::uint32_t mean(int left, int top, int right, int bottom) const
    {
        const std::uint32_t sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
        return sum / static_cast<std::uint32_t>((right - left) * (bottom - top));
    }

private:
    std::uint32_t at(int x, int y) const
    {
        return m_sums[static_cast<std::size_t>(y) * m_width + static_cast<std::size_t>(x)];
    }

    std::size_t m_width;
    std::vector<std::uint32_t> m_sums;
};

/// 1 for black. A pixel counts with its eight neighbours, which takes noise away.
std::vector<std::uint8_t> blackAndWhite(const LumaPicture &picture)
{
    const SumTable sums(picture);
    const int width = picture.width;
    const int height = picture.height;
    const int around = std::max(8, width / kAroundPart);
    std::vector<std::uint8_t> black(picture.pixels.size());
    std::size_t at = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x, ++at) {
            const auto mean =
                static_cast<int>(sums.mean(std::max(0, x - around), std::max(0, y - around),
                                           std::min(width, x + around + 1), std::min(height, y + around + 1)));
            const auto here = static_cast<int>(
                sums.mean(std::max(0, x - 1), std::max(0, y - 1), std::min(width, x + 2), std::min(height, y + 2)));
            black[at] = here < mean - kBelowMean;
        }
    return black;
}

/// Labels that turned out to be of one shape.
class Joined {
public:
    std::uint32_t add()
    {
        m_parents.push_back(static_cast<std::uint32_t>(m_parents.size()));
        return m_parents.back();
    }
    std::uint32_t first(std::uint32_t label)
    {
        while (m_parents[label] != label)
            label = m_parents[label] = m_parents[m_parents[label]];
        return label;
    }
    void join(std::uint32_t a, std::uint32_t b)
    {
        a = first(a);
        b = first(b);
        m_parents[std::max(a, b)] = std::min(a, b);
    }
    std::size_t size() const { return m_parents.size(); }

private:
    std::vector<std::uint32_t> m_parents;
};

std::vector<std::uint32_t> labelled(const std::vector<std::uint8_t> &black, std::size_t width, Joined &joined)
{
    std::vector<std::uint32_t> labels(black.size());
    for (std::size_t at = 0; at < black.size(); ++at) {
        const bool left = at % width != 0 && black[at - 1] == black[at];
        const bool above = at >= width && black[at - width] == black[at];
        labels[at] = left ? labels[at - 1] : above ? labels[at - width] : joined.add();
        if (left && above && labels[at] != labels[at - width])
            joined.join(labels[at], labels[at - width]);
    }
    return labels;
}

} // namespace

PictureShapes shapesOf(const LumaPicture &picture)
{
    constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    PictureShapes result{picture.width, picture.height, {}, {}};
    const std::vector<std::uint8_t> black = blackAndWhite(picture);
    Joined joined;
    result.shapeAt = labelled(black, static_cast<std::size_t>(picture.width), joined);
    std::vector<std::uint32_t> numbers(joined.size(), kNone);
    std::size_t at = 0;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x, ++at) {
            std::uint32_t &number = numbers[joined.first(result.shapeAt[at])];
            if (number == kNone) {
                number = static_cast<std::uint32_t>(result.shapes.size());
                result.shapes.push_back({black[at] != 0, x, y, x, y});
            }
            result.shapeAt[at] = number;
            PictureShape &shape = result.shapes[number];
            shape.left = std::min(shape.left, x);
            shape.right = std::max(shape.right, x);
            shape.bottom = y;
            ++shape.pixels;
            shape.sumX += x;
            shape.sumY += y;
        }
    return result;
}

} // namespace jetscope
