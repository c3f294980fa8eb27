// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/sourceuri.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// The largest side of a synthetic picture.
inline constexpr int kMaxSyntheticSide = 8192;

/// The options of a source's URI; missing ones are empty or the default.
struct SourceOptions {
    int width = 1280;
    int height = 720;
    PixelFormat format = PixelFormat::Nv12; ///< The format of most real cameras.
    std::optional<double> fps;
    std::optional<Pacing> pacing;
    std::uint64_t frames = 0; ///< 0: no limit.
    bool loop = false;
    std::uint64_t preload = 0;  ///< Pictures to decode before the first frame; 0: each is decoded when it is read.
    bool throughStream = false; ///< `via=eglstream`
    std::optional<std::chrono::nanoseconds> phase; ///< Of the frames, in their period; empty: they begin when opened.
};

/// Reads the options of `uri`; only the keys in `allowed` are accepted.
Result<SourceOptions> readSourceOptions(const SourceUri &uri, const std::vector<std::string_view> &allowed);

/// "1280x720", each side from 1 to kMaxSyntheticSide.
std::optional<std::pair<int, int>> readPictureSize(std::string_view text);
/// Frames per second, from 0.1 to 1000.
std::optional<double> readPictureRate(std::string_view text);

/// What a generator of pictures says of itself: "Synthetic test card · 1280×720 NV12 · 60 fps". Paced, it acts as a
/// live camera, at 60 frames/s unless the options say otherwise; else every frame waits for its reader.
SourceInfo generatorInfo(std::string_view name, const SourceUri &uri, const SourceOptions &options, Pacing pacing);

/// "1280×720 NV12".
std::string pictureText(const ImageLayout &layout);

/// "59.94", "60": a rate for messages, without trailing zeros.
std::string rateText(double fps);

} // namespace jetscope
