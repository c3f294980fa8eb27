// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "core/recording/spanring.h"
#include "core/time/clock.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace jetscope {

class ThreadRecorder;

/// Hears of every span of a thread as it begins and as it ends, on that thread: to show them in a profiler as well.
struct SpanObserver {
    void (*begin)(NameId name, std::uint32_t frame);
    void (*end)();
    /// A frame begins, and the one before it ends; kNoFrame: the last one ends. Never within a span.
    void (*frame)(std::uint32_t frame) = nullptr;
};
/// For the whole process, and spans that begin from now on. `observer` lives for ever; null, as it is at the start,
/// costs nothing.
void observeSpans(const SpanObserver *observer);
/// Tells the observer that a frame begins on the calling thread, outside of all its spans; kNoFrame when the last one
/// is over. Does nothing on a thread that records nothing.
void observeFrame(std::uint32_t frame);

/// Owns the lanes and the per-thread rings of one pipeline's trace. Threads record through a
/// ThreadRecorder; one consumer at a time collects. Outlives every ThreadRecorder made on it.
class Tracer {
public:
    enum class Recording { On, Off };
    /// Off: threads and devices record nothing, as if there were no tracer.
    explicit Tracer(Recording recording = Recording::On);
    ~Tracer();
    Tracer(const Tracer &) = delete;
    Tracer &operator=(const Tracer &) = delete;

    /// Whether it was made to record at all.
    bool canRecord() const { return m_recording == Recording::On; }
    /// Whether it records now. Any thread.
    bool isRecording() const { return canRecord() && !m_paused.load(std::memory_order_relaxed); }
    /// While paused, spans that begin are not recorded, and device work that is submitted is not timed. Any thread.
    void setPaused(bool paused) { m_paused.store(paused, std::memory_order_relaxed); }

    /// Finds or adds the lane of this role, name and detail. Any thread; takes a lock.
    LaneId lane(LaneRole role, std::string name, std::string detail = {});

    /// A copy of the lanes so far from the `first`-th on, in order of their ids. Any thread.
    std::vector<LaneInfo> lanes(std::size_t first = 0) const;

    /// Appends everything recorded since the last call. One consumer thread at a time.
    void collect(std::vector<Span> &out);

    /// Spans that did not fit a ring because the consumer was late. Any thread.
    std::uint64_t lost() const;

private:
    friend class ThreadRecorder;
    std::shared_ptr<SpanRing> addRing();
    void retireRing(const std::shared_ptr<SpanRing> &ring);

    const Recording m_recording;
    std::atomic<bool> m_paused{false};
    mutable std::mutex m_mutex;
    std::vector<LaneInfo> m_lanes;
    std::vector<std::shared_ptr<SpanRing>> m_rings;
    std::vector<std::shared_ptr<SpanRing>> m_retired; ///< Of threads that ended; drained once more, then dropped.
    std::uint64_t m_lostRetired = 0;
};

/// Makes the calling thread record into a lane of `tracer` until it goes out of scope. One per thread
/// at a time; a nested one is a programming error. Recording never blocks and never allocates.
class ThreadRecorder {
public:
    ThreadRecorder(Tracer &tracer, LaneRole role, std::string name, std::string detail = {});
    ~ThreadRecorder();
    ThreadRecorder(const ThreadRecorder &) = delete;
    ThreadRecorder &operator=(const ThreadRecorder &) = delete;

    /// The recorder of the calling thread, null when it has none (then nothing is recorded).
    static ThreadRecorder *current();

    LaneId lane() const { return m_lane; }

    /// Records a finished span, on this thread's lane or, for device work, on another lane.
    void record(const Span &span) { m_ring->push(span); }

private:
    friend class SpanScope;
    friend void observeFrame(std::uint32_t frame);
    Tracer &m_tracer;
    std::shared_ptr<SpanRing> m_ring;
    LaneId m_lane;
    std::uint8_t m_depth = 0;
};

/// Records the time from its construction to its destruction on the calling thread's lane.
class SpanScope {
public:
    explicit SpanScope(NameId name, std::uint32_t frame = kNoFrame);
    ~SpanScope();
    SpanScope(const SpanScope &) = delete;
    SpanScope &operator=(const SpanScope &) = delete;

    void setBytes(std::uint64_t bytes);
    void setFrame(std::uint32_t frame) { m_span.frame = frame; }

    /// Forgets the span: nothing is recorded at the end.
    void discard() { m_discarded = true; }

private:
    ThreadRecorder *m_recorder;
    const SpanObserver *m_observer = nullptr;
    Span m_span;
    bool m_discarded = false;
};

} // namespace jetscope
