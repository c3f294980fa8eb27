// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/buffernames.h"
#include "core/attach/model/streamcaptures.h"
#include "core/hazards/memory.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace jetscope {

/// How a stream of an inspected program stands to the legacy default stream.
enum class StreamRole : std::uint8_t {
    Free,     ///< Neither waits for the other.
    Legacy,   ///< It is that one.
    Blocking, ///< Each waits for the other.
};

/// What a process of an inspected program has now.
struct ProgramProcess {
    struct Memory {
        std::uint64_t bytes = 0;
        Allocation kind = Allocation::Device;
        bool isOfPool = false;          ///< It was allocated in the order of a stream.
        Attach attach = Attach::Global; ///< Of managed memory.
        std::int64_t madeNs = 0;        ///< When the call that made it ended; of those below the same.

        bool isOfHost() const { return kind == Allocation::Pinned || kind == Allocation::Registered; }
        bool isGlobal() const { return kind == Allocation::Managed && attach == Attach::Global; }
    };
    using MemoryMap = std::map<std::uint64_t, Memory>; ///< By address.
    struct Stream {
        bool isBlocking = false; ///< It and the legacy default stream wait for each other.
        std::int64_t madeNs = 0;
    };
    struct Event {
        std::int64_t madeNs = 0;
    };

    MemoryMap memory;
    std::map<std::uint64_t, Stream> streams; ///< Those that it made, by handle.
    std::map<std::uint64_t, Event> events;
    std::map<std::int32_t, std::uint64_t> contexts; ///< Of GL: those that are current, by thread.

    /// The memory around an address; null if it is not known.
    const MemoryMap::value_type *memoryAt(std::uint64_t address) const;
    /// Empty if it is not known.
    std::optional<bool> isBlocking(std::uint64_t stream) const;
    /// 0: none, or it is not known.
    std::uint64_t contextOf(std::int32_t tid) const;
};

/// What an inspected program has, as its calls tell: memory and its names, streams, captures, current contexts. The
/// judges of calls ask it, so that all know the same. Memory is bounded. Not thread-safe.
class ProgramModel {
public:
    ProgramModel();
    ProgramModel(const ProgramModel &) = delete; // Those that ask it refer to it.
    ProgramModel &operator=(const ProgramModel &) = delete;

    /// Calls in order of their ends, also those that failed, of a thread of a process, as the system numbers them;
    /// before others get the call. False for one that gives back an address or a handle that another thread got again
    /// before it had returned: what has it now, stays.
    bool take(const AttachEvent &event, std::int32_t pid, std::int32_t tid);
    /// Calls were left out: no capture is known to go on.
    void interrupt() { m_captures.clear(); }

    // Of the newest call:
    const ProgramProcess &process() const { return *m_process; }
    /// Whether it begins or ends a capture, or what it submits is only captured.
    bool isCaptured() const { return m_isCaptured; }
    /// The memory that it gave back; empty if it gave none.
    const ProgramProcess::MemoryMap::node_type &freed() const { return m_freed; }
    /// If it makes a context of GL current: the one that was it before on its thread; as ProgramProcess::contextOf.
    std::uint64_t contextBefore() const { return m_contextBefore; }

    const ProgramProcess &of(std::int32_t pid) const;
    const BufferNames &names() const { return m_names; }
    /// `stream`: from streamOfCall.
    StreamRole roleOf(std::int32_t pid, std::uint64_t stream) const;
    /// JSA_COPY_* of a copy: as its call says, or as the memory on both sides says, if it is known.
    std::uint64_t directionSeen(const AttachEvent &event, std::int32_t pid) const;

private:
    bool change(ProgramProcess &process, const AttachEvent &event, std::int32_t pid, std::int32_t tid);
    template <class Map>
    void put(Map &map, typename Map::key_type key, const typename Map::mapped_type &value);
    template <class Map>
    bool end(Map &map, const AttachEvent &event, typename Map::node_type *ended = nullptr);

    std::map<std::int32_t, ProgramProcess> m_processes;
    StreamCaptures m_captures;
    BufferNames m_names;
    std::size_t m_places = 0; ///< Entries of all processes.
    const ProgramProcess *m_process;
    ProgramProcess::MemoryMap::node_type m_freed;
    bool m_isCaptured = false;
    std::uint64_t m_contextBefore = 0;
};

} // namespace jetscope
