// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace jetscope {

/// The stream of a call as a number of its process: the default stream of a thread is another one for each thread, and
/// CU_STREAM_LEGACY is the same as 0.
std::uint64_t streamOfCall(const AttachEvent &event, std::size_t argument, std::int32_t tid);
/// Whether such a number is that of a thread's own default stream.
bool isStreamOfThread(std::uint64_t stream);

/// Whether waits of an inspected program wait for more than they need. What the CPU takes is known of copies to the
/// host only: a wait that also covers kernels which were submitted behind the copy waits for more. Processes in which
/// kernels can write what the CPU or GL reads are not judged. Memory is bounded. Not thread-safe.
class AwaitedWork {
public:
    /// Calls in order of their ends, none that failed or was only captured. True for a wait that waits for more.
    bool take(const AttachEvent &event, std::int32_t pid, std::int32_t tid);
    /// Calls were left out.
    void interrupt();

private:
    using Key = std::pair<std::int32_t, std::uint64_t>; ///< Process and stream or event.
    /// Numbers of submissions, from 1.
    struct Stream {
        std::uint64_t newest = 0;
        std::uint64_t copyToHost = 0;
        std::uint64_t kernel = 0;
        std::uint64_t complete = 0;                     ///< As the CPU knows.
        std::map<std::uint64_t, std::uint64_t> awaited; ///< By stream: up to here it waits for that one's work.

        bool hasCopy() const { return copyToHost > complete; }
    };
    struct Event {
        std::uint64_t stream = 0;
        std::uint64_t submission = 0;
    };

    /// Null if there are too many.
    Stream *streamAt(Key key);
    void takeEvent(const AttachEvent &event, std::int32_t pid, std::int32_t tid);
    void awaitAll(Key key);
    void submit(Key key, const AttachEvent &event);
    bool wait(Key key);
    bool waitForAll(std::int32_t pid);

    std::map<Key, Stream> m_streams;
    std::map<Key, Event> m_events;
    std::set<std::int32_t> m_shared; ///< Processes where kernels can write what the CPU or GL reads.
};

} // namespace jetscope
