// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/programmodel.h"
#include "core/attach/read/ringreader.h"
#include "core/figures/overlap.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace jetscope {

/// An interval in which work of a stream ran, without its exact place in it.
struct BoundedWork {
    std::int32_t pid = 0;
    std::uint64_t stream = 0; ///< Its handle; of a thread's own default stream, a number of this class.
    Interval time;
};

/// When an inspected program's GPU was busy at most, by its calls alone: from the submission to the return of the first
/// call that shows that the work is complete, also where that waits for another stream, which waits for the work.
/// Memory is bounded. Not thread-safe.
class WorkBounds {
public:
    explicit WorkBounds(const ProgramModel &model) : m_model(model) {}

    /// Calls that the model has taken, with the same numbers. Appends what they complete.
    void take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::vector<BoundedWork> &out);
    /// Appends the parts before `ns` of all work that may still run, so that each frame has its part.
    void cut(std::int64_t ns, std::vector<BoundedWork> &out);
    /// Processes with work that may still run.
    std::vector<std::int32_t> processes() const;
    /// A process was seen to have ended at `ns`, and its work with it: appends the bounds of all of it.
    void endProcess(std::int32_t pid, std::int64_t ns, std::vector<BoundedWork> &out);
    /// Calls were left out: work that may have run before is taken for complete.
    void interrupt();

private:
    using Key = std::pair<std::int32_t, std::uint64_t>; ///< Process and handle.
    struct Stream {
        std::uint64_t handle = 0;
        std::deque<std::int64_t> submitted; ///< Times of the work that may still run.
        std::int64_t shownNs = 0;           ///< Up to here it was appended.

        /// Appends what was not, up to this time; whether there is such a part. There is work.
        bool append(std::int32_t pid, std::int64_t untilNs, std::vector<BoundedWork> &out) const;
    };
    struct Event {
        std::uint64_t stream = 0;
        std::int64_t recordedNs = 0;
    };
    /// A stream waits for what another one was given before.
    struct Awaited {
        std::int64_t sinceNs = 0; ///< The wait was submitted.
        Event work;
    };

    void submit(Key key, std::int64_t ns);
    void awaitEvent(Key key, std::uint64_t event, std::int64_t ns);
    void settle(Key key, std::int64_t submittedBefore, std::int64_t completeNs, std::vector<BoundedWork> &out);
    void settleAwaited(Key key, std::int64_t submittedBefore, std::int64_t completeNs, std::vector<BoundedWork> &out);
    void settleDefault(Key key, std::int64_t submittedNs, std::int64_t completeNs, std::vector<BoundedWork> &out);
    void retire(Key key, std::int64_t ns);
    Stream &retiredStream(Key &key);
    void settleAll(std::int32_t pid, const AttachEvent &event, std::vector<BoundedWork> &out);

    const ProgramModel &m_model;
    std::map<Key, Stream> m_streams; ///< Of streams that are gone, under numbers of this class.
    std::uint64_t m_retired = 0;     ///< Numbers so far.
    std::map<Key, Event> m_events;
    std::map<Key, std::deque<Awaited>> m_awaited; ///< By the stream that waits.
};

} // namespace jetscope
