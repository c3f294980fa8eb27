// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

/// No capture is larger, whatever a board says.
inline constexpr std::uint64_t kMostCaptureBytes = std::uint64_t{1} << 44;

/// Whether a text is the name of a capture in a folder, and no path to anywhere else: each end asks this of every name
/// that comes from the other.
bool isCaptureName(std::string_view name);

/// What is said of a name that no capture on a board has.
Error noSuchCapture(std::string_view name);

/// The name for a recording of a source that begins now: "2026-11-27_19-31-05_synthetic.jscope".
std::string captureNameFor(std::string_view source);

} // namespace jetscope
