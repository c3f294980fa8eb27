// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// The arithmetic between pictures and tensors, written once for CUDA and for the CPU of tests, so that both give the
// same bytes. Products and sums of floats are never in one expression, because a compiler may fuse them.
#if defined(__CUDACC__)
#define JETSCOPE_TENSOR __host__ __device__ inline
#else
#define JETSCOPE_TENSOR inline
#endif

namespace jetscope::tensor {

enum class Element : std::uint8_t { Float, Half, Int8, Uint8 };

/// One picture's worth of a tensor: where its elements lie.
struct Shape {
    Element element = Element::Float;
    int channels = 0;
    int height = 0;
    int width = 0;
    int group = 1;               ///< Channels that lie beside each other.
    std::size_t bytes = 0;       ///< Of the whole tensor.
    std::size_t pixelStride = 0; ///< Bytes from one column to the next.
    std::size_t rowStride = 0;
    std::size_t groupStride = 0; ///< From one group of channels to the next.
};

/// Rows of R, G, B, A bytes.
struct Pixels {
    std::uint8_t *bytes = nullptr;
    std::size_t pitch = 0;
    int width = 0;
    int height = 0;
};

/// How a frame becomes the input: (value - mean) * scale for values from 0 to 255.
struct Packing {
    float mean = 0;
    float scale = 1;
    bool isBgr = false;
};

/// How the output becomes a picture.
struct Drawing {
    int channel = 0; ///< Of a heat map.
    float low = 0;   ///< The value that is not drawn.
    float high = 1;  ///< The value that is drawn full.
};

/// The class with the greatest value.
struct Top {
    int index = 0;
    float value = 0;
};

JETSCOPE_TENSOR int elementBytes(Element element)
{
    return element == Element::Float ? 4 : element == Element::Half ? 2 : 1;
}

JETSCOPE_TENSOR std::size_t offsetOf(const Shape &shape, int channel, int y, int x)
{
    return static_cast<std::size_t>(channel / shape.group) * shape.groupStride
        + static_cast<std::size_t>(y) * shape.rowStride + static_cast<std::size_t>(x) * shape.pixelStride
        + static_cast<std::size_t>(channel % shape.group) * static_cast<std::size_t>(elementBytes(shape.element));
}

/// IEEE half, rounded to the nearest, ties to even.
JETSCOPE_TENSOR std::uint16_t halfOf(float value)
{
    std::uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return static_cast<std::uint16_t>(sign | 0x7e00); // NaN
    if (magnitude >= 0x477ff000)
        return static_cast<std::uint16_t>(sign | 0x7c00); // Rounds to infinity.
    if (magnitude < 0x33000001)
        return static_cast<std::uint16_t>(sign); // Rounds to zero.
    std::uint32_t mantissa = magnitude & 0x7fffff;
    const int exponent = static_cast<int>(magnitude >> 23) - 112;
    int shift = 13;
    if (exponent <= 0) {
        mantissa |= 0x800000;
        shift = 14 - exponent;
    } else {
        mantissa |= static_cast<std::uint32_t>(exponent) << 23;
    }
    const std::uint32_t half = mantissa >> shift;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1);
    const std::uint32_t tie = 1u << (shift - 1);
    const bool isUp = rest > tie || (rest == tie && (half & 1) != 0);
    return static_cast<std::uint16_t>(sign | (half + (isUp ? 1 : 0)));
}

JETSCOPE_TENSOR float floatOf(std::uint16_t half)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
    std::uint32_t exponent = half >> 10 & 31;
    std::uint32_t mantissa = half & 0x3ffu;
    std::uint32_t bits = sign;
    if (exponent == 31) {
        bits |= 0x7f800000 | mantissa << 13;
    } else if (exponent != 0) {
        bits |= (exponent + 112) << 23 | mantissa << 13;
    } else if (mantissa != 0) {
        exponent = 113;
        for (; (mantissa & 0x400) == 0; mantissa <<= 1)
            --exponent;
        bits |= exponent << 23 | (mantissa & 0x3ffu) << 13;
    }
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

JETSCOPE_TENSOR int rounded(float value, int least, int most)
{
    if (!(value > static_cast<float>(least))) // Also for NaN.
        return least;
    if (value >= static_cast<float>(most))
        return most;
    const float up = value + (value < 0 ? -0.5F : 0.5F);
    return static_cast<int>(up);
}

JETSCOPE_TENSOR void store(const Shape &shape, void *tensor, int channel, int y, int x, float value)
{
    auto *const at = static_cast<std::uint8_t *>(tensor) + offsetOf(shape, channel, y, x);
    switch (shape.element) {
    case Element::Float:
        memcpy(at, &value, sizeof value);
        break;
    case Element::Half: {
        const std::uint16_t half = halfOf(value);
        memcpy(at, &half, sizeof half);
        break;
    }
    case Element::Int8:
        *at = static_cast<std::uint8_t>(rounded(value, -128, 127));
        break;
    case Element::Uint8:
        *at = static_cast<std::uint8_t>(rounded(value, 0, 255));
        break;
    }
}

JETSCOPE_TENSOR float load(const Shape &shape, const void *tensor, int channel, int y, int x)
{
    const auto *const at = static_cast<const std::uint8_t *>(tensor) + offsetOf(shape, channel, y, x);
    switch (shape.element) {
    case Element::Float: {
        float value = 0;
        memcpy(&value, at, sizeof value);
        return value;
    }
    case Element::Half: {
        std::uint16_t half = 0;
        memcpy(&half, at, sizeof half);
        return floatOf(half);
    }
    case Element::Int8:
        return static_cast<float>(static_cast<std::int8_t>(*at));
    case Element::Uint8:
        break;
    }
    return static_cast<float>(*at);
}

/// The place in `from` pixels of the centre of a pixel of `to`, in 1/256 pixels.
JETSCOPE_TENSOR int placeOf(int pixel, int to, int from)
{
    const std::int64_t at = (2 * static_cast<std::int64_t>(pixel) + 1) * from * 128 / to - 128;
    return at < 0 ? 0 : static_cast<int>(at);
}

/// The frame's channel at the place of a tensor's pixel, by linear interpolation, from 0 to 255.
JETSCOPE_TENSOR int sample(const Pixels &frame, int channel, int placeX, int placeY)
{
    const int x0 = placeX >> 8 < frame.width ? placeX >> 8 : frame.width - 1;
    const int y0 = placeY >> 8 < frame.height ? placeY >> 8 : frame.height - 1;
    const int x1 = x0 + 1 < frame.width ? x0 + 1 : x0;
    const int y1 = y0 + 1 < frame.height ? y0 + 1 : y0;
    const std::uint8_t *const top = frame.bytes + static_cast<std::size_t>(y0) * frame.pitch;
    const std::uint8_t *const bottom = frame.bytes + static_cast<std::size_t>(y1) * frame.pitch;
    const int fx = placeX & 255;
    const int fy = placeY & 255;
    const int above = top[4 * x0 + channel] * (256 - fx) + top[4 * x1 + channel] * fx;
    const int below = bottom[4 * x0 + channel] * (256 - fx) + bottom[4 * x1 + channel] * fx;
    return (above * (256 - fy) + below * fy + 32768) >> 16;
}

/// All channels of one pixel of the input. Channels behind blue and those that fill a group are 0; one channel is luma.
JETSCOPE_TENSOR void packPixel(const Pixels &frame, const Packing &packing, const Shape &shape, void *tensor, int x,
                               int y)
{
    const int placeX = placeOf(x, shape.width, frame.width);
    const int placeY = placeOf(y, shape.height, frame.height);
    const int padded = (shape.channels + shape.group - 1) / shape.group * shape.group;
    int colours[3] = {};
    for (int colour = 0; colour < 3; ++colour)
        colours[colour] = sample(frame, packing.isBgr ? 2 - colour : colour, placeX, placeY);
    if (shape.channels == 1) {
        const int red = colours[packing.isBgr ? 2 : 0];
        const int blue = colours[packing.isBgr ? 0 : 2];
        colours[0] = (77 * red + 150 * colours[1] + 29 * blue + 128) >> 8;
    }
    for (int channel = 0; channel < padded; ++channel) {
        float value = 0;
        if (channel < shape.channels && channel < 3) {
            value = static_cast<float>(colours[channel]) - packing.mean;
            value = value * packing.scale;
        }
        store(shape, tensor, channel, y, x, value);
    }
}

// --- drawing

/// From 0 to 256.
JETSCOPE_TENSOR int heatOf(const Drawing &drawing, float value)
{
    float heat = value - drawing.low;
    heat = heat / (drawing.high - drawing.low);
    return rounded(heat * 256.0F, 0, 256);
}

/// The frame's pixel under a heat map: red is mixed in.
JETSCOPE_TENSOR void drawHeat(const Pixels &frame, const Pixels &out, const Drawing &drawing, const Shape &shape,
                              const void *tensor, int x, int y)
{
    const int column = static_cast<int>(static_cast<std::int64_t>(x) * shape.width / frame.width);
    const int row = static_cast<int>(static_cast<std::int64_t>(y) * shape.height / frame.height);
    const int heat = heatOf(drawing, load(shape, tensor, drawing.channel, row, column));
    const std::uint8_t *const from = frame.bytes + static_cast<std::size_t>(y) * frame.pitch + 4 * x;
    std::uint8_t *const to = out.bytes + static_cast<std::size_t>(y) * out.pitch + 4 * x;
    const int hot[3] = {255, 32, 0};
    for (int channel = 0; channel < 3; ++channel)
        to[channel] = static_cast<std::uint8_t>((from[channel] * (512 - heat) + hot[channel] * heat) / 512);
    to[3] = from[3];
}

/// Digits of 3x5 pixels, rows from the top, three bits each; 10 is '#', 11 is '.'.
JETSCOPE_TENSOR int glyphRow(int glyph, int row)
{
    constexpr std::uint16_t kGlyphs[12] = {0x7b6f, 0x2c97, 0x73e7, 0x73cf, 0x5bc9, 0x79cf,
                                           0x79ef, 0x7249, 0x7bef, 0x7bcf, 0x5f7d, 0x0002};
    return kGlyphs[glyph] >> (12 - 3 * row) & 7;
}

inline constexpr int kTextGlyphs = 10; ///< "#1234 0.97": the class, a space, the value.

/// The glyph at a place of the text; -1: none.
JETSCOPE_TENSOR int glyphAt(const Top &top, int place)
{
    if (place == 0)
        return 10;
    if (place <= 4) {
        int digits = top.index;
        for (int i = place; i < 4; ++i)
            digits /= 10;
        return digits % 10;
    }
    const int hundredths = rounded(top.value * 100.0F, 0, 999);
    switch (place) {
    case 6:
        return hundredths / 100;
    case 7:
        return 11;
    case 8:
        return hundredths / 10 % 10;
    case 9:
        return hundredths % 10;
    default:
        return -1;
    }
}

/// The frame's pixel with the text in its upper left corner: white on black, a third as wide as the frame.
JETSCOPE_TENSOR void drawClass(const Pixels &frame, const Pixels &out, const Top &top, int x, int y)
{
    const int unit = frame.width / 120 > 0 ? frame.width / 120 : 1;
    const int column = x / unit - 1;
    const int row = y / unit - 1;
    const std::uint8_t *const from = frame.bytes + static_cast<std::size_t>(y) * frame.pitch + 4 * x;
    std::uint8_t *const to = out.bytes + static_cast<std::size_t>(y) * out.pitch + 4 * x;
    const bool isBox = column >= -1 && column <= 4 * kTextGlyphs && row >= -1 && row <= 5;
    bool isInk = false;
    if (column >= 0 && column < 4 * kTextGlyphs && column % 4 != 3 && row >= 0 && row < 5) {
        const int glyph = glyphAt(top, column / 4);
        isInk = glyph >= 0 && (glyphRow(glyph, row) >> (2 - column % 4) & 1) != 0;
    }
    for (int channel = 0; channel < 4; ++channel)
        to[channel] = channel == 3 ? from[3] : isInk ? 255 : isBox ? 0 : from[channel];
}

} // namespace jetscope::tensor
