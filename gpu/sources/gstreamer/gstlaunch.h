// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <optional>
#include <string>

typedef struct _GstElement GstElement;

namespace jetscope {

/// What a pipeline's text describes, not started; the caller's. Its own clock is CLOCK_MONOTONIC.
Result<GstElement *> launchPipeline(const std::string &text);

/// What the pipeline's elements have reported, in GStreamer's words; none while nothing is wrong. The code is
/// kStreamEnded at the end of the stream.
std::optional<Error> failureOf(GstElement *pipeline);
inline constexpr long kStreamEnded = -1;

/// Whether GStreamer has an element of this name.
bool hasElement(const char *name);

} // namespace jetscope
