// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

typedef struct _GstElement GstElement;

namespace jetscope {

/// More than any camera's frame needs, and little enough to hold a few of them.
inline constexpr std::uint64_t kMostEncodedFrameBytes = 64 << 20;

/// What comes from the network may say anything about its size. From now on a stream whose encoded frame grows beyond
/// kMostEncodedFrameBytes ends with an error on the pipeline's bus. Counted is what an element that puts frames
/// together has taken in since it last gave something out. Before the pipeline is started.
void boundEncodedFrames(GstElement *pipeline);

/// Pictures larger than kMaxImageSide end with an error before memory is asked for. `sink` is where they arrive; before
/// the pipeline is started.
void boundPictures(GstElement *sink);

} // namespace jetscope
