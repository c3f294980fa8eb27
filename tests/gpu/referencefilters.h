// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/settings/choices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

// A second, independent definition of the filters' results: whole images, pixel by pixel, in plain integers, with the
// fixed-point constants derived from the published decimal ones. Shares no code with gpu/filters.
namespace reference {

using Rgba = std::array<int, 4>;

struct Image {
    Image(int w, int h) : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

    Rgba &at(int x, int y)
    {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
    const Rgba &at(int x, int y) const { return const_cast<Image *>(this)->at(x, y); }
    /// Beyond the border the image is mirrored at the centre of the edge pixels.
    const Rgba &mirrored(int x, int y) const { return at(mirror(x, width), mirror(y, height)); }

    static int mirror(int i, int size)
    {
        if (size == 1)
            return 0;
        const int period = 2 * (size - 1);
        const int inPeriod = ((i % period) + period) % period;
        return std::min(inPeriod, period - inPeriod);
    }

    int width;
    int height;
    std::vector<Rgba> pixels;
};

inline int fixedPoint(double value, int bits)
{
    return static_cast<int>(std::lround(value * (1 << bits)));
}
inline int clamp(int value)
{
    return std::clamp(value, 0, 255);
}

inline int luma(const Rgba &pixel)
{
    const int red = fixedPoint(0.299, 15);
    const int green = fixedPoint(0.587, 15);
    const int blue = (1 << 15) - red - green;
    return (red * pixel[0] + green * pixel[1] + blue * pixel[2] + (1 << 14)) >> 15;
}

/// The meaning of a YUV colour, in real numbers.
struct YuvMeaning {
    double kr, kb; ///< The weights of red and blue in luma.
    bool full;
};

inline YuvMeaning meaningOf(jetscope::YuvColour colour)
{
    switch (colour) {
    case jetscope::YuvColour::Bt601Full:
        return {0.299, 0.114, true};
    case jetscope::YuvColour::Bt709Limited:
        return {0.2126, 0.0722, false};
    case jetscope::YuvColour::Bt709Full:
        return {0.2126, 0.0722, true};
    case jetscope::YuvColour::Bt601Limited:
        break;
    }
    return {0.299, 0.114, false};
}

inline Rgba fromYuv(int y, int u, int v, jetscope::YuvColour colour)
{
    const YuvMeaning meaning = meaningOf(colour);
    const double kg = 1 - meaning.kr - meaning.kb;
    const double chroma = meaning.full ? 1 : 255.0 / 224;
    double luma = meaning.full ? 1 : 255.0 / 219;
    double redV = 2 * (1 - meaning.kr) * chroma;
    double greenV = 2 * (1 - meaning.kr) * meaning.kr / kg * chroma;
    double greenU = 2 * (1 - meaning.kb) * meaning.kb / kg * chroma;
    double blueU = 2 * (1 - meaning.kb) * chroma;
    if (colour == jetscope::YuvColour::Bt601Limited) { // With the usual three decimals.
        luma = 1.164;
        redV = 1.596;
        greenV = 0.813;
        greenU = 0.391;
        blueU = 2.018;
    }
    const int scaled = fixedPoint(luma, 20) * std::max(y - (meaning.full ? 0 : 16), 0) + (1 << 19);
    const int blueness = u - 128;
    const int redness = v - 128;
    return {clamp((scaled + fixedPoint(redV, 20) * redness) >> 20),
            clamp((scaled - fixedPoint(greenV, 20) * redness - fixedPoint(greenU, 20) * blueness) >> 20),
            clamp((scaled + fixedPoint(blueU, 20) * blueness) >> 20), 255};
}

/// Converts the frame in `bytes` to RGBA.
inline Image convert(const jetscope::ImageLayout &layout, const std::byte *bytes)
{
    Image out(layout.width, layout.height);
    const auto byteAt = [&](std::size_t plane, int y, int offset) {
        const jetscope::PlaneLayout &p = layout.planes[plane];
        return static_cast<int>(
            bytes[p.offset + p.pitch * static_cast<std::size_t>(y) + static_cast<std::size_t>(offset)]);
    };
    const auto yuv = [&](int y, int u, int v) { return fromYuv(y, u, v, layout.colour); };
    for (int y = 0; y < layout.height; ++y) {
        for (int x = 0; x < layout.width; ++x) {
            switch (layout.format) {
            case jetscope::PixelFormat::Rgba8:
                out.at(x, y) = {byteAt(0, y, 4 * x), byteAt(0, y, 4 * x + 1), byteAt(0, y, 4 * x + 2),
                                byteAt(0, y, 4 * x + 3)};
                break;
            case jetscope::PixelFormat::Bgr8:
                out.at(x, y) = {byteAt(0, y, 3 * x + 2), byteAt(0, y, 3 * x + 1), byteAt(0, y, 3 * x), 255};
                break;
            case jetscope::PixelFormat::Rgb8:
                out.at(x, y) = {byteAt(0, y, 3 * x), byteAt(0, y, 3 * x + 1), byteAt(0, y, 3 * x + 2), 255};
                break;
            case jetscope::PixelFormat::Nv12:
                out.at(x, y) = yuv(byteAt(0, y, x), byteAt(1, y / 2, x / 2 * 2), byteAt(1, y / 2, x / 2 * 2 + 1));
                break;
            case jetscope::PixelFormat::Yu12:
                out.at(x, y) = yuv(byteAt(0, y, x), byteAt(1, y / 2, x / 2), byteAt(2, y / 2, x / 2));
                break;
            case jetscope::PixelFormat::Yu16:
                out.at(x, y) = yuv(byteAt(0, y, x), byteAt(1, y, x / 2), byteAt(2, y, x / 2));
                break;
            case jetscope::PixelFormat::Yuyv:
                out.at(x, y) = yuv(byteAt(0, y, 2 * x), byteAt(0, y, x / 2 * 4 + 1), byteAt(0, y, x / 2 * 4 + 3));
                break;
            case jetscope::PixelFormat::Uyvy:
                out.at(x, y) = yuv(byteAt(0, y, 2 * x + 1), byteAt(0, y, x / 2 * 4), byteAt(0, y, x / 2 * 4 + 2));
                break;
            case jetscope::PixelFormat::Grey8:
                out.at(x, y) = {byteAt(0, y, x), byteAt(0, y, x), byteAt(0, y, x), 255};
                break;
            }
        }
    }
    return out;
}

/// Gaussian of odd size whose sigma follows from the size, in 8-bit fixed point: each weight compensates for the
/// rounding of the one before it, and the centre gets the rest of 256.
inline std::vector<int> gaussianWeights(int size)
{
    const double sigma = 0.3 * ((size - 1) * 0.5 - 1) + 0.8;
    const int radius = size / 2;
    std::vector<double> exact;
    double sum = 0;
    for (int i = 0; i < size; ++i) {
        exact.push_back(std::exp(-(i - radius) * (i - radius) / (2 * sigma * sigma)));
        sum += exact.back();
    }
    std::vector<int> weights(static_cast<std::size_t>(size));
    double carried = 0;
    int rest = 256;
    for (std::size_t i = 0; i < static_cast<std::size_t>(radius); ++i) {
        const double wanted = exact[i] / sum * 256 + carried;
        weights[i] = weights[weights.size() - 1 - i] = static_cast<int>(std::lround(wanted));
        carried = wanted - weights[i];
        rest -= 2 * weights[i];
    }
    weights[static_cast<std::size_t>(radius)] = rest;
    return weights;
}

/// The weights sum to 1 << bits. Columns first, then rows, rounded once.
inline Image separable(const Image &in, const std::vector<int> &weights, int bits)
{
    const int radius = static_cast<int>(weights.size()) / 2;
    Image columns(in.width, in.height);
    Image out(in.width, in.height);
    const auto sum = [&](int c, const auto &pixelAt) {
        int total = 0;
        for (int k = -radius; k <= radius; ++k)
            total += weights[static_cast<std::size_t>(k + radius)] * pixelAt(k)[static_cast<std::size_t>(c)];
        return total;
    };
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            for (int c = 0; c < 4; ++c)
                columns.at(x, y)[static_cast<std::size_t>(c)] = sum(c, [&](int k) { return in.mirrored(x, y + k); });
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            for (int c = 0; c < 4; ++c)
                out.at(x, y)[static_cast<std::size_t>(c)] =
                    (sum(c, [&](int k) { return columns.mirrored(x + k, y); }) + (1 << (2 * bits - 1))) >> (2 * bits);
    return out;
}

inline Rgba sobelAt(const Image &in, int x, int y)
{
    const auto l = [&](int dx, int dy) { return luma(in.mirrored(x + dx, y + dy)); };
    const int gx = l(1, -1) + 2 * l(1, 0) + l(1, 1) - l(-1, -1) - 2 * l(-1, 0) - l(-1, 1);
    const int gy = l(-1, 1) + 2 * l(0, 1) + l(1, 1) - l(-1, -1) - 2 * l(0, -1) - l(1, -1);
    const int magnitude = std::min(255, std::abs(gx) + std::abs(gy));
    return {magnitude, magnitude, magnitude, 255};
}

inline Rgba sharpenAt(const Image &in, int x, int y)
{
    Rgba out = in.at(x, y);
    for (std::size_t c = 0; c < 3; ++c)
        out[c] = clamp(5 * in.at(x, y)[c] - in.mirrored(x, y - 1)[c] - in.mirrored(x, y + 1)[c]
                       - in.mirrored(x - 1, y)[c] - in.mirrored(x + 1, y)[c]);
    return out;
}

template <class PixelAt>
Image eachPixel(const Image &in, const PixelAt &pixelAt)
{
    Image out(in.width, in.height);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            out.at(x, y) = pixelAt(x, y);
    return out;
}

inline Image apply(jetscope::Filter filter, const Image &in)
{
    switch (filter) {
    case jetscope::Filter::Identity:
        return in;
    case jetscope::Filter::Gaussian5:
        return separable(in, {1, 4, 6, 4, 1}, 4);
    case jetscope::Filter::Gaussian15:
        return separable(in, gaussianWeights(15), 8);
    case jetscope::Filter::Sobel:
        return eachPixel(in, [&](int x, int y) { return sobelAt(in, x, y); });
    case jetscope::Filter::Threshold:
        return eachPixel(in, [&](int x, int y) {
            return luma(in.at(x, y)) >= 128 ? Rgba{255, 255, 255, 255} : Rgba{0, 0, 0, 255};
        });
    case jetscope::Filter::Sharpen:
        return eachPixel(in, [&](int x, int y) { return sharpenAt(in, x, y); });
    case jetscope::Filter::Invert:
        return eachPixel(in, [&](int x, int y) {
            const Rgba &p = in.at(x, y);
            return Rgba{255 - p[0], 255 - p[1], 255 - p[2], p[3]};
        });
    }
    return in;
}

inline Image applyAll(std::span<const jetscope::Filter> filters, Image image)
{
    for (const jetscope::Filter filter : filters)
        image = apply(filter, image);
    return image;
}

/// Half-size grey, unpadded rows.
inline std::vector<std::byte> halfGrey(const Image &in)
{
    std::vector<std::byte> out;
    for (int y = 0; y < in.height; y += 2) {
        for (int x = 0; x < in.width; x += 2) {
            const int right = std::min(x + 1, in.width - 1);
            const int below = std::min(y + 1, in.height - 1);
            const int sum =
                luma(in.at(x, y)) + luma(in.at(right, y)) + luma(in.at(x, below)) + luma(in.at(right, below));
            out.push_back(static_cast<std::byte>((sum + 2) / 4));
        }
    }
    return out;
}

/// RGBA8, unpadded rows.
inline std::vector<std::byte> bytesOf(const Image &in)
{
    std::vector<std::byte> out;
    for (const Rgba &pixel : in.pixels)
        for (const int channel : pixel)
            out.push_back(static_cast<std::byte>(channel));
    return out;
}

} // namespace reference
