// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/gpu/fakevpicalls.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <vector>

// What the algorithms of the made-up VPI must give, computed plainly.
namespace jetscope::testing {

/// A picture with padding behind its rows, which must stay as it is.
struct Padded {
    Padded(PixelFormat f, std::uint32_t seed) : format(f), pitch(static_cast<std::size_t>(kWidth) * pixel() + 24)
    {
        bytes.resize(pitch * kHeight);
        for (std::byte &each : bytes)
            each = static_cast<std::byte>((seed = seed * 1664525 + 1013904223) >> 24);
    }
    std::size_t pixel() const { return format == PixelFormat::Grey8 ? 1 : 4; }
    StageImage image() { return {format, kWidth, kHeight, bytes.data(), pitch}; }
    int at(int x, int y, std::size_t channel = 0) const
    {
        const auto row = static_cast<std::size_t>(std::clamp(y, 0, kHeight - 1));
        const auto column = static_cast<std::size_t>(std::clamp(x, 0, kWidth - 1));
        return static_cast<int>(bytes[row * pitch + column * pixel() + channel]);
    }
    void set(int x, int y, std::size_t channel, int value)
    {
        bytes[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x) * pixel() + channel] =
            static_cast<std::byte>(value);
    }
    PixelFormat format;
    std::size_t pitch;
    std::vector<std::byte> bytes;
};

// The plain references.

inline void referenceGaussian(const Padded &in, Padded &out)
{
    int weights[5][5];
    int total = 0;
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 5; ++x) {
            const auto weight = [](int i) {
                return std::lround(1024 * std::exp(-0.5 * (i - 2) * (i - 2) / (1.5 * 1.5)));
            };
            total += weights[y][x] = static_cast<int>(weight(x) * weight(y));
        }
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            std::int64_t sum = total / 2;
            for (int dy = 0; dy < 5; ++dy)
                for (int dx = 0; dx < 5; ++dx)
                    sum += std::int64_t{weights[dy][dx]} * in.at(x + dx - 2, y + dy - 2);
            out.set(x, y, 0, static_cast<int>(sum / total));
        }
}

/// Linear interpolation in one direction after the other, in 1/65536.
inline std::vector<int> referenceScaled(const std::vector<int> &in, int width, int height, int toWidth, int toHeight)
{
    const auto place = [](int to, int toPixels, int pixels) {
        const std::int64_t at = (2 * std::int64_t{to} + 1) * pixels * 256 / (2 * std::int64_t{toPixels}) - 128;
        return static_cast<int>(std::max<std::int64_t>(at, 0));
    };
    std::vector<int> out;
    for (int y = 0; y < toHeight; ++y)
        for (int x = 0; x < toWidth; ++x)
            for (int channel = 0; channel < 4; ++channel) {
                const auto value = [&](int px, int py) {
                    px = std::min(px, width - 1);
                    py = std::min(py, height - 1);
                    return in[static_cast<std::size_t>((py * width + px) * 4 + channel)];
                };
                const int px = place(x, toWidth, width);
                const int py = place(y, toHeight, height);
                const auto across = [&](int row) {
                    return value(px >> 8, row) * (256 - (px & 255)) + value((px >> 8) + 1, row) * (px & 255);
                };
                out.push_back((across(py >> 8) * (256 - (py & 255)) + across((py >> 8) + 1) * (py & 255) + 32768)
                              >> 16);
            }
    return out;
}

inline void referenceRescale(const Padded &in, Padded &out)
{
    std::vector<int> values;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            for (std::size_t channel = 0; channel < 4; ++channel)
                values.push_back(in.at(x, y, channel));
    const std::vector<int> small = referenceScaled(values, kWidth, kHeight, kWidth / 4, kHeight / 4);
    const std::vector<int> large = referenceScaled(small, kWidth / 4, kHeight / 4, kWidth, kHeight);
    for (std::size_t i = 0; i < large.size(); ++i)
        out.set(static_cast<int>(i / 4) % kWidth, static_cast<int>(i / 4) / kWidth, i % 4, large[i]);
}

inline void referenceConvert(const Padded &in, Padded &out)
{
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            out.set(x, y, 0, (77 * in.at(x, y, 0) + 150 * in.at(x, y, 1) + 29 * in.at(x, y, 2) + 128) / 256);
}

/// Strongest first, then in order of rows: negative score, y and x. `at(x, y)` is a pixel, beyond the edge the nearest.
template <class At>
std::vector<std::tuple<int, int, int>> referenceCorners(const At &at)
{
    std::vector<std::tuple<int, int, int>> corners;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const int score = std::min(std::abs(at(x + 1, y) - at(x - 1, y)), std::abs(at(x, y + 1) - at(x, y - 1)));
            if (score > 120)
                corners.emplace_back(-score, y, x);
        }
    std::sort(corners.begin(), corners.end());
    corners.resize(std::min<std::size_t>(corners.size(), 20));
    return corners;
}

inline void referenceHarris(const Padded &in, Padded &out)
{
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            out.set(x, y, 0, in.at(x, y));
    for (const auto &[score, y, x] : referenceCorners([&in](int px, int py) { return in.at(px, py); }))
        for (int dy = std::max(0, y - 2); dy <= std::min(kHeight - 1, y + 2); ++dy)
            for (int dx = std::max(0, x - 2); dx <= std::min(kWidth - 1, x + 2); ++dx)
                out.set(dx, dy, 0, 255);
}

} // namespace jetscope::testing
