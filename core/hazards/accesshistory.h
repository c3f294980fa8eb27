// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/memory.h"
#include "core/hazards/vectorclock.h"
#include "core/recording/span.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// What accesses memory.
enum class AccessKind : std::uint8_t {
    Cpu,       ///< A CPU thread, within a scope.
    Kernel,    ///< A chain of kernels.
    Copy,      ///< A copy in a stream.
    GlCommand, ///< Commands of the GL queue.
    View,      ///< The window's own GL commands.
};

inline bool isStreamWork(AccessKind kind)
{
    return kind == AccessKind::Kernel || kind == AccessKind::Copy;
}

/// One access to memory as it was submitted.
struct MemoryAccess {
    QueueId queue = 0;
    Tick tick = 0;
    Access access = Access::Read;
    AccessKind kind = AccessKind::Cpu;
    bool open = false;      ///< A CPU scope that has not ended.
    std::size_t offset = 0; ///< Bytes [offset, offset + bytes) of the memory, in each of `rows`.
    std::size_t bytes = 0;
    std::uint32_t frame = kNoFrame;
    std::int64_t timeNs = 0;        ///< When it was submitted; of a scope, when it began.
    LaneRole role = LaneRole::Tool; ///< Of a CPU scope: that of the thread; Tool when it is not traced.
    std::size_t rows = 1;
    std::size_t pitch = 0; ///< From a row to the next one, in bytes; at least `bytes`.
};

/// Whether two accesses have bytes in common. Where their pitches differ, at most 8192 rows of the access with fewer
/// rows are compared, from the first one that can meet the other access.
bool meet(const MemoryAccess &a, const MemoryAccess &b);

/// The accesses to one piece of memory that later accesses can still conflict with. Bounded by the number of queues and
/// of different ranges: what a later access of the same range is ordered after is removed.
class AccessHistory {
public:
    /// The newest access that conflicts with `next` (the ranges meet and one of the two writes) and that is not ordered
    /// before it. `known` is the clock of the queue of `next`.
    std::optional<MemoryAccess> conflict(const MemoryAccess &next, const VectorClock &known) const;
    /// The newest access that is not complete for a thread that knows `known`.
    std::optional<MemoryAccess> inFlight(const VectorClock &known) const;
    /// The same for kernels and copies only.
    std::optional<MemoryAccess> streamWorkInFlight(const VectorClock &known) const;
    void add(const MemoryAccess &access, const VectorClock &known);
    /// Drops what is complete for every later access: `known` is what the CPU knows, which all work comes after. Of
    /// more than 1024 others the older half goes, too, so that the history stays bounded.
    /// Returns whether that was so.
    bool forget(const VectorClock &known);
    /// Ends the open scope of this range and access; its end is at `tick`.
    void end(const MemoryAccess &scope, Tick tick);

    const std::vector<MemoryAccess> &accesses() const { return m_accesses; }

private:
    std::vector<MemoryAccess> m_accesses; ///< Oldest first.
};

} // namespace jetscope
