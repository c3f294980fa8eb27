// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeevents.h"
#include "core/figures/framefigures.h"

#include <cstdint>
#include <optional>

namespace jetscope {

/// Reads the figures of a frame from an event of Jetscope's own Chrome traces; empty if they are invalid.
std::optional<FrameFigures> figuresOfEvent(const ChromeEvent &event, std::int64_t startNs);

} // namespace jetscope
