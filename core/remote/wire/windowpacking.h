// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/windowpicture.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

/// Tracks, counters, sums and pieces of a picture in about a byte and a half a column. Bars and pieces are exact. Of a
/// column the share of its time is kept, in 63 steps, and the name of its longest span; of a counter's column 4095
/// steps between its extremes. A picture of 8 bits a color differs by at most 3 of its 255 levels.
std::vector<std::byte> packColumns(const WindowPicture &picture);

/// What was packed, into a picture of the window that was asked for. The bytes may be anything: false if they are no
/// such columns. All times are then those of a trace, and columns have no counts and longest times.
bool unpackColumns(std::span<const std::byte> bytes, const WindowWish &wish, WindowPicture &picture);

/// What is left of a column after it was packed, for comparison.
TraceColumn roundedColumn(const TraceColumn &column, double nsPerColumn);

} // namespace jetscope
