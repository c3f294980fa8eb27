// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/nppcases.h"

#include "gpu/filters/arithmetic.h"
#include "tests/bench/gpubench.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>

namespace jetscope {

namespace {

using npp::Byte;

constexpr PixelOrder kRgba{4, {0, 1, 2}};
constexpr PixelOrder kBgra{4, {2, 1, 0}};
constexpr PixelOrder kRgb{3, {0, 1, 2}};

/// The first error of calls made one after another; a braced list evaluates its elements in order. Ignores warnings.
int firstError(std::initializer_list<int> answers)
{
    const auto *error = std::find_if(answers.begin(), answers.end(), [](int answer) { return answer < 0; });
    return error == answers.end() ? 0 : *error;
}

const Byte *read(const std::byte *memory)
{
    return reinterpret_cast<const Byte *>(memory);
}

Byte *written(std::byte *memory)
{
    return reinterpret_cast<Byte *>(memory);
}

Byte *bytesOf(const std::unique_ptr<Buffer> &buffer)
{
    return written(buffer->device());
}

} // namespace

NppFilters::NppFilters(Device &device, Stream &stream, int width, int height, npp::Functions functions,
                       const npp::StreamContext &context)
    : m_npp(std::move(functions)),
      m_context(context),
      m_size{width, height},
      m_colours(need(device.allocate(Allocation::Device, std::size_t{4} * static_cast<std::size_t>(width * height)))),
      m_blurred(need(device.allocate(Allocation::Device, m_colours->bytes()))),
      m_grey(need(device.allocate(Allocation::Device, m_colours->bytes() / 4))),
      m_edges(need(device.allocate(Allocation::Device, m_colours->bytes() / 4))),
      m_magnitude(need(device.allocate(Allocation::Device, m_colours->bytes() / 2)))
{
    constexpr std::array<float, 5> kTaps5 = {1 / 16.F, 4 / 16.F, 6 / 16.F, 4 / 16.F, 1 / 16.F};
    std::array<float, 2 * arithmetic::kGaussian15Radius + 1> taps15{};
    for (int i = 0; i < static_cast<int>(taps15.size()); ++i)
        taps15[static_cast<std::size_t>(i)] =
            static_cast<float>(arithmetic::gaussian15Weight(arithmetic::absolute(i - arithmetic::kGaussian15Radius)))
            / 256;
    constexpr std::array<std::int32_t, 9> kCross = {0, -1, 0, -1, 5, -1, 0, -1, 0};
    m_taps5 = uploaded(device, stream, kTaps5.data(), sizeof kTaps5);
    m_taps15 = uploaded(device, stream, taps15.data(), sizeof taps15);
    m_cross = uploaded(device, stream, kCross.data(), sizeof kCross);
}

std::unique_ptr<Buffer> NppFilters::uploaded(Device &device, Stream &stream, const void *values,
                                             std::size_t bytes) const
{
    const std::unique_ptr<Buffer> host = need(device.allocate(Allocation::Pinned, bytes));
    std::unique_ptr<Buffer> buffer = need(device.allocate(Allocation::Device, bytes));
    std::memcpy(host->host(), values, bytes);
    need(device.copyAsync(wholeOf(*buffer), wholeOf(*host), CopyKind::HostToDevice, stream));
    need(device.synchronize(stream));
    return buffer;
}

int NppFilters::gaussInside(const Byte *from, Byte *to, npp::MaskSize mask, int radius) const
{
    const int step = 4 * m_size.width;
    const int first = radius * step + 4 * radius;
    return m_npp.gaussInside(from + first, step, to + first, step,
                             {m_size.width - 2 * radius, m_size.height - 2 * radius}, mask, m_context);
}

int NppFilters::gaussTaps(const Byte *from, Byte *to, const Buffer &taps) const
{
    const int step = 4 * m_size.width;
    return m_npp.gaussTapsRgba(from, step, m_size, {0, 0}, to, step, m_size,
                               static_cast<int>(taps.bytes() / sizeof(float)),
                               reinterpret_cast<const float *>(taps.device()), npp::Replicate, m_context);
}

int NppFilters::sobelOfGrey(Byte *to) const
{
    const int width = m_size.width;
    auto *magnitude = reinterpret_cast<std::int16_t *>(m_magnitude->device());
    return firstError(
        {m_npp.sobelGradient(bytesOf(m_grey), width, m_size, {0, 0}, nullptr, 0, nullptr, 0, magnitude, 2 * width,
                             nullptr, 0, m_size, npp::Mask3x3, npp::L1, npp::Replicate, m_context),
         m_npp.narrow(magnitude, 2 * width, bytesOf(m_edges), width, m_size, m_context),
         m_npp.spreadGrey(bytesOf(m_edges), width, to, 4 * width, m_size, m_context)});
}

std::array<const Byte *, 2> NppFilters::planesOf(const Byte *nv12) const
{
    return {nv12, nv12 + static_cast<std::ptrdiff_t>(m_size.width) * m_size.height};
}

int NppFilters::nv12ToRgb(const Byte *from, Byte *to) const
{
    const std::array<const Byte *, 2> planes = planesOf(from);
    return m_npp.nv12ToRgb(planes.data(), m_size.width, to, 3 * m_size.width, m_size, m_context);
}

std::vector<NppCase> NppFilters::conversions() const
{
    using enum PixelFormat;
    const int width = m_size.width;
    const auto copy = [=, this](const std::byte *in, std::byte *out) {
        return m_npp.copyRgba(read(in), 4 * width, written(out), 4 * width, m_size, m_context);
    };
    const auto swap = [=, this](const std::byte *in, std::byte *out) {
        constexpr int kOrder[4] = {2, 1, 0, 3};
        return m_npp.swapChannels(read(in), 3 * width, written(out), 4 * width, m_size, kOrder, 255, m_context);
    };
    const auto grey = [=, this](const std::byte *in, std::byte *out) {
        return m_npp.spreadGrey(read(in), width, written(out), 4 * width, m_size, m_context);
    };
    return {
        {Rgba8, {}, "Copy_8u_C4R", "", kRgba, 0, copy},
        {Bgr8, {}, "SwapChannels_8u_C3C4R", "", kRgba, 0, swap},
        {Grey8, {}, "Dup_8u_C1C4R", "spreads grey over alpha too", kRgba, 0, grey},
    };
}

std::vector<NppCase> NppFilters::yuvConversions() const
{
    using enum PixelFormat;
    const int width = m_size.width;
    const auto nv12 = [=, this](const std::byte *in, std::byte *out) { return nv12ToRgb(read(in), written(out)); };
    const auto yuyv = [=, this](const std::byte *in, std::byte *out) {
        return m_npp.yuyvToRgb(read(in), 2 * width, written(out), 3 * width, m_size, m_context);
    };
    const auto yuyvToBgra = [=, this](const std::byte *in, std::byte *out) {
        return m_npp.yuyvToBgra(read(in), 2 * width, written(out), 4 * width, m_size, 255, m_context);
    };
    return {
        {Nv12, {}, "NV12ToRGB_8u_P2C3R", "writes 3 bytes a pixel", kRgb, 24, nv12},
        {Yuyv, {}, "YCbCr422ToRGB_8u_C2C3R", "writes 3 bytes a pixel", kRgb, 4, yuyv},
        {Yuyv, {}, "YCbCr422ToBGR_8u_C2C4R", "writes BGRA", kBgra, 4, yuyvToBgra},
    };
}

std::vector<NppCase> NppFilters::blurs() const
{
    using enum Filter;
    std::vector<NppCase> all;
    const auto add = [&](Filter filter, npp::MaskSize mask, int radius, const std::unique_ptr<Buffer> &taps) {
        const int step = 4 * m_size.width;
        all.push_back(
            {PixelFormat::Rgba8,
             {filter},
             "FilterGaussAdvancedBorder_8u_C4R",
             "filters alpha too, other border",
             kRgba,
             1,
             [this, &taps](const std::byte *in, std::byte *out) { return gaussTaps(read(in), written(out), *taps); }});
        all.push_back({PixelFormat::Rgba8,
                       {filter},
                       "FilterGaussBorder_8u_C4R",
                       "weights of its own, filters alpha too, other border",
                       kRgba,
                       3,
                       [=, this](const std::byte *in, std::byte *out) {
                           return m_npp.gauss(read(in), step, m_size, {0, 0}, written(out), step, m_size, mask,
                                              npp::Replicate, m_context);
                       }});
        all.push_back({PixelFormat::Rgba8,
                       {filter},
                       "FilterGauss_8u_C4R",
                       "weights of its own, filters alpha too, no border",
                       kRgba,
                       3,
                       [=, this](const std::byte *in, std::byte *out) {
                           return gaussInside(read(in), written(out), mask, radius);
                       }});
    };
    add(Gaussian5, npp::Mask5x5, 2, m_taps5);
    add(Gaussian15, npp::Mask15x15, 7, m_taps15);
    return all;
}

std::vector<NppCase> NppFilters::pointFilters() const
{
    using enum Filter;
    const int width = m_size.width;
    const int step = 4 * width;
    const auto sobel = [=, this](const std::byte *in, std::byte *out) {
        return firstError(
            {m_npp.rgbaToGrey(read(in), step, bytesOf(m_grey), width, m_size, m_context), sobelOfGrey(written(out))});
    };
    const auto threshold = [=, this](const std::byte *in, std::byte *out) {
        return firstError({m_npp.rgbaToGrey(read(in), step, bytesOf(m_grey), width, m_size, m_context),
                           m_npp.compareConstant(bytesOf(m_grey), width, 128, bytesOf(m_edges), width, m_size,
                                                 npp::GreaterOrEqual, m_context),
                           m_npp.spreadGrey(bytesOf(m_edges), width, written(out), step, m_size, m_context)});
    };
    const auto cross = [=, this](const std::byte *in, std::byte *out) {
        return m_npp.filterKernel(read(in), step, m_size, {0, 0}, written(out), step, m_size,
                                  reinterpret_cast<const std::int32_t *>(m_cross->device()), {3, 3}, {1, 1}, 1,
                                  npp::Replicate, m_context);
    };
    const auto sharpen = [=, this](const std::byte *in, std::byte *out) {
        return m_npp.sharpen(read(in), step, m_size, {0, 0}, written(out), step, m_size, npp::Replicate, m_context);
    };
    const auto invertColours = [=, this](const std::byte *in, std::byte *out) {
        constexpr Byte kColours[4] = {255, 255, 255, 0};
        return m_npp.xorConstants(read(in), step, kColours, written(out), step, m_size, m_context);
    };
    const auto invert = [=, this](const std::byte *in, std::byte *out) {
        return m_npp.invert(read(in), step, written(out), step, m_size, m_context);
    };
    constexpr PixelFormat kFormat = PixelFormat::Rgba8;
    return {
        {kFormat,
         {Sobel},
         "RGBToGray_8u_AC4C1R, GradientVectorSobelBorder_8u16s_C1R, Convert_16s8u_C1R, Dup_8u_C1C4R",
         "spreads grey over alpha too, other border",
         kRgba,
         4,
         sobel},
        {kFormat,
         {Threshold},
         "RGBToGray_8u_AC4C1R, CompareC_8u_C1R, Dup_8u_C1C4R",
         "spreads grey over alpha too",
         kRgba,
         4,
         threshold},
        {kFormat, {Sharpen}, "FilterBorder_8u_C4R", "filters alpha too, other border", kRgba, 1, cross},
        {kFormat,
         {Sharpen},
         "FilterSharpenBorder_8u_C4R",
         "weights of its own, filters alpha too, other border",
         kRgba,
         10,
         sharpen},
        {kFormat, {Invert}, "XorC_8u_C4R", "", kRgba, 0, invertColours},
        {kFormat, {Invert}, "Not_8u_C4R", "inverts alpha too", kRgba, 0, invert},
    };
}

std::vector<NppCase> NppFilters::chains() const
{
    using enum Filter;
    const int width = m_size.width;
    const auto rgba = [=, this](const std::byte *in, std::byte *out) {
        return firstError({gaussTaps(read(in), bytesOf(m_blurred), *m_taps5),
                           m_npp.rgbaToGrey(bytesOf(m_blurred), 4 * width, bytesOf(m_grey), width, m_size, m_context),
                           sobelOfGrey(written(out))});
    };
    const auto nv12 = [=, this](const std::byte *in, std::byte *out) {
        return firstError(
            {nv12ToRgb(read(in), bytesOf(m_colours)),
             m_npp.gaussTapsRgb(bytesOf(m_colours), 3 * width, m_size, {0, 0}, bytesOf(m_blurred), 3 * width, m_size, 5,
                                reinterpret_cast<const float *>(m_taps5->device()), npp::Replicate, m_context),
             m_npp.rgbToGrey(bytesOf(m_blurred), 3 * width, bytesOf(m_grey), width, m_size, m_context),
             sobelOfGrey(written(out))});
    };
    const std::string sobel = "GradientVectorSobelBorder_8u16s_C1R, Convert_16s8u_C1R, Dup_8u_C1C4R";
    return {
        {PixelFormat::Rgba8,
         {Gaussian5, Sobel},
         "FilterGaussAdvancedBorder_8u_C4R, RGBToGray_8u_AC4C1R, " + sobel,
         "spreads grey over alpha too, other border",
         kRgba,
         4,
         rgba},
        {PixelFormat::Nv12,
         {Gaussian5, Sobel},
         "NV12ToRGB_8u_P2C3R, FilterGaussAdvancedBorder_8u_C3R, RGBToGray_8u_C3C1R, " + sobel,
         "3 bytes a pixel between, spreads grey over alpha too, other border",
         kRgba,
         24,
         nv12},
    };
}

std::vector<NppCase> NppFilters::cases() const
{
    std::vector<NppCase> all;
    for (const std::vector<NppCase> &some : {conversions(), yuvConversions(), blurs(), pointFilters(), chains()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

} // namespace jetscope
