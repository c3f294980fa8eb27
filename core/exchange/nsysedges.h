// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/nsystables.h"
#include "core/progress.h"
#include "core/trace/spanedge.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jetscope {

/// The dependencies in an Nsight Systems export: a call launches work (by correlation id), and a synchronizing call
/// waits for the work that was in its stream, context or event when it was called. Calls must be added first. Not
/// thread-safe.
class NsysEdges {
public:
    enum class WaitKind : std::uint8_t {
        Unknown,
        Nothing, ///< A query that does not block.
        Event,
        Stream,
        Context,
        StreamForEvent, ///< The stream waits, the call does not block.
    };
    /// A CUDA API call.
    struct Call {
        std::int64_t startNs = 0;
        LaneId lane = 0;
        WaitKind waits = WaitKind::Unknown; ///< Derived from its name.
    };

    void addCall(const NsysRow &row, std::string_view name, LaneId lane);
    /// The call that submitted the given work, record or wait; null if the export does not contain it.
    const Call *callOf(const NsysRow &row) const;
    void addWork(const NsysRow &row, LaneId lane);
    void addRecord(const NsysRow &row);
    /// What a synchronization row waits for: determined by the name of its call, else by the row's fields. Its syncType
    /// is ignored: Nsight Systems 2025 writes 2, "stream waits for event", for cudaStreamSynchronize.
    WaitKind kindOf(const NsysRow &row) const;
    void addWait(const NsysRow &row);

    /// Call after everything was added. Returns false when cancelled.
    bool join(std::vector<SpanEdge> &edges, Progress &progress, double fraction);

private:
    struct Work {
        std::int64_t launchNs; ///< Start of the call; without a call, start of the work.
        std::int64_t startNs;
        std::int64_t endNs;
        LaneId lane;
    };
    using Stream = std::tuple<std::uint64_t, std::int64_t, std::int64_t>; ///< Process, context, stream.
    using Event = std::pair<std::uint64_t, std::int64_t>;                 ///< Process, event.
    struct Record {
        std::int64_t callNs;
        Stream stream;
    };
    struct Wait {
        Call call;
        Stream stream;
        Event event;
        WaitKind kind;
    };

    const Work *lastWorkBefore(const Stream &stream, std::int64_t launchNs) const;
    const Work *lastWorkOfContext(const Wait &wait) const;
    const Work *lastWorkOfEvent(const Wait &wait) const;
    void join(const Wait &wait, std::vector<SpanEdge> &edges) const;

    std::unordered_map<std::uint64_t, Call> m_calls; ///< By process and correlation id.
    std::map<Stream, std::vector<Work>> m_work;
    std::map<Event, std::vector<Record>> m_records;
    std::vector<Wait> m_waits;
    std::vector<SpanEdge> m_launches;
};

} // namespace jetscope
