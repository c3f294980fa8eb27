// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"

#include <functional>
#include <memory>
#include <string>

namespace jetscope {

/// What a source says of itself, and what some of its frames show.
struct StreamReport {
    std::string uri;
    std::string description;
    std::string error; ///< Why it delivers nothing; empty if it does.
    std::uint64_t frames = 0;
    SourceState state;
};

using SourceOpener = std::function<Result<std::unique_ptr<FrameSource>>(const std::string &uri)>;

/// Opens a source at its own rate and reads some frames, for a few seconds at most.
StreamReport examineStream(const std::string &uri, const SourceOpener &open);

} // namespace jetscope
