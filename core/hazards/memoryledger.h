// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/accesshistory.h"
#include "core/hazards/eglstreams.h"
#include "core/hazards/hazardreports.h"
#include "core/hazards/memory.h"
#include "core/hazards/memoryrules.h"
#include "core/hazards/queueorder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace jetscope {

/// The attributes of the device that turn rules on.
struct HazardConditions {
    bool managedTurns = false;   ///< concurrentManagedAccess is 0: CPU and GPU take turns with managed memory.
    bool uncachedPinned = false; ///< The CPU does not cache pinned memory.
    bool kernelsFromPtx = false; ///< The driver compiles the kernels when they are first used.
    bool pageableAccess = false; ///< Kernels reach ordinary memory of the CPU in place.
};

/// The memory of a program and every access to it that can still matter. It reports the accesses that break a rule:
/// that nothing orders (O1, B5, C1), by the side that does not own the memory (A1 to A5, A7, E4, E6), outside of its
/// life (A11, A23 to A25, C6), and those that cost much (A9, A14 to A19, C5).
///
/// It orders nothing itself: `queue` is one of the order that it was made with, whose newest work makes the access.
/// Memory that is not known is ignored everywhere. One thread at a time.
class MemoryLedger {
public:
    using Object = const void *;
    using Caller = HazardCaller;

    /// All four outlive the ledger.
    MemoryLedger(const HazardConditions &conditions, const QueueOrder &order, EglStreams &eglStreams,
                 HazardReports &reports)
        : m_conditions(conditions), m_order(order), m_eglStreams(eglStreams), m_reports(reports)
    {
    }

    // --- life
    void addBuffer(Object buffer, Allocation allocation, std::size_t bytes);
    /// What hazards call the buffer from now on: `name` behind its kind and size, or nothing but those.
    void nameBuffer(Object buffer, const std::string &name);
    /// C5
    void addImage(Object image, int width, int height, const Caller &caller);
    /// A14: a region was refused.
    void registrationFailed(std::size_t bytes, const Caller &caller);
    /// A11 and C6: all its work must be in `complete`.
    void remove(Object memory, const VectorClock &complete, const Caller &caller);
    /// A number that no other memory has, also where addresses are used again; 0 if the memory is not known.
    std::uint64_t numberOf(Object memory) const;

    // --- life in the order of a queue
    /// The two ends of memory of a pool (A11, A19 and A23). The object stays until it is removed.
    void allocatedBy(QueueId queue, Object buffer, std::size_t bytes, const Caller &caller);
    void freedBy(QueueId queue, Object buffer, const Caller &caller);
    /// The release threshold of the pool, 0 at first.
    void keepInPool(std::uint64_t bytes) { m_pool.threshold = bytes; }
    /// A19: a synchronization gives back what a pool without a threshold has.
    void synchronized();
    /// A9 and A25: cudaMemPrefetchAsync, where what the memory holds may be discarded.
    void prefetch(QueueId queue, Object buffer, bool discards, const Caller &caller);
    /// A7: cudaStreamAttachMemAsync.
    void attach(QueueId queue, Object buffer, Attach target, const Caller &caller);
    /// C6: a command of GL gives the texture of a registered image new storage.
    void respecify(QueueId queue, Object image, const Caller &caller);

    // --- the CPU
    void beginCpuAccess(const MemoryUse &use, const Caller &caller);
    /// The end of the scope is at `tick` of the CPU.
    void endCpuAccess(const MemoryUse &use, Tick tick);
    /// A15: within a scope, the CPU makes atomic read-modify-write accesses.
    void cpuAtomics(const MemoryUse &use, const Caller &caller);

    // --- work of queues
    void access(QueueId queue, AccessKind kind, const MemoryUse &use, const Caller &caller);
    /// A1: kernels were launched, which makes managed memory inaccessible for threads that are using it.
    void launched(QueueId stream, const Caller &caller);
    /// A17 and A18: a copy to or from this memory.
    void copied(Object memory, const Caller &caller);
    /// Kernels whose uses are not known were launched: all managed memory so far may be in use.
    void managedMayBeUsed();

    // --- frames of an EGLStream
    /// E2, E3 and E6: from now on the frame belongs to the EGLStream, until it is taken back.
    void present(Object producer, Object image, const Caller &caller);
    void takeBack(Object image);
    /// The consumer may read the frame until it releases it. Returns whether the image was not known.
    bool acquire(Object consumer, Object image, int width, int height);
    /// E6, for a frame that work in another queue than this one still reads.
    void release(QueueId queue, Object consumer, const Caller &caller);

    /// The newest kernel or copy that these bytes are used by (of a read: written by), and that the CPU does not know
    /// to be complete.
    std::optional<MemoryAccess> inFlight(const MemoryUse &use) const;
    /// Whether accesses were forgotten because nothing orders too many of them: what conflicts with them is not found.
    bool hasForgotten() const { return m_hasForgotten; }

private:
    struct Memory {
        std::uint64_t number = 0;
        std::string name;
        std::size_t kindLength = 0; ///< Of a buffer's kind and size at the beginning of its name.
        bool managed = false;
        bool pageable = false;
        bool uncached = false;   ///< By the CPU.
        bool ofCpuAlone = false; ///< Kernels do not reach it.
        bool isFreed = false;    ///< In the order of a stream.
        bool isDiscarded = false;
        bool isImage = false;
        bool orphaned = false; ///< An image whose texture has other storage by now.
        bool costReported = false;
        int width = 0; ///< Of an image.
        int height = 0;
        int openScopes = 0; ///< Of managed memory: CPU scopes that have not ended.
        ManagedState state;
        AccessHistory history;
        UncachedReads uncachedReads;
    };
    Memory *memoryOf(Object object);
    MemoryAccess newest(QueueId queue, AccessKind kind, const MemoryUse &use, const Caller &caller) const;

    void checkOrder(const Memory &memory, const MemoryAccess &next, const Caller &caller);
    RuleId conflictRule(const MemoryAccess &first, const MemoryAccess &second) const;
    bool checkCpuTouch(const Memory &memory, const MemoryAccess &touch, const Caller &caller);
    bool checkFrameUse(const Memory &memory, FrameTurn turn, const MemoryAccess &next, const Caller &caller);
    void checkLife(Memory &memory, const MemoryAccess &next, const Caller &caller);
    void checkUncachedTouch(Memory &memory, const MemoryAccess &touch, const Caller &caller);

    const HazardConditions &m_conditions;
    const QueueOrder &m_order;
    EglStreams &m_eglStreams;
    HazardReports &m_reports;
    std::unordered_map<Object, Memory> m_memory;
    std::uint64_t m_newestNumber = 0;
    std::uint32_t m_lastRegistered = kNoFrame; ///< The frame of the newest registration of an image.
    int m_framesThatRegister = 0;              ///< Consecutive ones.
    struct {
        std::uint64_t threshold = 0;
        bool hasFreed = false;
        bool gaveBack = false; ///< A synchronization found unused memory and no threshold.
        bool isReported = false;
    } m_pool;
    bool m_hasForgotten = false;
};

} // namespace jetscope
