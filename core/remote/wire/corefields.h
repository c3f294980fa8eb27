// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/tracecost.h"
#include "core/imagelayout.h"
#include "core/platform/platformfacts.h"
#include "core/remote/wire/wire.h"
#include "core/result.h"
#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"
#include "core/stream/traceupdate.h"

#include <cstddef>

namespace jetscope {

// The fields of core's types, each listed once for both ways. Parts of these types are listed in the source.

void fields(Wire &wire, Error &error);
void fields(Wire &wire, Capability &capability);
void fields(Wire &wire, PipelineConfig &config);
void fields(Wire &wire, DeviceFacts &facts);
void fields(Wire &wire, ImageLayout &layout);
void fields(Wire &wire, TraceCost &cost);
void fields(Wire &wire, HazardAccess &access);
void fields(Wire &wire, SpanName &name);
void fields(Wire &wire, Span &span);
void fields(Wire &wire, LaneInfo &lane);
void fields(Wire &wire, CounterInfo &counter);
void fields(Wire &wire, Overlap &overlap);
void fields(Wire &wire, FrameAmounts &amounts);
void fields(Wire &wire, FrameFigures &figures);
void fields(Wire &wire, FrameNumber &number);
void fields(Wire &wire, PathPiece &piece);
void fields(Wire &wire, LostFrames &lost);
void fields(Wire &wire, LossCounts &counts);
void fields(Wire &wire, TraceMark &mark);
void fields(Wire &wire, TraceUpdate &update);
void fields(Wire &wire, PlatformFacts &platform);
void fields(Wire &wire, BoardIdentity &board);

/// Why a value is unknown is a sentence: a longer one would be shown all the same.
inline constexpr std::size_t kMostReasonBytes = 4096;

template <class T>
void fields(Wire &w, Reading<T> &r)
{
    w(r.value, r.reason);
    if (r.reason.size() > kMostReasonBytes)
        w.fail();
}

} // namespace jetscope
