// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"
#include "gpu/sources/externalbuffer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

struct SourceInfo {
    std::string uri;
    std::string description;    ///< "Synthetic test card · 1280×720 NV12 · 60 fps"
    ImageLayout layout;         ///< Of every frame; it does not change while the source is open.
    double fps = 0;             ///< Nominal rate; 0 when unknown.
    bool live = false;          ///< A live source drops the oldest frame when we are late, others never drop.
    bool throughStream = false; ///< On the device, frames go through an EGLStream on their way to the filters: a
                                ///< stand-in for a camera there.
    double pacedFps = 0;        ///< The rate at which the source holds its reader back by itself; 0 where it does not.
};

/// A time in which a source delivered nothing because it was away, and came back.
struct SourceGap {
    std::int64_t fromNs = 0;  ///< When it was found to be away.
    std::int64_t untilNs = 0; ///< When the first frame after that was there.
    std::string reason;       ///< "Webcam was unplugged"
};

/// What `read` says of the frame it delivered.
struct CapturedFrame {
    std::uint64_t index = 0;       ///< Counts from 0 in the source; a gap is a drop by the source.
    std::int64_t captureNs = 0;    ///< CLOCK_MONOTONIC stamp of the capture.
    std::vector<SourceGap> gaps{}; ///< Before this frame. Hardly any frame has one.
};

/// A frame that a source has put into one of the buffers it was lent.
struct QueuedFrame {
    CapturedFrame captured;
    std::byte *memory = nullptr;
};

/// A frame in one of the source's own buffers, which a device reads where it lies.
struct ExternalFrame {
    CapturedFrame captured;
    std::shared_ptr<ExternalBuffer> surface; ///< Null where the frame was presented to an EGLStream.
    /// Given up once the device has read the frame: then the buffer is the source's again. Any thread.
    std::shared_ptr<void> hold;
};

/// What went wrong in a source since it was opened, in frames but for the last.
struct SourceFaults {
    std::uint64_t missed = 0;    ///< Made by the camera, as its own numbers say, and never there.
    std::uint64_t damaged = 0;   ///< Torn, short or not to be decoded; none of them was delivered.
    std::uint64_t oddStamps = 0; ///< Dated by their arrival, since their time stamp could not be right.
    std::uint64_t gaps = 0;      ///< Times that the source was away and came back.
};

/// What a source says of itself while it runs.
struct SourceState {
    /// Each copy that a frame takes between the memory that camera or decoder fill and the memory that `read` fills, in
    /// words.
    std::vector<std::string> copies;
    std::vector<std::string> surfaceCopies; ///< The same up to the buffer that `readExternal` hands in.
    std::string trouble; ///< Why no frames come just now, and what is being done about it; empty when they come.
    std::string remark;  ///< Something odd that does not keep frames from coming; empty when there is nothing.
    SourceFaults faults;
};

/// A camera, a file or a generator. Only the capture thread reads; `cancel` may come from any thread.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    virtual const SourceInfo &info() const = 0;

    /// Fills `into` (info().layout, memory of any kind that the CPU may write) with the next frame, waiting for
    /// it when the source has a rate. None at the end of the source or after `cancel`. Records its own spans on the
    /// calling thread's lane: what it does as Category::Capture, waiting for the frame as Category::WaitInput.
    virtual Result<std::optional<CapturedFrame>> read(std::byte *into) = 0;

    /// Makes a waiting and every later `read` return none.
    virtual void cancel() = 0;

    /// Any thread.
    virtual SourceState state() const { return {}; }

    // A source that can let frames land in the reader's memory without a copy wants to be lent buffers (info().layout,
    // page-aligned); then `readLent` takes the place of `read`. Capture thread.

    /// How many buffers the source wants to hold at a time; 0 when it is to be read by `read`. A source whose camera
    /// refuses what it was lent goes back to 0.
    virtual std::size_t buffersWanted() const { return 0; }
    /// The source's until a frame comes in it, or all are recalled.
    virtual Status queue(std::byte *buffer)
    {
        static_cast<void>(buffer);
        return Error{"queue", 0, "this source takes no buffers"};
    }
    /// As `read`, into one of the buffers.
    virtual Result<std::optional<QueuedFrame>> readLent() { return std::optional<QueuedFrame>(); }
    /// From its return on nothing is written into any buffer that was lent.
    virtual void flush() {}

    // A source whose frames lie where devices reach them hands its own buffers in: memory kind nvbuf.

    /// How its buffers' images show a frame, or why it has no such buffers. Does not change while the source is open.
    /// Any thread.
    virtual Result<ExternalBufferView> surfaces() const
    {
        return Error{
            "--memory", 0,
            "this source's frames lie in the CPU's memory: take another memory kind, or a camera that hands its "
            "own buffers in"};
    }
    /// Before the first frame: has one of its buffers, with these bytes in it, tried, where it can; from a failure on
    /// `surfaces` says why.
    virtual void tryExternalBuffers(const std::function<Status(ExternalBuffer &, const std::byte *bytes)> &trial)
    {
        static_cast<void>(trial);
    }
    /// As `read`, but leaves the frame where it lies. Capture thread; may come in turns with `read`, when the user
    /// switches.
    virtual Result<std::optional<ExternalFrame>> readExternal() { return std::optional<ExternalFrame>(); }
    /// ExternalBufferView::Stream: frames that `readExternal` tells of go into this stream (a native EGLDisplay and
    /// EGLStreamKHR), whose consumer is connected, in place of the one before; null for none. From its return on
    /// nothing uses the one before. Capture thread.
    virtual Status presentTo(void *display, void *stream)
    {
        static_cast<void>(display);
        static_cast<void>(stream);
        return {};
    }
};

/// Whether a source that has a rate of its own is read at that rate. `rate=real` or `rate=max` in the URI wins.
enum class Pacing { Real, Unpaced };

/// Whether the URI is well formed and of a kind that this build has; opens nothing. An error here is
/// wrong usage, one of `openSource` behind it a failure.
Status checkSourceUri(std::string_view uri);

/// Whether it is a pipeline in the user's own words (gst:), which may do more than show pictures: write files, send
/// somewhere. Nobody runs it unasked.
bool isOwnPipeline(std::string_view uri);

/// Opens a source by its URI (`synthetic:?size=1280x720&fps=60`, `file:PATH`, …; a bare path is a file). The error is
/// one sentence that says what is wrong with the URI or the file and what to do.
Result<std::unique_ptr<FrameSource>> openSource(std::string_view uri, Pacing pacing);

} // namespace jetscope
