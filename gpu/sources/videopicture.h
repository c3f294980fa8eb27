// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/sources/ffmpegtypes.h"
#include "gpu/sources/streamfacts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// How decoded pictures are turned to be shown: by a multiple of 90° clockwise, then mirrored left to right.
struct Turn {
    int clockwise = 0;
    bool mirrored = false;
    bool exact = true; ///< The file asks for exactly this.

    bool isNone() const { return clockwise == 0 && !mirrored; }
    bool swapsSides() const { return clockwise == 90 || clockwise == 270; }
};

/// The nearest turn to a display matrix: its first two rows of two, as in AV_PKT_DATA_DISPLAYMATRIX.
Turn turnOf(const std::array<std::int32_t, 4> &matrix);

/// Colours of a decoded frame; what it does not say is taken from its size and codec as players do.
StreamColor colorOf(const AVFrame &frame);

/// Writes decoded frames as rows of BGR, with the colours that they have. One thread.
class VideoPicture {
public:
    explicit VideoPicture(Turn turn) : m_turn(turn) {}

    /// `layout` has the frame's size after the turn.
    Status write(const AVFrame &frame, const ImageLayout &layout, std::byte *into);

private:
    Status prepare(const AVFrame &frame, AVPixelFormat format, bool full);

    const Turn m_turn;
    ffmpeg::Scaler m_scaler;
    int m_width = 0;
    int m_height = 0;
    int m_format = -1;
    int m_matrix = -1;
    bool m_full = false;
    std::vector<std::uint8_t> m_rows; ///< Where swscale may write behind the end of a row.
};

} // namespace jetscope
