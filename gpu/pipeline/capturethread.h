// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/framepool.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/pipeline/sourceperiod.h"
#include "gpu/sources/framesource.h"

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

/// Reads a source into the buffers of the current pool and queues the frames. A live source's oldest queued frame makes
/// way for a newer one, other sources wait. The pipeline thread owns it.
class CaptureThread {
public:
    static constexpr std::size_t kQueueDepth = 2;
    /// Buffers a pool needs for this thread: those queued, the one being filled, one to move a frame of an older pool
    /// into, and those that the source holds.
    static std::size_t buffersFor(const FrameSource &source) { return kQueueDepth + 2 + source.buffersWanted(); }

    /// `wake` is called when there is something to take. The tracer outlives the thread.
    CaptureThread(std::unique_ptr<FrameSource> source, std::shared_ptr<FramePool> pool, Tracer &tracer,
                  std::function<void()> wake);
    ~CaptureThread();

    const SourceInfo &info() const { return m_source->info(); }
    SourceState state() const { return m_source->state(); }
    Result<ExternalBufferView> surfaces() const { return m_source->surfaces(); }
    std::size_t buffers() const { return m_buffers; }

    /// Frames read from now on land in this pool; those that are queued or being read stay where they are.
    void setPool(std::shared_ptr<FramePool> pool);

    /// While held, nothing is read (a live source's frames pass by).
    void setHeld(bool held);

    /// While paused, frames that are superseded are not counted as dropped: nobody wants them.
    void setPaused(bool paused);

    /// While nobody wants a frame, a live source that makes its frames only when it is read is not read. What waits is
    /// forgotten when somebody wants one again: it is as old as the rest was long.
    void setResting(bool resting);

    bool hasFrame() const { return queued() > 0; }
    /// Frames that wait to be taken.
    std::size_t queued() const;
    std::optional<InputFrame> take();

    /// Whether the source ended or failed and all its frames were taken.
    bool ended() const;
    std::optional<Error> error() const;
    std::uint64_t dropped() const;
    /// SourcePeriod of what came so far.
    std::int64_t sourcePeriodNs() const;

    /// A buffer came back or the queue has room.
    void notifyBufferFreed() { m_condition.notify_all(); }

    /// Copies of the raw frames for the view's "before" side.
    void wantPictures(bool wanted);
    std::shared_ptr<InputPicture> pictureOf(std::uint64_t sourceIndex) const;

private:
    /// A buffer that the source fills by itself, at any time until it comes back: one long write.
    struct LentFrame {
        InputFrame frame;
        CpuWrite access; ///< Ends before the buffer is given up.
    };
    void work();
    /// The next frame; none at the end of the source, or when the thread is to stop.
    Result<std::optional<InputFrame>> nextFrame();
    Result<std::optional<InputFrame>> copyFrame(InputFrame frame);
    Result<std::optional<InputFrame>> keepExternalBuffer(InputFrame frame);
    Result<std::optional<InputFrame>> receiveFrame();
    Status lendBuffers();
    void recallBuffers();
    Status presentTo(const std::shared_ptr<FramePool> &pool);
    /// The next buffer to fill; none when the thread is to stop.
    InputFrame nextBuffer();
    /// The same for a source that holds some already: none when there is none just now.
    InputFrame spareBuffer();
    std::shared_ptr<FramePool> currentPool() const;
    bool stopping() const;
    void queue(InputFrame frame);
    void dropOldest();
    void keepPicture(const InputFrame &frame);

    std::unique_ptr<FrameSource> m_source;
    const std::size_t m_buffers;
    std::vector<LentFrame> m_lent;            ///< What the source holds. The thread itself alone, as the next.
    std::shared_ptr<FramePool> m_presentedTo; ///< Whose EGLStream the source feeds; null for none.
    Tracer &m_tracer;
    std::function<void()> m_wake;
    mutable std::mutex m_mutex;
    std::condition_variable m_condition;
    std::shared_ptr<FramePool> m_pool;
    std::deque<InputFrame> m_queue;
    std::vector<SourceGap> m_gaps;                        ///< Before the next frame that is queued.
    std::deque<std::shared_ptr<InputPicture>> m_pictures; ///< The latest few, oldest first.
    bool m_picturesWanted = false;
    bool m_held = false;
    bool m_paused = false;
    bool m_resting = false;
    SourcePeriod m_period;
    bool m_stopping = false;
    bool m_finished = false;
    std::optional<Error> m_error;
    std::uint64_t m_dropped = 0;
    std::uint64_t m_lastIndex = 0;
    bool m_anyFrame = false;
    std::thread m_thread;
};

} // namespace jetscope
