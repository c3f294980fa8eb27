// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// How a stream's colours are coded. Every word is empty when it is not known.
struct StreamColor {
    std::string matrix;   ///< "BT.601", "BT.709", "BT.2020"
    std::string range;    ///< "limited" or "full"
    std::string transfer; ///< "BT.709", "sRGB", "PQ", "HLG"
    bool assumed = false; ///< The stream does not say; these are what its kind usually has.

    friend bool operator==(const StreamColor &, const StreamColor &) = default;
};

/// What is known of the stream of a source: what it claims of itself, what its frames show, and how it is decoded.
/// What is not known is empty or 0. The frames that a source delivers have `SourceInfo::layout`, with rotation and
/// sample aspect applied as these facts say.
struct StreamFacts {
    std::string container; ///< "Matroska", "RTSP", "HTTP"; empty for cameras and generators.
    std::string codec;     ///< "H.264", "MJPEG", "raw YUYV"
    int width = 0;         ///< As coded: before rotation and sample aspect.
    int height = 0;
    double claimedFps = 0;         ///< What the header or the driver says.
    double measuredFps = 0;        ///< 1 / median difference of the frames' time stamps, or of their arrivals.
    bool isRatedByArrival = false; ///< The measured rate is that of the arrivals.
    bool isRateAssumed = false;    ///< The claimed rate is the reader's own: the stream has no time stamps and no rate.
    StreamColor color;
    int rotation = 0;          ///< Clockwise, in degrees, as applied to the frames: 0, 90, 180 or 270.
    bool mirrored = false;     ///< Applied after the rotation.
    double sampleAspect = 1;   ///< Width of a sample divided by its height; frames keep their samples.
    std::string fieldOrder;    ///< "progressive", "top field first", "bottom field first", "alternating fields"
    std::string decoder;       ///< The element or library: "avdec_h264".
    std::string decoderKind;   ///< "hardware" or "software"
    std::string stamps;        ///< Which clock and moment they are of, as far as it was found out.
    std::string decoderReason; ///< Why this decoder: "the only one for H.265 on this machine".

    friend bool operator==(const StreamFacts &, const StreamFacts &) = default;
};

StreamColor streamColorOf(YuvColour colour);

/// What is known of frames that nobody encoded: "raw NV12" of this size, with its colours.
StreamFacts rawStreamFacts(const ImageLayout &layout, double claimedFps);

/// One fact in words: "rate" and "15.0 fps by its time stamps (its header says 1000)".
struct StreamFactRow {
    std::string key;   ///< Of JSON: "rate".
    std::string label; ///< For people: "Rate".
    std::string text;
};
/// The known facts in words, in the order in which they are shown everywhere.
std::vector<StreamFactRow> streamFactRows(const StreamFacts &facts);
/// All of them in one line: "codec H.264; coded size 1280×720; rate 30 fps claimed"; empty if none is known.
std::string streamFactsText(const StreamFacts &facts);

/// Faults of a source since it was opened; all counts are frames, except `gaps`.
struct SourceFaults {
    std::uint64_t missed = 0;    ///< Frames that the camera numbered but did not deliver.
    std::uint64_t damaged = 0;   ///< Empty or undecodable frames; none of them was delivered.
    std::uint64_t torn = 0;      ///< Frames that are a part of a picture, or parts of two; none of them was delivered.
    std::uint64_t repeated = 0;  ///< Delivered frames that the source marked or stamped as the one before.
    std::uint64_t oddStamps = 0; ///< Frames with an implausible time stamp, which was replaced by the arrival time.
    std::uint64_t gaps = 0;      ///< How often the source was disconnected and came back.

    friend bool operator==(const SourceFaults &, const SourceFaults &) = default;
};

/// The faults since an earlier count.
SourceFaults operator-(const SourceFaults &to, const SourceFaults &from);

/// "3 frames missed, 1 frame torn, away 2 times"; empty if there is none.
std::string sourceFaultsText(const SourceFaults &faults);

} // namespace jetscope
