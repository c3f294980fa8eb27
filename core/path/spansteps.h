// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/toptable.h"

#include <optional>

namespace jetscope {

/// The span before (-1) or after (+1) another one on its track.
std::optional<SpanPlace> spanBeside(const Trace &trace, const SpanPlace &span, int direction);

/// The next (+1) or previous (-1) span of the same name on any lane that is longer than this one. Reads the spans up to
/// it.
std::optional<SpanPlace> longerSpan(const Trace &trace, const SpanPlace &span, int direction);

/// The span of a row of the table that begins next after (+1) or before (-1) another time, and at the end the one at
/// the other end again; without a time, the first or last. As nextOfRow.
std::optional<SpanPlace> stepOfRow(const Trace &trace, const TopTable &table, std::uint32_t row,
                                   std::optional<std::int64_t> fromNs, int direction);

} // namespace jetscope
