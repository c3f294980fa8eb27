// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelinelayout.h"

#include <optional>
#include <string_view>

namespace jetscope {

/// The span before (-1) or after (+1) another one on its track.
std::optional<SpanPlace> neighbourOf(const Trace &trace, const SpanPlace &span, int direction);

/// The span nearest to a time on a track; nullopt if the track is empty.
std::optional<SpanPlace> nearestSpan(const Trace &trace, std::size_t track, std::int64_t ns);

/// The span that starts at a time. Of several, prefers one with the name on the lane, then one with the name.
std::optional<SpanPlace> spanBeginning(const Trace &trace, std::int64_t startNs, std::string_view lane,
                                       std::string_view name);

/// The nearest span on the next visible track above (-1) or below (+1) that has spans.
std::optional<SpanPlace> spanBeyond(const Trace &trace, const TimelineLayout &layout, const SpanPlace &span,
                                    int direction);

/// From the first to the last span of the newest frame that has any; nullopt without one.
std::optional<Interval> newestFrameTime(const Trace &trace);

/// Start of keyboard navigation without a selection: the span nearest to the middle of a window on the topmost track.
std::optional<SpanPlace> firstChoice(const Trace &trace, const TimelineLayout &layout, Interval window);

} // namespace jetscope
