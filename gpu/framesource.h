// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

struct SourceInfo {
    std::string uri;
    std::string description; ///< "Synthetic test card · 1280×720 NV12 · 60 fps"
    ImageLayout layout;      ///< Of every frame; it does not change while the source is open.
    double fps = 0;          ///< Nominal rate; 0 when unknown.
    bool live = false;       ///< A live source drops the oldest frame when we are late, others never drop.
};

/// What `read` says of the frame it delivered.
struct CapturedFrame {
    std::uint64_t index = 0;     ///< Counts from 0 in the source; a gap is a drop by the source.
    std::int64_t captureNs = 0;  ///< CLOCK_MONOTONIC stamp of the capture.
};

/// A camera, a file or a generator. Only the capture thread reads; `cancel` may come from any thread.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    virtual const SourceInfo &info() const = 0;

    /// Fills `into` (info().layout, memory of any kind that the CPU may write) with the next frame, waiting for
    /// it when the source has a rate. None at the end of the source or after `cancel`. Records its own spans on the calling
    /// thread's lane: what it does as Category::Capture, waiting for the frame as Category::WaitInput.
    virtual Result<std::optional<CapturedFrame>> read(std::byte *into) = 0;

    /// Makes a waiting and every later `read` return none.
    virtual void cancel() = 0;
};

/// Whether a source that has a rate of its own is read at that rate. `rate=real` or `rate=max` in the URI wins.
enum class Pacing { Real, Unpaced };

/// Whether the URI is well formed and of a kind that this build has; opens nothing. An error here is
/// wrong usage, one of `openSource` behind it a failure.
Status checkSourceUri(std::string_view uri);

/// Opens a source by its URI (`synthetic:?size=1280x720&fps=60`, `file:PATH`, …; a bare path is a file). The error is one sentence
/// that says what is wrong with the URI or the file and what to do.
Result<std::unique_ptr<FrameSource>> openSource(std::string_view uri, Pacing pacing);

} // namespace jetscope
