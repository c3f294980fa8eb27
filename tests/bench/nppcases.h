// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/settings/choices.h"
#include "gpu/device/device.h"
#include "tests/bench/npp.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// The positions of red, green and blue in a pixel that NPP wrote.
struct PixelOrder {
    std::size_t bytes;
    std::array<std::size_t, 3> rgb;
};

/// A filter chain, and the NPP calls with the most similar result.
struct NppCase {
    PixelFormat format;
    std::vector<Filter> filters;
    std::string calls;      ///< NPP's calls in order, without prefix and suffix.
    std::string difference; ///< What NPP does differently; empty if nothing.
    PixelOrder order;
    double tolerance; ///< Maximum mean difference of the pictures, in 255ths, that such differences explain.
    std::function<int(const std::byte *input, std::byte *output)> run; ///< Returns the first error, as an NppStatus.
};

/// Border pixels that are not compared: NPP repeats the last pixel there, or leaves them out.
inline constexpr int kNppMargin = 9;

/// NPP's calls on pictures of one size, with the buffers between them.
class NppFilters {
public:
    NppFilters(Device &device, Stream &stream, int width, int height, npp::Functions functions,
               const npp::StreamContext &context);

    std::vector<NppCase> cases() const;

private:
    using Byte = npp::Byte;

    std::vector<NppCase> conversions() const;
    std::vector<NppCase> yuvConversions() const;
    std::vector<NppCase> blurs() const;
    std::vector<NppCase> pointFilters() const;
    std::vector<NppCase> chains() const;

    int gaussInside(const Byte *from, Byte *to, npp::MaskSize mask, int radius) const;
    int gaussTaps(const Byte *from, Byte *to, const Buffer &taps) const;
    int sobelOfGrey(Byte *to) const;
    std::array<const Byte *, 2> planesOf(const Byte *nv12) const;
    int nv12ToRgb(const Byte *from, Byte *to) const;
    std::unique_ptr<Buffer> uploaded(Device &device, Stream &stream, const void *values, std::size_t bytes) const;

    const npp::Functions m_npp;
    const npp::StreamContext m_context;
    const npp::Size m_size;
    const std::unique_ptr<Buffer> m_colours; ///< RGBA8 or RGB8.
    const std::unique_ptr<Buffer> m_blurred;
    const std::unique_ptr<Buffer> m_grey;
    const std::unique_ptr<Buffer> m_edges;
    const std::unique_ptr<Buffer> m_magnitude; ///< 16 bits.
    std::unique_ptr<Buffer> m_taps5;
    std::unique_ptr<Buffer> m_taps15;
    std::unique_ptr<Buffer> m_cross; ///< The sharpening kernel.
};

} // namespace jetscope
