// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "core/time/clock.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace jetscope {

/// Single-producer single-consumer ring of finished spans. The producer never blocks: if the ring is full, the new span
/// is dropped and counted.
class SpanRing {
public:
    static constexpr std::size_t kCapacity = 8192; ///< Spans; a power of two.

    SpanRing() : m_spans(kCapacity) {}

    /// Producer thread only.
    void push(const Span &span)
    {
        const std::uint64_t head = m_head.load(std::memory_order_relaxed);
        if (head - m_tailSeen >= kCapacity) {
            m_tailSeen = m_tail.load(std::memory_order_acquire);
            if (head - m_tailSeen >= kCapacity) {
                m_lost.store(m_lost.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
                return;
            }
        }
        m_spans[head & (kCapacity - 1)] = span;
        m_head.store(head + 1, std::memory_order_release);
    }

    /// Consumer thread only: appends all spans to `out`.
    void drain(std::vector<Span> &out)
    {
        const std::uint64_t head = m_head.load(std::memory_order_acquire);
        for (std::uint64_t tail = m_tail.load(std::memory_order_relaxed); tail != head; ++tail)
            out.push_back(m_spans[tail & (kCapacity - 1)]);
        m_tail.store(head, std::memory_order_release);
    }

    /// Any thread.
    std::uint64_t lost() const { return m_lost.load(std::memory_order_relaxed); }

private:
    std::vector<Span> m_spans;
    // The producer's and the consumer's counters are on separate cache lines, so that collecting does not slow down
    // recording.
    alignas(64) std::atomic<std::uint64_t> m_head{0};
    std::uint64_t m_tailSeen = 0;
    std::atomic<std::uint64_t> m_lost{0};
    alignas(64) std::atomic<std::uint64_t> m_tail{0};
};

class ThreadRecorder;

/// Callbacks at the start and end of every span, on the span's thread, for forwarding spans to a profiler.
struct SpanObserver {
    void (*begin)(NameId name, std::uint32_t frame);
    void (*end)();
    /// A frame begins and the previous one ends; kNoFrame: the last one ends. Never called within a span.
    void (*frame)(std::uint32_t frame) = nullptr;
};
/// Applies to the whole process and to spans that begin from now on. `observer` must stay valid forever; null, the
/// default, has no overhead.
void observeSpans(const SpanObserver *observer);
/// Notifies the observer that a frame begins on the calling thread, outside of all its spans; kNoFrame when the last
/// frame has ended. Does nothing on a thread without a recorder.
void observeFrame(std::uint32_t frame);

/// Owns the lanes and the per-thread rings of one pipeline's trace. Threads record through a ThreadRecorder; one
/// consumer at a time collects. Must outlive every ThreadRecorder that uses it.
class Tracer {
public:
    enum class Recording { On, Off };
    /// Off: threads and devices record nothing, as without a tracer.
    explicit Tracer(Recording recording = Recording::On);
    ~Tracer();
    Tracer(const Tracer &) = delete;
    Tracer &operator=(const Tracer &) = delete;

    /// Whether recording was enabled at construction.
    bool canRecord() const { return m_recording == Recording::On; }
    /// Whether it currently records. Any thread.
    bool isRecording() const { return canRecord() && !m_paused.load(std::memory_order_relaxed); }
    /// While paused, new spans are not recorded, and newly submitted device work is not timed. Any thread.
    void setPaused(bool paused) { m_paused.store(paused, std::memory_order_relaxed); }

    /// Finds or adds the lane of this role, name and detail; its thread may emulate a GPU. Any thread; takes a lock.
    LaneId lane(LaneRole role, std::string name, std::string detail = {}, bool emulated = false);

    /// A copy of the lanes from index `first` on, in order of their ids. Any thread.
    std::vector<LaneInfo> lanes(std::size_t first = 0) const;

    /// Appends everything recorded since the last call. One consumer thread at a time.
    void collect(std::vector<Span> &out);

    /// Spans dropped because a ring was full. Any thread.
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
    std::vector<std::shared_ptr<SpanRing>> m_retired; ///< Rings of finished threads; drained once more, then removed.
    std::uint64_t m_lostRetired = 0;
};

/// Records the calling thread's spans into a lane of `tracer` while it is in scope. One per thread at a time; nesting
/// is a programming error. Recording never blocks and never allocates.
class ThreadRecorder {
public:
    ThreadRecorder(Tracer &tracer, LaneRole role, std::string name, std::string detail = {}, bool emulated = false);
    ~ThreadRecorder();
    ThreadRecorder(const ThreadRecorder &) = delete;
    ThreadRecorder &operator=(const ThreadRecorder &) = delete;

    /// The recorder of the calling thread; null if it has none, in which case nothing is recorded.
    static ThreadRecorder *current();

    LaneId lane() const { return m_lane; }
    LaneRole role() const { return m_role; }
    /// The frame of the innermost span that is open and belongs to one; kNoFrame outside of them, and while the tracer
    /// is paused.
    std::uint32_t frame() const { return m_frame; }

    std::uint8_t depth() const { return m_depth; } ///< How many spans of this thread are open.
    bool isRecording() const { return m_tracer.isRecording(); }
    /// Records a finished span on this thread's lane or, for device work, on another lane.
    void record(const Span &span) { m_ring->push(span); }

private:
    friend class SpanScope;
    friend class FrameScope;
    friend void observeFrame(std::uint32_t frame);
    Tracer &m_tracer;
    std::shared_ptr<SpanRing> m_ring;
    LaneId m_lane;
    LaneRole m_role;
    std::uint32_t m_frame = kNoFrame;
    std::uint8_t m_depth = 0;
};

/// What the calling thread does belongs to a frame (ThreadRecorder::frame), also between spans.
class FrameScope {
public:
    explicit FrameScope(std::uint32_t frame);
    ~FrameScope();
    FrameScope(const FrameScope &) = delete;
    FrameScope &operator=(const FrameScope &) = delete;

private:
    ThreadRecorder *const m_recorder;
    const std::uint32_t m_outerFrame;
};

/// Records the time from its construction to its destruction on the calling thread's lane.
class SpanScope {
public:
    explicit SpanScope(NameId name, std::uint32_t frame = kNoFrame);
    ~SpanScope();
    SpanScope(const SpanScope &) = delete;
    SpanScope &operator=(const SpanScope &) = delete;

    void setBytes(std::uint64_t bytes);
    void setFrame(std::uint32_t frame);

    /// Discards the span: nothing is recorded at the end.
    void discard() { m_discarded = true; }

private:
    ThreadRecorder *m_recorder;
    const SpanObserver *m_observer = nullptr;
    Span m_span;
    std::uint32_t m_outerFrame = kNoFrame; ///< Of the span around this one.
    bool m_discarded = false;
};

} // namespace jetscope
