// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace jetscope {

namespace arithmetic {
struct YuvWeights;
}

/// Makes one row of a step from the 2r + 1 rows of the step before that lie around it, reflected at the border by the
/// caller. Width is pixels, rows are RGBA8 unless named otherwise and need neither padding nor alignment; nothing may
/// be written beyond a row's end. `scratch` holds rowScratchElements() of numbers left over from other rows.
using RowLoop = void (*)(const std::uint8_t *const *rows, std::uint8_t *out, int width, std::uint16_t *scratch);

/// The row loops of all filters, compiled once per instruction set from rowloops.h, with the meaning of RowLoop's
/// parameters.
struct RowKernels {
    void (*fromBgr)(const std::uint8_t *bgr, std::uint8_t *out, int width);
    void (*fromGrey)(const std::uint8_t *grey, std::uint8_t *out, int width);
    void (*fromRgb)(const std::uint8_t *rgb, std::uint8_t *out, int width);
    void (*fromNv12)(const std::uint8_t *y, const std::uint8_t *uv, const arithmetic::YuvWeights &weights,
                     std::uint8_t *out, int width);
    void (*fromPlanes)(const std::uint8_t *y, const std::uint8_t *u, const std::uint8_t *v,
                       const arithmetic::YuvWeights &weights, std::uint8_t *out, int width);
    void (*fromYuyv)(const std::uint8_t *yuyv, const arithmetic::YuvWeights &weights, std::uint8_t *out, int width);
    void (*fromUyvy)(const std::uint8_t *uyvy, const arithmetic::YuvWeights &weights, std::uint8_t *out, int width);

    RowLoop gaussian5;
    RowLoop gaussian15;
    RowLoop sharpen;
    RowLoop threshold;
    RowLoop invert;
    RowLoop luma;  ///< Makes rows of grey.
    RowLoop sobel; ///< Reads rows of grey.

    void (*halfGrey)(const std::uint8_t *top, const std::uint8_t *bottom, std::uint8_t *grey, int width,
                     std::uint16_t *scratch);
};

/// 16-bit elements that the loops need beside the rows: two padded rows of all channels.
constexpr std::size_t rowScratchElements(int width)
{
    return 2 * 4 * (static_cast<std::size_t>(width) + 2 * 16);
}

struct InstructionSet {
    const char *name;
    const RowKernels *kernels;
};

/// What this CPU can execute, the best first; never empty.
std::span<const InstructionSet> instructionSets();

} // namespace jetscope
