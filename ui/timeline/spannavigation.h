// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelinelayout.h"

#include <optional>
#include <string_view>

namespace jetscope {

/// The span before (-1) or behind (+1) another one on its track.
std::optional<SpanPlace> neighbourOf(const Trace &trace, const SpanPlace &span, int direction);

/// The span nearest to a time on a track; none when it has none.
std::optional<SpanPlace> nearestSpan(const Trace &trace, std::size_t track, std::int64_t ns);

/// The span that begins at a moment: of several the one with that name on that lane, then with that name; else any.
std::optional<SpanPlace> spanBeginning(const Trace &trace, std::int64_t startNs, std::string_view lane,
                                       std::string_view name);

/// The nearest span on the next track above (-1) or below (+1) that is shown and has one.
std::optional<SpanPlace> spanBeyond(const Trace &trace, const TimelineLayout &layout, const SpanPlace &span,
                                    int direction);

/// Where keys begin when nothing is selected: the span nearest to the middle of a window on the topmost track.
std::optional<SpanPlace> firstChoice(const Trace &trace, const TimelineLayout &layout, Interval window);

} // namespace jetscope
