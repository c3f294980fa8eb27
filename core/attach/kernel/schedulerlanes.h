// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace jetscope {

/// The frame of a time; kNoFrame between frames.
using SchedulerFrameAt = std::function<std::uint32_t(std::int64_t ns)>;
/// A new lane that is drawn and never counted, with this name and detail; none if there are too many.
using SchedulerNewLane = std::function<std::optional<LaneId>(std::string name, std::string detail)>;

} // namespace jetscope
