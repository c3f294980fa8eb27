// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/filters/arithmetic.h"
#include "gpu/filters/lumalanes.h"
#include "gpu/filters/rowkernels.h"

// The row loops, written so that the compiler vectorises them. Included by one source file per instruction set;
// everything is local to that file, so that no function built for a newer CPU can be linked into the others.
namespace jetscope {
namespace {

namespace math = jetscope::arithmetic;

using Byte = std::uint8_t;
using Word = std::uint16_t;
// Views of byte rows at any address.
typedef std::uint16_t Pair __attribute__((may_alias, aligned(1)));
typedef std::uint32_t WordPair __attribute__((may_alias, aligned(1)));

Pixel *pixels(Byte *row)
{
    return reinterpret_cast<Pixel *>(row);
}
const Pixel *pixels(const Byte *row)
{
    return reinterpret_cast<const Pixel *>(row);
}
Byte byte(int value)
{
    return static_cast<Byte>(value);
}
Word word(int value)
{
    return static_cast<Word>(value);
}

void fromBgr(const Byte *bgr, Byte *__restrict out, int width)
{
    for (int x = 0; x < width; ++x)
        pixels(out)[x] = math::packRgba(bgr[3 * x + 2], bgr[3 * x + 1], bgr[3 * x], 255);
}

void fromGrey(const Byte *grey, Byte *__restrict out, int width)
{
    for (int x = 0; x < width; ++x)
        pixels(out)[x] = math::greyPixel(grey[x]);
}

void fromRgb(const Byte *rgb, Byte *__restrict out, int width)
{
    for (int x = 0; x < width; ++x)
        pixels(out)[x] = math::packRgba(rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2], 255);
}

/// A pair of pixels with one chroma sample. The weights by value: nothing that is written can be they.
[[gnu::always_inline]] inline void yuvPair(const math::YuvWeights weights, int y0, int y1, int u, int v, Pixel *out)
{
    const int red = math::yuvRed(weights, v);
    const int green = math::yuvGreen(weights, u, v);
    const int blue = math::yuvBlue(weights, u);
    out[0] = math::yuvPixel(math::yuvLuma(weights, y0), red, green, blue);
    out[1] = math::yuvPixel(math::yuvLuma(weights, y1), red, green, blue);
}

Pixel yuvSingle(const math::YuvWeights &weights, int y, int u, int v)
{
    return math::yuvPixel(math::yuvLuma(weights, y), math::yuvRed(weights, v), math::yuvGreen(weights, u, v),
                          math::yuvBlue(weights, u));
}

void fromNv12(const Byte *y, const Byte *uv, const math::YuvWeights &given, Byte *__restrict out, int width)
{
    const math::YuvWeights weights = given;
    const Pair *yPairs = reinterpret_cast<const Pair *>(y);
    const Pair *uvPairs = reinterpret_cast<const Pair *>(uv);
    const int pairs = width / 2;
    for (int i = 0; i < pairs; ++i)
        yuvPair(weights, yPairs[i] & 255, yPairs[i] >> 8, uvPairs[i] & 255, uvPairs[i] >> 8, pixels(out) + 2 * i);
    if (width & 1)
        pixels(out)[width - 1] = yuvSingle(weights, y[width - 1], uv[width - 1], uv[width]);
}

void fromPlanes(const Byte *y, const Byte *u, const Byte *v, const math::YuvWeights &given, Byte *__restrict out,
                int width)
{
    const math::YuvWeights weights = given;
    const Pair *yPairs = reinterpret_cast<const Pair *>(y);
    const int pairs = width / 2;
    for (int i = 0; i < pairs; ++i)
        yuvPair(weights, yPairs[i] & 255, yPairs[i] >> 8, u[i], v[i], pixels(out) + 2 * i);
    if (width & 1)
        pixels(out)[width - 1] = yuvSingle(weights, y[width - 1], u[pairs], v[pairs]);
}

void fromYuyv(const Byte *yuyv, const math::YuvWeights &given, Byte *__restrict out, int width)
{
    const math::YuvWeights weights = given;
    const int pairs = width / 2;
    for (int i = 0; i < pairs; ++i) {
        const Pixel both = pixels(yuyv)[i];
        yuvPair(weights, static_cast<int>(both & 255), static_cast<int>(both >> 16 & 255),
                static_cast<int>(both >> 8 & 255), static_cast<int>(both >> 24), pixels(out) + 2 * i);
    }
    if (width & 1) {
        const Byte *last = yuyv + 4 * pairs;
        pixels(out)[width - 1] = yuvSingle(weights, last[0], last[1], last[3]);
    }
}

void fromUyvy(const Byte *uyvy, const math::YuvWeights &given, Byte *__restrict out, int width)
{
    const math::YuvWeights weights = given;
    const int pairs = width / 2;
    for (int i = 0; i < pairs; ++i) {
        const Pixel both = pixels(uyvy)[i];
        yuvPair(weights, static_cast<int>(both >> 8 & 255), static_cast<int>(both >> 24), static_cast<int>(both & 255),
                static_cast<int>(both >> 16 & 255), pixels(out) + 2 * i);
    }
    if (width & 1) {
        const Byte *last = uyvy + 4 * pairs;
        pixels(out)[width - 1] = yuvSingle(weights, last[1], last[0], last[2]);
    }
}

// Continues a row of `width` groups of `channels` elements by `radius` groups on both sides.
template <int channels, class Element>
void reflectEnds(Element *row, int width, int radius)
{
    for (int x = 1; x <= radius; ++x) {
        for (int c = 0; c < channels; ++c) {
            row[-x * channels + c] = row[math::reflect101(-x, width) * channels + c];
            row[(width - 1 + x) * channels + c] = row[math::reflect101(width - 1 + x, width) * channels + c];
        }
    }
}

void gaussian5(const Byte *const *rows, Byte *__restrict out, int width, Word *__restrict scratch)
{
    constexpr int radius = math::kGaussian5Radius;
    const Byte *a = rows[0];
    const Byte *b = rows[1];
    const Byte *c = rows[2];
    const Byte *d = rows[3];
    const Byte *e = rows[4];
    Word *__restrict sums = scratch + 4 * radius;
    for (int i = 0; i < 4 * width; ++i)
        sums[i] = math::gaussian5Sum(a[i], b[i], c[i], d[i], e[i]);
    reflectEnds<4>(sums, width, radius);
    for (int i = 0; i < 4 * width; ++i)
        out[i] = math::gaussian5Round(math::gaussian5Sum(sums[i - 8], sums[i - 4], sums[i], sums[i + 4], sums[i + 8]));
}

/// The weights as numbers unknown to the compiler: it would otherwise replace each multiplication, one instruction for
/// a whole vector, by three shifts and additions.
struct Gaussian15Weights {
    Gaussian15Weights()
    {
        for (int k = 0; k <= math::kGaussian15Radius; ++k)
            of[k] = word(math::gaussian15Weight(k));
        asm("" : "+m"(of));
    }
    Word of[math::kGaussian15Radius + 1];
};

// The sums of one direction, split into their upper and lower bytes. The outputs are restricted parameters, since 15
// rows are more than the compiler would check for overlap.
void gaussian15Columns(const Byte *const *rows, int count, const Gaussian15Weights &weight, Word *__restrict high,
                       Word *__restrict low)
{
    constexpr int radius = math::kGaussian15Radius;
    for (int i = 0; i < count; ++i) {
        Word sum = word(weight.of[0] * rows[radius][i]);
#pragma GCC unroll 7
        for (int k = 1; k <= radius; ++k)
            sum = word(sum + weight.of[k] * (rows[radius - k][i] + rows[radius + k][i]));
        high[i] = sum >> 8;
        low[i] = sum & 255;
    }
}

void gaussian15(const Byte *const *rows, Byte *__restrict out, int width, Word *__restrict scratch)
{
    constexpr int radius = math::kGaussian15Radius;
    const Gaussian15Weights weight;
    Word *__restrict high = scratch + 4 * radius;
    Word *__restrict low = high + 4 * (width + 2 * radius);
    gaussian15Columns(rows, 4 * width, weight, high, low);
    reflectEnds<4>(high, width, radius);
    reflectEnds<4>(low, width, radius);
    for (int i = 0; i < 4 * width; ++i) {
        Word highSum = word(weight.of[0] * high[i]);
        Word lowSum = word(weight.of[0] * low[i]);
#pragma GCC unroll 7
        for (int k = 1; k <= radius; ++k) {
            highSum = word(highSum + weight.of[k] * (high[i - 4 * k] + high[i + 4 * k]));
            lowSum = word(lowSum + weight.of[k] * (low[i - 4 * k] + low[i + 4 * k]));
        }
        out[i] = math::gaussian15Round(highSum, lowSum);
    }
}

void sharpen(const Byte *const *rows, Byte *__restrict out, int width, Word *)
{
    const Byte *north = rows[0];
    const Byte *row = rows[1];
    const Byte *south = rows[2];
    const auto channel = [=](int i, int west, int east) {
        return byte(math::sharpen(row[i], north[i], south[i], row[west], row[east]));
    };
    const int last = 4 * (width - 1);
    for (int c = 0; c < 4; ++c) {
        out[c] = channel(c, 4 * math::reflect101(-1, width) + c, 4 * math::reflect101(1, width) + c);
        out[last + c] =
            channel(last + c, 4 * math::reflect101(width - 2, width) + c, 4 * math::reflect101(width, width) + c);
    }
    for (int i = 4; i < last; ++i)
        out[i] = channel(i, i - 4, i + 4);
    for (int x = 0; x < width; ++x)
        pixels(out)[x] = math::withAlphaOf(pixels(row)[x], pixels(out)[x]);
}

constexpr int kLumaTile = 512; ///< Pixels whose luma is kept in 32 bits at a time: little enough for the first cache.

void threshold(const Byte *const *rows, Byte *__restrict out, int width, Word *)
{
    const Byte *row = rows[0];
    std::uint32_t lumas[kLumaTile];
    for (int x = 0; x < width; x += kLumaTile) {
        const int count = math::smaller(width - x, kLumaTile);
        lumaOfPixels(pixels(row) + x, lumas, count);
        for (int i = 0; i < count; ++i)
            pixels(out)[x + i] = math::greyPixel(math::threshold(static_cast<int>(lumas[i])));
    }
}

void invert(const Byte *const *rows, Byte *__restrict out, int width, Word *)
{
    const Byte *row = rows[0];
    for (int x = 0; x < width; ++x)
        pixels(out)[x] = math::invert(pixels(row)[x]);
}

void luma(const Byte *const *rows, Byte *__restrict grey, int width, Word *)
{
    const Byte *row = rows[0];
    std::uint32_t lumas[kLumaTile];
    for (int x = 0; x < width; x += kLumaTile) {
        const int count = math::smaller(width - x, kLumaTile);
        lumaOfPixels(pixels(row) + x, lumas, count);
        for (int i = 0; i < count; ++i)
            grey[x + i] = static_cast<Byte>(lumas[i]);
    }
}

void sobel(const Byte *const *greyRows, Byte *__restrict out, int width, Word *__restrict scratch)
{
    constexpr int radius = math::kSobelRadius;
    const Byte *a = greyRows[0];
    const Byte *b = greyRows[1];
    const Byte *c = greyRows[2];
    std::int16_t *__restrict smooth = reinterpret_cast<std::int16_t *>(scratch) + radius;
    std::int16_t *__restrict difference = smooth + width + 2 * radius;
    for (int x = 0; x < width; ++x) {
        smooth[x] = math::sobelSmooth(a[x], b[x], c[x]);
        difference[x] = math::sobelDifference(a[x], c[x]);
    }
    reflectEnds<1>(smooth, width, radius);
    reflectEnds<1>(difference, width, radius);
    for (int x = 0; x < width; ++x)
        pixels(out)[x] = math::greyPixel(
            math::sobelMagnitude(math::sobelDifference(smooth[x - 1], smooth[x + 1]),
                                 math::sobelSmooth(difference[x - 1], difference[x], difference[x + 1])));
}

void halfGrey(const Byte *top, const Byte *bottom, Byte *__restrict grey, int width, Word *__restrict sums)
{
    std::uint32_t upper[kLumaTile];
    std::uint32_t lower[kLumaTile];
    for (int x = 0; x < width; x += kLumaTile) {
        const int count = math::smaller(width - x, kLumaTile);
        lumaOfPixels(pixels(top) + x, upper, count);
        lumaOfPixels(pixels(bottom) + x, lower, count);
        for (int i = 0; i < count; ++i)
            sums[x + i] = static_cast<Word>(upper[i] + lower[i]);
    }
    sums[width] = sums[width - 1];
    const WordPair *pairs = reinterpret_cast<const WordPair *>(sums);
    for (int x = 0; x < (width + 1) / 2; ++x)
        grey[x] = byte(math::roundMean4(static_cast<int>((pairs[x] & 0xffff) + (pairs[x] >> 16))));
}

// By name: most loops have one type, so the compiler would not notice two in the wrong order.
constexpr RowKernels rowLoops{
    .fromBgr = fromBgr,
    .fromGrey = fromGrey,
    .fromRgb = fromRgb,
    .fromNv12 = fromNv12,
    .fromPlanes = fromPlanes,
    .fromYuyv = fromYuyv,
    .fromUyvy = fromUyvy,
    .gaussian5 = gaussian5,
    .gaussian15 = gaussian15,
    .sharpen = sharpen,
    .threshold = threshold,
    .invert = invert,
    .luma = luma,
    .sobel = sobel,
    .halfGrey = halfGrey,
};

} // namespace
} // namespace jetscope
