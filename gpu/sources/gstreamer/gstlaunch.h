// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <optional>
#include <string>

typedef struct _GstElement GstElement;

namespace jetscope {

/// Creates the pipeline that the text describes, without starting it; the caller owns it. Its clock is CLOCK_MONOTONIC.
Result<GstElement *> launchPipeline(const std::string &text);

/// The error that the pipeline's elements have reported, in GStreamer's words; none if there is no error. The code is
/// kStreamEnded at the end of the stream.
std::optional<Error> failureOf(GstElement *pipeline);
inline constexpr long kStreamEnded = -1;

/// Whether GStreamer has an element of this name.
bool hasElement(const char *name);

} // namespace jetscope
