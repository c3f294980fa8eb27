// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

namespace jetscope::testing {

/// A small video, and what its container is to say of it. The picture has four quarters of grey; frame `i` is as much
/// brighter.
struct Clip {
    std::string path; ///< Its ending chooses the container.
    AVCodecID codec = AV_CODEC_ID_MPEG4;
    int width = 64;
    int height = 48;
    int frames = 24;
    AVRational timeBase{1, 25};
    std::vector<std::int64_t> stamps{}; ///< In the order of display, in units of `timeBase`; else 0, 1, 2…
    AVRational statedRate{0, 1};
    int bFrames = 0;
    std::array<int, 3> yuv{-1, 128, 128}; ///< One colour for all of it; -1 for the quarters.
    AVColorSpace matrix = AVCOL_SPC_UNSPECIFIED;
    AVColorRange range = AVCOL_RANGE_UNSPECIFIED;
    AVColorTransferCharacteristic transfer = AVCOL_TRC_UNSPECIFIED;
    AVRational sampleAspect{0, 1};
    AVFieldOrder fieldOrder = AV_FIELD_UNKNOWN;
    bool indexInFront = false; ///< MP4: the moov atom before the data.
};

/// The luma of the quarters of frame 0: top left, top right, bottom left, bottom right.
inline constexpr std::array<int, 4> kQuarters{200, 150, 100, 50};
/// How much brighter each frame is than the one before.
inline constexpr int kFrameStep = 1;

/// Ends the test program if it cannot be written.
void writeClip(const Clip &clip);

} // namespace jetscope::testing
