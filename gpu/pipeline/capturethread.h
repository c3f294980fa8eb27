// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/cameralog.h"
#include "core/lab/stampsampler.h"
#include "gpu/pipeline/framepool.h"
#include "gpu/pipeline/inputwatch.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/pipeline/sourceperiod.h"
#include "gpu/sources/framesource.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace jetscope {

class Tracer;

/// Reads a source into the buffers of the current pool and queues the frames. For a live source a newer frame replaces
/// the oldest queued one; other sources wait. Owned by the pipeline thread.
class CaptureThread {
public:
    static constexpr std::size_t kQueueDepth = 2;
    /// The number of buffers that a pool needs for this thread: queued ones, the one being filled, one for moving a
    /// frame of an older pool, and those that the source holds.
    static std::size_t buffersFor(const FrameSource &source)
    {
        return kQueueDepth + 2 + std::max(source.buffersWanted(), source.dmabufsWanted());
    }

    /// `wake` is called when a frame can be taken. The tracer must outlive the thread.
    CaptureThread(std::unique_ptr<FrameSource> source, std::shared_ptr<FramePool> pool, Tracer &tracer,
                  std::function<void()> wake);
    ~CaptureThread();

    const SourceInfo &info() const { return m_source->info(); }
    SourceState state() const;
    Result<ExternalBufferView> externalBuffers() const { return m_source->externalBuffers(); }
    std::size_t buffers() const { return m_buffers; }

    /// Later frames are read into this pool; queued frames and the one being read keep their buffers.
    void setPool(std::shared_ptr<FramePool> pool);

    /// While held, nothing is read (a live source's frames are lost).
    void setHeld(bool held);

    /// While paused, superseded frames do not count as dropped, because they are not wanted.
    void setPaused(bool paused);

    /// While resting, a live source that generates frames only on read is not read. Queued frames are dropped when the
    /// rest ends, because they are stale.
    void setResting(bool resting);

    bool hasFrame() const { return queued() > 0; }
    /// The number of frames that can be taken.
    std::size_t queued() const;
    std::optional<InputFrame> take();

    /// Whether the source ended or failed and all its frames were taken.
    bool ended() const;
    std::optional<Error> error() const;
    /// Which frames of a live source the pipeline did not get since the last call, and why.
    std::vector<LostFrames> takeLost();
    /// The frames that are queued, as lost for this reason.
    std::vector<LostFrames> queuedAsLost(const std::string &why) const;
    /// All sources that are open, this one among them. Any thread.
    std::vector<OpenCamera> cameras() const;
    /// As FrameSource::openBeside.
    std::unique_ptr<FrameSource> openBeside(std::string_view uri) { return m_source->openBeside(uri); }
    /// The SourcePeriod of the frames so far.
    std::int64_t sourcePeriodNs() const;

    /// Call when a buffer was returned or the queue has room.
    void notifyBufferFreed() { m_condition.notify_all(); }

    /// Enables copies of the raw frames for the view's "before" side.
    void wantPictures(bool wanted);
    std::shared_ptr<InputPicture> pictureOf(std::uint64_t sourceIndex) const;
    /// Shows it each frame from the next on; null for nobody.
    void watch(std::shared_ptr<InputWatch> watch);

private:
    /// A buffer that the source fills by itself, at any time until it comes back: one long write.
    struct QueuedBuffer {
        InputFrame frame;
        CpuWrite access; ///< Ends before the buffer is given up.
    };
    void work();
    /// The next frame; none at the end of the source, or if the thread is stopping.
    Result<std::optional<InputFrame>> nextFrame();
    Result<std::optional<InputFrame>> copyFrame(InputFrame frame);
    Result<std::optional<InputFrame>> keepExternalBuffer(InputFrame frame);
    Result<std::optional<InputFrame>> receiveFrame();
    /// How many buffers of a pool the source holds; 0 if it is read.
    std::size_t lentBuffers(const FramePool &pool) const;
    Status queueBuffers();
    void flushBuffers();
    Status presentTo(const std::shared_ptr<FramePool> &pool);
    /// The next buffer to fill; none if the thread is stopping.
    InputFrame nextBuffer();
    /// The same for a source that already holds buffers: none if none is free now.
    InputFrame spareBuffer();
    std::shared_ptr<FramePool> currentPool() const;
    bool stopping() const;
    void queue(InputFrame frame);
    void dropOldest();
    void noteGap(const CapturedFrame &captured);
    void keepPicture(const InputFrame &frame);
    void show(const InputFrame &frame, InputWatch &watch) const;

    std::unique_ptr<FrameSource> m_source;
    const std::size_t m_buffers;
    const std::shared_ptr<CameraLog> m_log;    ///< Of a source that is alone.
    std::vector<QueuedBuffer> m_queuedBuffers; ///< What the source holds. The thread itself alone, as the next.
    std::shared_ptr<FramePool> m_presentedTo;  ///< Whose EGLStream the source feeds; null for none.
    Tracer &m_tracer;
    std::function<void()> m_wake;
    mutable std::mutex m_mutex;
    std::condition_variable m_condition;
    std::shared_ptr<FramePool> m_pool;
    std::deque<InputFrame> m_queue;
    std::vector<SourceGap> m_gaps;                        ///< Gaps before the next frame that is queued.
    std::deque<std::shared_ptr<InputPicture>> m_pictures; ///< The latest few, oldest first.
    bool m_picturesWanted = false;
    std::shared_ptr<InputWatch> m_watch;
    bool m_held = false;
    bool m_paused = false;
    bool m_resting = false;
    SourcePeriod m_period;
    StampSampler m_stamps{60}; ///< Enough to tell a clock, and its moment.
    bool m_stopping = false;
    bool m_finished = false;
    std::optional<Error> m_error;
    std::vector<LostFrames> m_lost;
    std::int64_t m_heldNs = 0;  ///< Since when it is held.
    std::string m_heldWords;    ///< Why frames before the next one are missing; empty if it was not held.
    std::int64_t m_takenNs = 0; ///< When the pipeline last took a frame.
    std::uint64_t m_lastIndex = 0;
    bool m_anyFrame = false;
    std::thread m_thread;
};

} // namespace jetscope
