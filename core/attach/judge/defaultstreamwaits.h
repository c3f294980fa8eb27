// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/programmodel.h"
#include "core/recording/span.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace jetscope {

/// How long the GPU's work of an inspected program was held up by that of the legacy default stream, or that one's by
/// others: the time between its submission, or the end of the work before it in its stream, and its beginning, as far
/// as such work ran then that was submitted before. The GPU may have been too busy for both at once, so that it is the
/// most that other streams can bring. Memory is bounded. Not thread-safe.
class DefaultStreamWaits {
public:
    struct Work {
        std::int32_t pid = 0;
        std::uint32_t context = 0;
        std::uint32_t stream = 0; ///< CUPTI's number.
        StreamRole role = StreamRole::Free;
        std::uint32_t frame = kNoFrame;
        std::int64_t submittedNs = 0;
        std::int64_t startNs = 0; ///< By the hardware.
        std::int64_t endNs = 0;
    };

    /// In any order.
    void add(const Work &work);
    /// All that began before this time was added.
    void settle(std::int64_t ns);

    /// Whether any work was added, in frames behind those of setting up.
    bool isKnown() const { return m_isKnown; }
    /// In these frames, so far.
    std::int64_t waitedNs() const { return m_waitedNs; }

private:
    struct Context {
        std::map<std::uint32_t, std::int64_t> endNs; ///< Of the newest work, by stream.
        std::array<std::deque<Work>, 2> recent;      ///< In the order of their beginnings: legacy, others.
    };

    void place(const Work &work);

    std::vector<Work> m_added; ///< Not settled.
    std::map<std::pair<std::int32_t, std::uint32_t>, Context> m_contexts;
    bool m_isKnown = false;
    std::int64_t m_waitedNs = 0;
};

} // namespace jetscope
