// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"
#include "core/recording/span.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace jetscope {

/// Looks for events of CUDA that an inspected program records, and for which nothing ever waits: no stream, no thread,
/// no fence, and nobody asks for their state or time. Events that another process may use are not judged, nor those
/// that were made before the recording. Memory is bounded. Not thread-safe.
class UnawaitedEvents {
public:
    struct Record {
        AttachEvent call;
        std::uint32_t frame = kNoFrame;
    };

    /// Every call, also one that failed or was only captured: to ask for an event that is not complete is an error.
    void takeUse(const AttachEvent &event, std::int32_t process);
    /// Calls in order of their ends, none that failed or was only captured. Returns an earlier record for which nothing
    /// has waited, if the call shows that.
    std::optional<Record> take(const AttachEvent &event, std::int32_t process, std::uint32_t frame);
    /// Calls were left out: what was recorded before may have been awaited.
    void interrupt();

private:
    struct Event {
        std::optional<Record> last;
        std::uint32_t unawaited = 0; ///< Records before the last one.
    };

    std::map<std::pair<std::int32_t, std::uint64_t>, Event> m_events; ///< Without a use so far, by process and event.
};

} // namespace jetscope
