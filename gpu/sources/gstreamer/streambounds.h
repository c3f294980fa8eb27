// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

typedef struct _GstElement GstElement;

namespace jetscope {

/// More than any camera's frame needs, and small enough to hold a few of them.
inline constexpr std::uint64_t kMaxEncodedFrameBytes = 64 << 20;

/// Data from the network may have any size. After this call, a stream with an encoded frame larger than
/// kMaxEncodedFrameBytes ends with an error on the pipeline's bus. The size is the input of a frame-assembling element
/// since its last output. Call before the pipeline starts.
void boundEncodedFrames(GstElement *pipeline);

/// Pictures that wait in a pipeline, in the source's reader and in the frames of Jetscope at once.
inline constexpr std::uint64_t kPicturesAtOnce = 8;
/// Why pictures of so many bytes are refused on a machine with so much memory left; empty if they fit.
std::string tooLargeForMemory(std::uint64_t pictureBytes, std::uint64_t availableBytes);

/// Pictures larger than kMaxImageSide, or of which kPicturesAtOnce do not fit into the memory that is left, cause an
/// error before memory is allocated for them. `sink` receives the pictures. Call before the pipeline starts.
void boundPictures(GstElement *sink);

} // namespace jetscope
