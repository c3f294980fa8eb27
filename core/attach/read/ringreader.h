// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/format/attachcalls.h"
#include "core/attach/read/attachmemory.h"
#include "core/attach/read/gpurecords.h"
#include "core/attach/read/tickclock.h"
#include "core/attach/read/watchedresults.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

struct AttachCall;

/// A thread of the inspected program, as it named itself. Names may hold any bytes. Numbers are as this process counts
/// them if it can find the thread, else those of the program's own PID namespace.
struct AttachThread {
    std::int32_t pid = 0;
    std::int32_t tid = 0;
    std::string name;
    std::string process;
    bool isElsewhere = false; ///< The numbers count in another PID namespace than this process.
};

/// Where code was in a process when its program started: the text of its /proc/PID/maps, any bytes.
struct AttachMaps {
    std::int32_t pid = 0; ///< As in AttachThread.
    std::string text;
};

/// A call that has not returned.
struct AttachOpenCall {
    std::uint32_t thread = 0; ///< Index into RingReader::threads.
    std::uint16_t call = 0;   ///< attachCall() of it is not null.
    std::int64_t startNs = 0;
    std::int64_t knownNs = 0; ///< It had not returned by then.
};

/// What happened to a thread's calls. `counted` is exact also where records were lost: it is the sum of the others but
/// for calls that have just ended.
struct AttachCallCounts {
    std::uint64_t counted = 0; ///< Calls that ended, of functions that are recorded.
    std::uint64_t recorded = 0;
    std::uint64_t lost = 0; ///< The ring was full.
};

/// The words of a data record: operation, address, value and flags of one part of a cuStreamBatchMemOp, or the rows of
/// a copy (JSA_COPY_IN_ROWS). Any numbers.
using AttachOperation = std::array<std::uint64_t, JSA_ARGUMENTS>;

/// A finished call in the inspected program. Times are CLOCK_MONOTONIC nanoseconds.
struct AttachEvent {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t thread = 0; ///< Index into RingReader::threads.
    std::uint16_t call = 0;   ///< attachCall() of it is not null.
    std::uint16_t flags = 0;  ///< JSA_FLAG_*
    std::uint32_t lost = 0;   ///< Calls of this thread directly before it that were not recorded.
    std::array<std::uint64_t, JSA_ARGUMENTS> argument{}; ///< The last is the direction of a copy, JSA_COPY_*.
    std::string text;                                    ///< A name that the call gave; may hold any bytes.
    std::vector<AttachOperation> operations;             ///< Of JSA_WORK_VALUES and of a copy in rows.
    std::vector<std::uint64_t> stack;                    ///< Of a few calls; see callStackOf.
    std::uint32_t submission = 0;                        ///< CUPTI's correlation id of the work; 0: not known here.
    std::uint64_t site = 0; ///< Where the program goes on after the call: an address in its process; 0 if not known.

    bool failed() const { return (flags & JSA_FLAG_FAILED) != 0; }
    /// Of a call of CUDA, its CUresult.
    int code() const { return flags >> JSA_CODE_SHIFT & JSA_CODE_MASK; }
};

/// Reads the rings of an inspected program, whatever they contain: the program may overwrite them at any time. Frees
/// the rings of threads that ended. Not thread-safe.
class RingReader {
public:
    explicit RingReader(AttachMemory &memory);

    /// A call that is open for longer than this is not waited for.
    static constexpr std::int64_t kLongestOpenNs = 2'000'000'000;

    /// Appends all calls that ended before now, in order of their ends. Returns the time up to which they are complete:
    /// every call that begins later is still to come, and so are those that began more than kLongestOpenNs ago.
    std::int64_t drain(std::vector<AttachEvent> &out);
    /// Time of the last drain.
    std::int64_t drainedNs() const { return m_nowNs; }
    /// Of programs that drain saw start since the last call.
    std::vector<AttachMaps> takeMaps() { return std::exchange(m_maps, {}); }
    /// Hardware times that were read by drain since the last call, in the order in which CUPTI delivered them.
    std::vector<AttachGpuWork> takeGpuWork();
    /// Off: what the GPU begins from this time on is not among it. Times only grow.
    void setGpuRecording(bool on, std::int64_t ns);
    const std::vector<std::string> &kernelNames() const { return m_gpu.names(); }
    AttachGpuCounts gpuCounts() const;
    /// Processes in which CUPTI was asked for.
    std::vector<AttachGpuProcess> gpuProcesses() const;
    /// All work that had completed by then was delivered; empty if no process with hardware times runs.
    std::optional<std::int64_t> gpuDeliveredNs() const;
    /// How full the fullest ring was at the last drain, from 0 to 1.
    double fullest() const { return static_cast<double>(m_fullest) / JSA_RING_RECORDS; }
    /// The program has ended or is no longer recorded: also takes what the last call held back.
    void finish(std::vector<AttachEvent> &out);

    const std::vector<AttachThread> &threads() const { return m_threads; }
    /// Processes with threads that have made calls and have not ended, as far as this process can find them.
    std::vector<std::int32_t> processes() const;
    /// Whether no process has this number any more and all of its calls were taken. Looks at most 20 times a second;
    /// false in between, and of processes that this one cannot find.
    bool hasEnded(std::int32_t pid) const;
    /// Calls that had not returned when their thread ended, or have not now; the longest first, a few.
    std::vector<AttachOpenCall> openCalls() const;
    /// By thread, as in threads().
    std::vector<AttachCallCounts> threadCounts() const;
    /// Calls that were not recorded because a ring was full.
    std::uint64_t lost() const;
    /// The same, of threads without a ring, too, and those whose record is damaged.
    std::uint64_t missing() const;
    /// Records whose content was impossible.
    std::uint64_t damaged() const { return m_damaged; }
    /// Threads that found no ring.
    std::uint32_t threadsRefused() const;
    /// How often the program got a function that could not be hooked: its calls are not seen.
    std::uint32_t unhooked() const;
    WatchedResults watchedResults() const;
    std::uint64_t recorded() const { return m_recorded; }
    /// All calls that ended, by number, whether or not they were recorded; of threads without a ring, too.
    std::array<std::uint64_t, JSA_MOST_CALLS> counts() const;
    /// Time to record one call, as the program measured it at its start; 0 if unknown.
    double recordCostNs() const;

private:
    struct Slot {
        std::uint32_t owner = 0; ///< 0: nothing is known of this ring.
        std::uint32_t thread = 0;
        bool isGpu = false;
        std::uint64_t tail = 0;
        std::string text;                          ///< Of text records before the next record.
        std::vector<AttachOperation> operations{}; ///< Of data records before it.
        std::vector<std::uint64_t> stack{};        ///< Of stack records before it.
        std::uint32_t lost = 0;                    ///< Calls before the next record.
        bool ended = false;
    };

    void readRing(std::uint32_t index, Slot &slot);
    void take(Slot &slot, const jsa_record &record);
    static void takePart(Slot &slot, const jsa_record &record);
    static void dropParts(Slot &slot);
    void giveParts(Slot &slot, const AttachCall &call, AttachEvent &event);
    void begin(std::uint32_t index, Slot &slot, std::uint32_t owner);
    void release(std::uint32_t index, Slot &slot);
    void readMaps(std::uint32_t index);
    void putInOwnNumbers(AttachThread &thread, std::uint32_t pidNamespace);
    void findEnded();
    std::uint32_t ringsUsed() const;
    std::optional<AttachOpenCall> openCall(std::uint32_t index) const;
    void addCounts(std::uint32_t index, AttachCallCounts &counts) const;
    static bool isRecorded(std::uint16_t call);

    AttachMemory &m_memory;
    TickClock m_clock;
    const std::int64_t m_startNs;
    const std::uint32_t m_namespace; ///< 0: not known.
    std::int64_t m_nowNs = 0;
    std::int64_t m_lookedNs = 0; ///< When threads were last looked for.
    std::size_t m_searches = 0;
    std::set<std::int32_t> m_elsewhere; ///< Processes of other PID namespaces that were not found.
    std::vector<Slot> m_slots;
    std::vector<AttachThread> m_threads;
    std::vector<AttachCallCounts> m_threadCounts; ///< By thread; of rings in use only what was recorded.
    std::uint64_t m_fullest = 0;
    GpuRecordReader m_gpu;
    std::vector<std::pair<std::int64_t, std::int64_t>> m_gpuPauses; ///< The newest: from, to.
    std::vector<AttachOpenCall> m_unfinished;                       ///< Of threads that ended.
    std::vector<AttachEvent> m_events;                              ///< Not returned yet.
    std::vector<AttachMaps> m_maps;
    std::array<std::uint64_t, JSA_MOST_CALLS> m_countsReleased{};
    std::uint64_t m_lostReleased = 0;
    std::uint64_t m_damaged = 0;
    std::uint64_t m_recorded = 0;
};

} // namespace jetscope
