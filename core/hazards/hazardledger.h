// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/capturedwork.h"
#include "core/hazards/eglstreams.h"
#include "core/hazards/hazardreports.h"
#include "core/hazards/memoryledger.h"
#include "core/hazards/memoryrules.h"
#include "core/hazards/queueorder.h"

#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace jetscope {

/// Knows which work on shared memory is ordered and which is not, and reports accesses that break a rule. It is told of
/// every object, access and synchronization in the order of the calls; whether the work had finished by chance makes no
/// difference. QueueOrder says what comes after what, MemoryLedger judges the accesses, and here stand the calls, with
/// the rules that concern no memory.
///
/// Streams and GL queues are queues of their own. All CPU threads are one queue: they hand memory to each other under
/// locks, which the thread sanitizer checks; their order is the order of their calls here.
///
/// Objects are identified by their addresses, which may be used again once an object is destroyed. Any thread.
class HazardLedger {
public:
    using Conditions = HazardConditions;
    explicit HazardLedger(const Conditions &conditions);
    HazardLedger(const HazardLedger &) = delete;
    HazardLedger &operator=(const HazardLedger &) = delete;

    using Object = const void *;

    using Caller = HazardCaller;
    using Use = MemoryUse;

    // --- objects
    void addBuffer(Object buffer, Allocation allocation, std::size_t bytes);
    /// What hazards call the buffer from now on: `name` behind its kind and size, or nothing but those.
    void nameBuffer(Object buffer, const std::string &name);
    void addImage(Object image, int width, int height, const Caller &caller);
    /// The memory is freed, unmapped or unregistered (rules A11 and C6).
    void removeMemory(Object memory, const Caller &caller);
    /// The same for memory that is given back in the order of a stream (cudaFreeAsync): all work must come before.
    void removeMemoryInStream(Object memory, Object stream, const Caller &caller);
    /// The two ends of memory of a pool, in the order of a stream (rules A11, A19 and A23). The object stays until it
    /// is removed.
    void addBufferInStream(Object buffer, std::size_t bytes, Object stream, const Caller &caller);
    void freeBufferInStream(Object buffer, Object stream, const Caller &caller);
    /// The release threshold of the pool, 0 at first.
    void keepInPool(std::uint64_t bytes);
    /// Rules A9 and A25: cudaMemPrefetchAsync, where what the memory holds may be discarded.
    void prefetch(Object buffer, bool discards, Object stream, const Caller &caller);
    /// A14: cudaHostRegister has refused a region.
    void registrationFailed(std::size_t bytes, const Caller &caller);
    void addStream(Object stream);
    /// As the trace calls it.
    void nameStream(Object stream, std::string name);
    /// The stream's work is complete.
    void removeStream(Object stream);
    /// The stream is gone, as cudaStreamDestroy leaves it: its work goes on, until something else shows that it is
    /// complete. Another stream may have its address meanwhile.
    void retireStream(Object stream);
    /// Gives up what is known of a stream whose work the CPU knows to be complete: nothing can tell it from one without
    /// work. Returns whether that is so.
    bool removeStreamIfComplete(Object stream);
    /// Streams that are gone with work that may go on. Their number grows until the CPU waits.
    std::size_t retiredStreams() const;
    void removeEvent(Object event);

    // --- the CPU
    void beginCpuAccess(const Use &use, const Caller &caller);
    void endCpuAccess(const Use &use);
    /// A15: within a scope, the CPU makes atomic read-modify-write accesses.
    void cpuAtomics(const Use &use, const Caller &caller);

    // --- streams
    void launch(Object stream, std::span<const Use> uses, const Caller &caller);
    /// Kernels whose uses are not known were launched: all managed memory so far may be in use.
    void managedMayBeUsed();
    void copy(Object stream, const Use &to, const Use &from, const Caller &caller);
    void attach(Object memory, Attach target, Object stream, const Caller &caller);
    /// G1: the latest launch has left work of VPI unfinished that it put into the stream by a wrapper of its own.
    void leaveVpiWork(Object stream);
    /// All work of VPI was waited for, and no stage leaves more of it.
    void endVpiWork();
    /// G2: the CPU reads memory that VPI's work on a frame writes; `isSynchronized`: vpiStreamSync returned before.
    void readVpiMemory(bool isSynchronized, const Caller &caller);
    void record(Object event, Object stream, const Caller &caller);
    /// The event stands for what the stream has so far. It is none of the program's, and no work of the stream.
    void note(Object event, Object stream);
    /// Whether the event was recorded, or made from an EGLSync.
    bool isRecorded(Object event) const;
    /// The record of `event` turns out to come after that of `earlier`, too: its stream was waiting for it.
    void extendRecord(Object event, Object earlier);
    void wait(Object stream, Object event);
    void synchronize(Object stream);
    void synchronizeAll();
    /// B4: a thread has waited for the GPU, under a wait policy that may spin.
    void waited(const WaitCost &cost, const Caller &caller);
    /// A thread has seen that the event is complete.
    void eventSeen(Object event);
    /// The same, where the CPU has waited for it (cudaEventSynchronize).
    void eventWaited(Object event);
    /// Whether the CPU knows that the event's newest record is complete.
    bool isSeen(Object event) const;
    /// cudaLaunchHostFunc: the function's place in its stream, for `hostFunctionRuns`.
    std::uint64_t appendHostFunction(Object stream);
    void hostFunctionRuns(std::uint64_t function);
    /// Later launches and copies of the stream go into a graph and are not executed, until the capture ends. The graph
    /// is null if it fails.
    void beginCapture(Object stream);
    void endCapture(Object stream, Object graph);
    /// B8: a thread waits for a stream, or for all of them (null).
    void waitsFor(Object stream, const char *call, const Caller &caller);
    /// All of the graph's work, with rule B7.
    void launchGraph(Object graph, Object stream, const Caller &caller);
    void removeGraph(Object graph);
    /// D8
    void signalSemaphore(Object semaphore, std::uint64_t value, Object stream, const Caller &caller);
    void glSignalSemaphore(Object semaphore, std::uint64_t value, Object queue, const Caller &caller);
    void waitSemaphore(Object semaphore, std::uint64_t value, Object stream);
    void syncFromSemaphore(Object sync, Object semaphore, std::uint64_t value);
    void removeSemaphore(Object semaphore);
    void writeFlag(Object flag, std::uint32_t value, bool isOrdered, Object stream);
    /// B6: a thread has seen the value.
    void flagSeen(Object flag, std::uint32_t value, const Caller &caller);
    void removeFlag(Object flag);
    /// B1: a call of the device within a host function.
    void callWithinHostFunction(const char *call, const Caller &caller);

    /// The frame of the newest kernel or copy that uses these bytes and that the CPU does not know to be complete; none
    /// if there is none.
    std::optional<std::uint32_t> frameInFlight(const Use &use) const;
    /// When the newest kernel or copy was submitted that writes these bytes and that the CPU does not know to be
    /// complete; none if there is none.
    std::optional<std::int64_t> writtenSince(const Use &use) const;
    /// Whether a kernel was launched that no call of CUDA has shown to be complete.
    bool hasKernelsInFlight() const;

    // --- GL
    /// A queue of GL commands that is not known yet is added.
    void glCommand(Object queue, AccessKind kind, std::span<const Use> uses, const Caller &caller);
    /// A command gives the texture of a registered image new storage (rule C6).
    void glRespecify(Object queue, Object image, const Caller &caller);
    void glFence(Object queue, Object fence);
    void glFinish(Object queue);
    void fenceSeen(Object fence);
    /// Later commands of the queue wait for a fence of another one.
    void glWaitFence(Object queue, Object fence);

    // --- EGLSync
    void eventFromFence(Object event, Object fence);
    /// The sync stands for the event's latest record (rules D1 and D2).
    void syncFromEvent(Object sync, Object event, const Caller &caller);
    void glWaitSync(Object queue, Object sync);
    /// The wait was executed; `seen` if the CPU itself waited for it, as software devices do.
    void syncExecuted(Object sync, bool seen);

    // --- GL interop
    /// Orders later work of the stream behind all GL commands so far; `unmap` does the reverse.
    void map(Object stream);
    void unmap(Object stream);

    // --- EGLStream
    /// A consumer is a FrameConsumer of CUDA or a GL texture.
    void connectConsumer(Object consumer, Object eglStream);
    void removeConsumer(Object consumer);
    /// Rule E1. `producer` is null if the call failed.
    void connectProducer(Object producer, const EglStreams::Producer &connection, const Caller &caller);
    /// The EGLStream gives all its frames back.
    void removeProducer(Object producer);
    /// From now on the frame belongs to the EGLStream, until it is taken back (rules E2, E3 and E6).
    void present(Object producer, Object image, Object stream, const Caller &caller);
    void takeBack(Object image);
    /// The consumer may read the frame until it releases it. Returns whether the image was not known.
    bool acquire(Object consumer, Object image, int width, int height, Object stream);
    /// The number of the frame that the consumer has acquired, as EGL counts them (rule E4).
    void frameNumber(Object consumer, std::uint64_t number);
    /// Rule E6, for a frame that work in another stream still reads.
    void release(Object consumer, Object stream, const Caller &caller);
    /// GL draws the frame that its texture has acquired.
    void glDrawsFrame(Object consumer, const Caller &caller);

    /// The hazards since the last call, oldest first.
    std::vector<Hazard> takeHazards();
    /// Whether accesses were forgotten because nothing orders too many of them: what conflicts with them is not found.
    bool hasForgotten() const;

private:
    void capture(Object stream, bool isLaunch, std::initializer_list<std::span<const Use>> uses);
    void checkVpiWork(Object stream, const char *what, const Caller &caller);
    bool usesFreedMemory(const CapturedWork::Piece &piece) const;

    const Conditions m_conditions;
    mutable std::mutex m_mutex;
    QueueOrder m_order;
    EglStreams m_eglStreams;
    HazardReports m_reports{m_order};
    MemoryLedger m_memory{m_conditions, m_order, m_eglStreams, m_reports};
    CapturedWork m_captured;
    bool m_firstLaunch = true;
    std::unordered_set<Object> m_withVpiWork;            ///< Streams with work of VPI that may be unfinished.
    std::unordered_map<LaneRole, SpinningWaits> m_waits; ///< Of each kind of thread.
    std::unordered_set<LaneRole> m_spinning;             ///< Those that were reported.
};

} // namespace jetscope
