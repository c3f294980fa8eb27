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

/// What an Nsight Systems export says of who waits for whom: a call launches work (by correlation id), a synchronising
/// call waits for what its stream, context or event had to do when it was called. Calls come first. One thread.
class NsysEdges {
public:
    enum class WaitKind : std::uint8_t {
        Unknown,
        Nothing, ///< It looks and goes on.
        Event,
        Stream,
        Context,
        StreamForEvent, ///< A stream waits, the call does not.
    };
    /// A call of the CUDA API.
    struct Call {
        std::int64_t startNs = 0;
        LaneId lane = 0;
        WaitKind waits = WaitKind::Unknown; ///< As its name says.
    };

    void addCall(const NsysRow &row, std::string_view name, LaneId lane);
    /// The call that asked for a piece of work, a record or a wait; null when the export has none.
    const Call *callOf(const NsysRow &row) const;
    void addWork(const NsysRow &row, LaneId lane);
    void addRecord(const NsysRow &row);
    /// What a row of synchronisations waits for: by the name of its call, else by what the row names. Its syncType is
    /// not asked: Nsight Systems 2025 writes 2, "stream waits for event", for cudaStreamSynchronize.
    WaitKind kindOf(const NsysRow &row) const;
    void addWait(const NsysRow &row);

    /// Once everything was added. False when it was cancelled.
    bool join(std::vector<SpanEdge> &edges, Progress &progress, double fraction);

private:
    struct Work {
        std::int64_t launchNs; ///< Start of the call; of the work itself without one.
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

    static std::uint64_t keyOf(const NsysRow &row);
    const Work *lastWorkBefore(const Stream &stream, std::int64_t launchNs) const;
    const Work *lastWorkOfContext(const Wait &wait) const;
    const Work *lastWorkOfEvent(const Wait &wait) const;
    void join(const Wait &wait, std::vector<SpanEdge> &edges) const;

    std::unordered_map<std::uint64_t, Call> m_calls; ///< By process and correlation.
    std::map<Stream, std::vector<Work>> m_work;
    std::map<Event, std::vector<Record>> m_records;
    std::vector<Wait> m_waits;
    std::vector<SpanEdge> m_launches;
};

} // namespace jetscope
