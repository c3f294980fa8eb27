// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeevents.h"
#include "core/figures/framemetricsbuilder.h"

#include <cstdint>
#include <optional>

namespace jetscope {

/// The figures of a frame as our own Chrome traces hold them in the arguments of an event; none when they are wrong.
std::optional<FrameFigures> figuresOfEvent(const ChromeEvent &event, std::int64_t startNs);

} // namespace jetscope
