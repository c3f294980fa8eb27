// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"
#include "core/hazards/hazardledger.h"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace jetscope {

/// One value that a stream writes (cuStreamWriteValue32 and the like) or waits for (cuStreamWaitValue32).
struct ValueOperation {
    bool waits = false;
    bool isKnown = true; ///< False: a wait for something that was not recorded.
    unsigned bits = 32;  ///< 32 or 64
    std::uint64_t address = 0;
    std::uint64_t value = 0;
    std::uint64_t flags = 0; ///< CUstreamWaitValue_flags or CUstreamWriteValue_flags

    bool operator==(const ValueOperation &) const = default;
};

/// What a call does, in order, with the operations of a cuStreamBatchMemOp one by one. Empty for other calls.
std::vector<ValueOperation> valueOperationsOf(const AttachEvent &event);

/// The order that the streams of a process make by values in memory. Each write is an event of the hazard ledger, and a
/// wait waits for the write that makes its condition true. A wait may be submitted before its write, and the CPU or a
/// kernel may write the value, which is not seen: such a stream *waits* until the write comes or until the CPU has
/// waited for the stream, and meanwhile nothing is known of the order of its work. Memory is bounded. Not thread-safe.
class StreamValues {
public:
    using Object = HazardLedger::Object;

    explicit StreamValues(HazardLedger &ledger) : m_ledger(ledger) {}
    StreamValues(const StreamValues &) = delete; // Its writes are objects of the ledger.
    StreamValues &operator=(const StreamValues &) = delete;

    /// Streams by their number, and as the ledger knows them.
    void write(std::uint64_t stream, Object object, const ValueOperation &operation, const HazardCaller &caller);
    void wait(std::uint64_t stream, Object object, const ValueOperation &operation);
    /// A stream waits for what is not seen.
    void waitForUnseen(std::uint64_t stream, Object object);
    /// An event of the ledger is recorded in a stream; a stream waits for an event; an event ends.
    void recordEvent(Object event, std::uint64_t stream);
    void waitEvent(std::uint64_t stream, Object object, Object event);
    void removeEvent(Object event) { m_behind.erase(event); }

    /// The order of this stream's work is not known: it waits, or what the CPU knows is not known.
    bool isUnordered(std::uint64_t stream) const;

    /// The CPU knows that the work of a stream, of all streams, or before an event's record is complete.
    void complete(std::uint64_t stream);
    void completeAll();
    void eventSeen(Object event);
    /// The CPU may learn at any time that what the stream has so far is complete: by a host function, a value in memory
    /// that it can read, or the wait for an EGLSync that stands for an event. While the stream waits, what it then
    /// knows is not known.
    void cpuMayLearn(std::uint64_t stream);
    void cpuMayLearnOf(Object event);
    /// The stream is gone and its work goes on: another one may get its number.
    void retire(std::uint64_t stream);
    /// Streams that are gone and still wait.
    std::size_t retired() const;
    /// These bytes are overwritten or freed.
    void overwrite(std::uint64_t address, std::uint64_t bytes);

private:
    struct Write {
        std::uint64_t value = 0;
        std::uint64_t stream = 0;
        /// The work before it is complete when the value can be seen. Without a barrier of its own that is not known:
        /// it may be behind one of another write or of a batch, and reads before it are complete in any case.
        bool orders = true;
    };
    using Writes = std::deque<Write>; ///< With growing values; an object of the ledger each, so that they do not move.
    struct Wait {
        std::uint64_t number = 0; ///< Growing in a stream; several may have the same one.
        ValueOperation operation;
    };
    struct Waiting {
        Object object = nullptr; ///< Null if the stream is gone.
        bool cpuMayLearn = false;
        std::vector<Wait> waits;
    };
    using WaitingStreams = std::map<std::uint64_t, Waiting>; ///< By number.
    /// An event or a write behind waits.
    struct Behind {
        std::uint64_t stream = 0;
        std::uint64_t newest = 0; ///< Number of the newest wait before its record.
    };

    const Write *writeFor(const ValueOperation &wait) const;
    void addWait(std::uint64_t stream, Object object, const ValueOperation &operation);
    void resolve(std::uint64_t stream, Waiting &waiting, const Write &write, const ValueOperation &operation,
                 const std::vector<Wait> &open);
    WaitingStreams::iterator end(WaitingStreams::iterator waiting);
    void remove(const Write &write);
    void forget(Writes &writes);

    HazardLedger &m_ledger;
    std::map<std::uint64_t, Writes> m_writes; ///< By address.
    WaitingStreams m_waiting;
    std::map<Object, Behind> m_behind; ///< By event.
    std::uint64_t m_waits = 0;
    std::uint64_t m_retired = 0; ///< So many have got a number of this class.
};

} // namespace jetscope
