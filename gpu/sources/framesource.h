// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/recording/lostframes.h"
#include "core/recording/sourcestamp.h"
#include "core/result.h"
#include "gpu/sources/externalbuffer.h"
#include "gpu/sources/streamfacts.h"

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
    std::string description; ///< "Synthetic test card · 1280×720 NV12 · 60 fps"
    ImageLayout layout;      ///< The layout of every frame; constant while the source is open.
    double fps = 0;          ///< Nominal rate; 0 when unknown.
    bool live = false; ///< A live source drops the oldest frame when the reader is late; other sources never drop.
    bool throughStream = false; ///< On the device, frames pass through an EGLStream before the filters; stands in for a
                                ///< camera that uses one.
    double pacedFps = 0;        ///< The rate to which the source itself limits its reader; 0 for no limit.
};

/// A period in which a source was disconnected and delivered nothing.
struct SourceGap {
    std::int64_t fromNs = 0;  ///< When the last good frame before it arrived.
    std::int64_t untilNs = 0; ///< When the first frame after it arrived.
    std::string reason;       ///< "Webcam was unplugged"
};

/// Data about a frame that `read` delivered.
struct CapturedFrame {
    std::uint64_t index = 0;       ///< Counts from 0 in the source; a gap means that the source dropped frames.
    std::int64_t captureNs = 0;    ///< CLOCK_MONOTONIC time of the capture.
    std::vector<SourceGap> gaps{}; ///< The gaps before this frame; usually empty.
    /// What the source knows of numbers that are missing before this frame, in their order; usually empty.
    std::vector<LostFrames> lost{};
    SourceStamp stamp{};
};

/// A frame that a source wrote into one of its queued buffers.
struct QueuedFrame {
    CapturedFrame captured;
    std::byte *memory = nullptr;
};

/// A frame in one of the source's own buffers, which a device reads in place.
struct ExternalFrame {
    CapturedFrame captured;
    std::shared_ptr<ExternalBuffer> buffer; ///< Null if the frame was presented to an EGLStream.
    /// Release it once the device has read the frame; the source may then reuse the buffer. Any thread.
    std::shared_ptr<void> hold;
};

/// The state that a running source reports.
struct SourceState {
    /// Describes each copy of a frame between the memory that the camera or decoder fills and the memory that `read`
    /// fills.
    std::vector<std::string> copies;
    std::vector<std::string> externalCopies; ///< The same up to the buffer that `readExternal` returns.
    std::string trouble; ///< Why no frames arrive, and what the source does about it; empty if frames arrive.
    std::string remark;  ///< A problem that does not stop the frames; empty if there is none.
    SourceFaults faults;
    StreamFacts facts; ///< Grows while frames arrive: the measured rate needs some of them.
};

class CameraLog;
class Tracer;

/// One of the sources that are open at once.
struct OpenCamera {
    std::shared_ptr<const CameraLog> log;
    std::string description;
    std::string trouble; ///< Why no frames arrive, or why it ended; empty if neither is so.
    bool drives = false; ///< The pipeline.
};

/// A camera, a file or a generator. Only the capture thread reads; any thread may call `cancel`.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    virtual const SourceInfo &info() const = 0;

    /// Fills `into` (info().layout, any memory that the CPU may write) with the next frame; waits for it if the source
    /// has a rate. None at the end of the source or after `cancel`. Records its own spans on the calling thread's lane:
    /// its work as Category::Capture, waiting for the frame as Category::WaitInput.
    virtual Result<std::optional<CapturedFrame>> read(std::byte *into) = 0;

    /// Makes a waiting `read` and every later one return none.
    virtual void cancel() = 0;

    /// Any thread.
    virtual SourceState state() const { return {}; }

    // Several sources at once.

    /// Where threads of the source's own record; it outlives the source. Before the first frame.
    virtual void recordTo(Tracer &tracer) { static_cast<void>(tracer); }
    /// The sources that are open together with this one, itself among them; none if it is the only one. Any thread.
    virtual std::vector<OpenCamera> cameras() const { return {}; }
    /// The one at this address of them, from its next frame on; null if it is another source. Takes no time.
    virtual std::unique_ptr<FrameSource> openBeside(std::string_view uri)
    {
        static_cast<void>(uri);
        return nullptr;
    }

    // Zero-copy capture: the reader queues page-aligned buffers (info().layout) to the source, and `readQueued`
    // replaces `read`. Capture thread.

    /// How many buffers the source needs at a time; 0 if it must be read by `read`. Returns to 0 if the camera refuses
    /// a queued buffer.
    virtual std::size_t buffersWanted() const { return 0; }
    /// Queues a buffer; the source owns it until `readQueued` returns it or `flush` is called.
    virtual Status queue(std::byte *buffer)
    {
        static_cast<void>(buffer);
        return Error{"queue", 0, "this source does not accept buffers"};
    }
    /// The same for buffers whose memory the source imports as a DMA-BUF: how many it needs at a time, 0 if it imports
    /// none, or has refused one.
    virtual std::size_t dmabufsWanted() const { return 0; }
    /// Queues a buffer by the file descriptor of its DMA-BUF. Between these buffers and the others lies a `flush`.
    virtual Status queueDmabuf(std::byte *buffer, int file)
    {
        static_cast<void>(buffer);
        static_cast<void>(file);
        return Error{"queue", 0, "this source imports no buffers"};
    }
    /// Like `read`, but fills one of the queued buffers.
    virtual Result<std::optional<QueuedFrame>> readQueued() { return std::optional<QueuedFrame>(); }
    /// Returns all queued buffers to the reader; after this call the source does not write into any of them.
    virtual void flush() {}

    // External buffers: the source's own buffers, which devices can access directly (memory kind nvbuf).

    /// What the EGLImages of its buffers contain, or why it has no such buffers. Constant while the source is open. Any
    /// thread.
    virtual Result<ExternalBufferView> externalBuffers() const
    {
        return Error{
            "--memory", 0,
            "this source's frames lie in the CPU's memory: take another memory kind, or a camera that hands its "
            "own buffers in"};
    }
    /// Call before the first frame: runs `trial` on one of the source's buffers that is filled with the given bytes, if
    /// possible. After a failure, `externalBuffers` returns the reason.
    virtual void tryExternalBuffers(const std::function<Status(ExternalBuffer &, const std::byte *bytes)> &trial)
    {
        static_cast<void>(trial);
    }
    /// Like `read`, but leaves the frame in the source's buffer. Capture thread; calls may alternate with `read` when
    /// the user switches.
    virtual Result<std::optional<ExternalFrame>> readExternal() { return std::optional<ExternalFrame>(); }
    /// ExternalBufferView::Stream: presents the frames that `readExternal` reports to this stream (a native EGLDisplay
    /// and EGLStreamKHR) instead of the previous one; null for none. The stream's consumer must be connected. After
    /// this call the source does not use the previous stream. Capture thread.
    virtual Status presentTo(void *display, void *stream)
    {
        static_cast<void>(display);
        static_cast<void>(stream);
        return {};
    }
};

/// Whether a source with a frame rate is read at that rate. `rate=real` or `rate=max` in the URI overrides this.
enum class Pacing { Real, Unpaced };

/// Whether the URI is well formed and its kind is supported by this build; opens nothing. An error here is wrong usage,
/// whereas a later error of `openSource` is a failure.
Status checkSourceUri(std::string_view uri);

/// A kind of source: its scheme and a well-formed URI, for checks of what this build supports.
struct SourceKind {
    std::string_view scheme;
    std::string_view example;
};
/// All kinds, including those that this build does not support.
std::vector<SourceKind> sourceKinds();

/// Whether it is a pipeline that the user wrote (gst:). It may do more than show frames, such as write files or send
/// data, so it is only run on request.
bool isOwnPipeline(std::string_view uri);

/// Whether opening the source touches nothing but this program: no file, no device, no network, no pipeline. Others are
/// opened only if the user gives the address, or has seen it and agrees.
bool opensNothing(std::string_view uri);

/// The address of the same source with frames of this size. The error says that this kind of source has no choice of
/// sizes.
Result<std::string> sourceWithSize(std::string_view uri, int width, int height);

/// The address of the same source, repeated from the start where it would end.
std::string repeatedSource(std::string_view uri);

/// The address of the same source, read at its own rate (Pacing::Real) wherever it is opened.
std::string sourceAtItsRate(std::string_view uri);

/// Whether frames come at a rate of the source's own wherever it is opened: a camera, a stream, or `rate=real`.
bool hasItsRate(std::string_view uri);

/// Opens a source by its URI (`synthetic:?size=1280x720&fps=60`, `file:PATH`, …; a bare path is a file). The error is
/// one sentence with the cause in the URI or the file, and the remedy.
Result<std::unique_ptr<FrameSource>> openSource(std::string_view uri, Pacing pacing);

} // namespace jetscope
