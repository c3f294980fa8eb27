// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>
#include <map>
#include <utility>

namespace jetscope {

/// Which calls of inspected programs only put work into a graph (stream capture), which is not executed then. A capture
/// takes in other streams when they wait for its events. Memory is bounded. Not thread-safe.
class StreamCaptures {
public:
    /// Calls in order of their ends, of a thread of a process, also those that failed. True if the call begins or ends
    /// a capture or if what it submits is only captured.
    bool take(const AttachEvent &event, std::int32_t pid, std::int32_t tid);
    /// Calls are missing: no capture is known to go on.
    void clear();

private:
    using Key = std::pair<std::int32_t, std::uint64_t>; ///< Process and stream or event.
    using Captures = std::map<Key, std::uint64_t>;      ///< The stream in which the capture began.

    void begin(Key stream);
    void end(Key stream);
    bool takeWork(const AttachEvent &event, std::int32_t pid, std::int32_t tid);

    Captures m_streams; ///< Those that are captured.
    Captures m_events;  ///< Those whose newest record was captured.
};

} // namespace jetscope
