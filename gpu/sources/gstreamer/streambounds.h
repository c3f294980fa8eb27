// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

typedef struct _GstElement GstElement;

namespace jetscope {

/// More than any camera's frame needs, and small enough to hold a few of them.
inline constexpr std::uint64_t kMostEncodedFrameBytes = 64 << 20;

/// Data from the network may have any size. After this call, a stream with an encoded frame larger than
/// kMostEncodedFrameBytes ends with an error on the pipeline's bus. The size is the input of a frame-assembling element
/// since its last output. Call before the pipeline starts.
void boundEncodedFrames(GstElement *pipeline);

/// Pictures larger than kMaxImageSide cause an error before memory is allocated for them. `sink` receives the pictures.
/// Call before the pipeline starts.
void boundPictures(GstElement *sink);

} // namespace jetscope
