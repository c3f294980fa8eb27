// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/vectorclock.h"
#include "core/recording/span.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// What executes the work of a queue in order.
enum class QueueKind : std::uint8_t { Cpu, Stream, Gl };

/// Which work happened before which: the queues and all calls by which one waits for another. It knows no memory and
/// reports nothing. One thread at a time.
///
/// The clock of a queue contains what is complete before the queue's newest work begins, and that work itself.
class QueueOrder {
public:
    using Object = const void *;
    static constexpr QueueId kCpu = 0; ///< All CPU threads.

    /// The newest launch of a stream.
    struct Launch {
        Tick tick = 0; ///< 0 before the first one.
        std::uint32_t frame = kNoFrame;
        std::int64_t timeNs = 0;
    };

    QueueOrder();

    // --- queues
    /// Adds a queue that is not known yet.
    QueueId queueOf(Object object, QueueKind kind);
    void nameStream(Object stream, std::string name);
    /// The stream's work is complete.
    void removeStream(Object stream);
    /// The stream is gone and its work goes on, until something else shows that it is complete.
    void retireStream(Object stream);
    /// Gives up the queue of a stream whose work the CPU knows to be complete: nothing can tell it from one without
    /// work. Returns whether the stream has no queue then.
    bool removeIfComplete(Object stream);
    /// Those whose work may go on. Their number grows until the CPU waits.
    std::size_t retiredStreams() const { return m_retiredQueues.size(); }
    /// Appends work to a queue: it happens after everything that the CPU knows.
    QueueId append(Object object, QueueKind kind);
    QueueId appendLaunch(Object stream, std::uint32_t frame, std::int64_t timeNs);
    /// The CPU does its next piece of work.
    Tick stepCpu() { return step(kCpu); }

    QueueId queues() const { return static_cast<QueueId>(m_queues.size()); }
    QueueKind kind(QueueId id) const { return m_queues[id].kind; }
    const std::string &name(QueueId id) const { return m_queues[id].name; } ///< Empty if it has none.
    Tick tick(QueueId id) const { return m_queues[id].tick; }               ///< Of its newest work.
    const VectorClock &clock(QueueId id) const { return m_queues[id].clock; }

    /// What the CPU knows to be complete.
    const VectorClock &known() const { return m_queues[kCpu].clock; }
    /// What the CPU knows from CUDA. A GL fence can show that kernels are complete, too, but only a call of CUDA makes
    /// the driver give managed memory back to the CPU.
    const VectorClock &knownFromCuda() const { return m_knownFromCuda; }
    /// The newest launch of the stream, if no call of CUDA has shown that it is complete; else null.
    const Launch *launchInFlight(QueueId stream) const;
    /// Whether a stream other than this one waits for the work.
    bool otherStreamWaits(QueueId stream, QueueId queue, Tick tick) const;

    // --- events and streams
    /// Returns whether the event may be recorded: one that was made from an EGLSync may not (rule D4).
    [[nodiscard]] bool record(Object event, Object stream);
    /// The event stands for what the stream has so far. It is none of the program's, and no work of the stream.
    void note(Object event, Object stream);
    /// Whether it was recorded, or made from an EGLSync.
    bool isRecorded(Object event) const { return m_events.contains(event); }
    void removeEvent(Object event) { m_events.erase(event); }
    /// The record of `event` turns out to come after that of `earlier`, too.
    void extendRecord(Object event, Object earlier);
    void wait(Object stream, Object event);
    void synchronize(Object stream);
    void synchronizeAll();
    /// A thread has seen that the event is complete.
    void eventSeen(Object event);
    /// Whether the CPU knows that the event's newest record is complete.
    bool isSeen(Object event) const;

    // --- host functions
    std::uint64_t appendHostFunction(Object stream);
    void hostFunctionRuns(std::uint64_t function);
    /// Whether a host function that has not run yet is what tells the CPU that the work is complete.
    bool awaitsHostFunction(QueueId queue, Tick tick) const;

    // --- flags
    void writeFlag(Object flag, std::uint32_t value, bool isOrdered, Object stream);
    /// A thread has seen the value. Returns whether it shows that the work before is complete: a write without an order
    /// shows nothing.
    [[nodiscard]] bool flagSeen(Object flag, std::uint32_t value);
    void removeFlag(Object flag) { m_flags.erase(flag); }

    // --- semaphores
    /// Returns whether the value is greater than all before it.
    [[nodiscard]] bool signalSemaphore(Object semaphore, std::uint64_t value, Object queue, QueueKind kind);
    void waitSemaphore(Object semaphore, std::uint64_t value, Object stream);
    /// The sync stands for the value.
    void syncFromSemaphore(Object sync, Object semaphore, std::uint64_t value);
    void removeSemaphore(Object semaphore) { m_semaphores.erase(semaphore); }

    // --- GL
    /// A null `fence` is only work of the queue; later calls cannot wait for it.
    void glFence(Object queue, Object fence);
    void glFinish(Object queue);
    void fenceSeen(Object fence);
    void glWaitFence(Object queue, Object fence);

    // --- EGLSync
    void eventFromFence(Object event, Object fence);
    enum class SyncOrigin : std::uint8_t {
        NewestWork,    ///< The event's record is the newest work of its stream, or the event is made from an EGLSync.
        EarlierWork,   ///< More work was appended behind the record, which is not known to be complete (rule D1).
        NeverRecorded, ///< No sync is made (rule D2).
    };
    [[nodiscard]] SyncOrigin syncFromEvent(Object sync, Object event);
    void glWaitSync(Object queue, Object sync);
    /// The wait was executed; `seen` if the CPU itself waited.
    void syncExecuted(Object sync, bool seen);

    // --- GL interop
    /// Neither is work of the stream.
    void map(Object stream);
    void unmap(Object stream);

private:
    struct Queue {
        QueueKind kind = QueueKind::Cpu;
        std::string name;
        VectorClock clock;
        Tick tick = 0;
        Tick lastWork = 0; ///< The same without records of events.
        Launch lastLaunch;
    };
    struct EventState {
        VectorClock clock;
        QueueId stream = kCpu;
        Tick tick = 0;        ///< Of the record in its stream; 0 if it was not recorded.
        bool ofFence = false; ///< Made from an EGLSync.
    };

    struct FlagWrite {
        std::uint32_t value = 0;
        bool isOrdered = true;
        VectorClock clock;
    };

    struct Signal {
        std::uint64_t value = 0;
        VectorClock clock;
    };
    /// Of the first signal that gives the semaphore the value or a greater one; null if there is none.
    const VectorClock *clockOf(Object semaphore, std::uint64_t value) const;

    Tick step(QueueId id);
    bool isComplete(QueueId id) const { return !launchInFlight(id) && known().containsAll(clock(id)); }
    QueueId newQueue();
    /// A call of CUDA has shown the CPU that this is complete.
    void learnFromCuda(const VectorClock &clock);

    std::deque<Queue> m_queues; ///< By QueueId.
    std::unordered_map<Object, QueueId> m_queueOf;
    std::vector<QueueId> m_freeQueues;
    std::vector<QueueId> m_retiredQueues; ///< Of streams that are gone, with work that may go on.
    VectorClock m_knownFromCuda;
    VectorClock m_unmapped; ///< What all GL commands come after, also those of queues that are not known yet.
    std::unordered_map<Object, EventState> m_events; ///< Those that were recorded, or made from an EGLSync.
    std::unordered_map<Object, VectorClock> m_fences;
    std::unordered_map<Object, VectorClock> m_syncs;
    std::unordered_map<std::uint64_t, VectorClock> m_hostFunctions; ///< Those that have not run yet.
    std::uint64_t m_nextHostFunction = 1;
    std::unordered_map<Object, std::deque<Signal>> m_semaphores; ///< The newest signals, oldest first.
    std::unordered_map<Object, std::deque<FlagWrite>> m_flags;   ///< Writes that no thread has seen, oldest first.
};

} // namespace jetscope
