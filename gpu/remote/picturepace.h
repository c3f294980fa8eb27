// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/previewer.h"

#include <chrono>
#include <cstddef>
#include <optional>

namespace jetscope {

/// How often one laptop gets pictures, and how small: at most ten a second, and each followed by as much time as it
/// took to arrive, so that they use less than half of a link. From the smallest pictures on they grow as long as that
/// makes them arrive hardly later: what is urgent never waits long behind one. Not thread-safe.
class PicturePace {
public:
    using Time = std::chrono::steady_clock::time_point;

    bool isDue(Time now) const { return now >= m_next; }
    void sent(Time now);
    /// The far end has the last one, for so long, and wants another.
    void wanted(Time now, std::chrono::nanoseconds held);
    const Reduction &reduction() const;

private:
    std::size_t m_level = 0;
    Time m_next{};
    std::optional<Time> m_sent; ///< On its way.
    /// The fastest so far: the way there and back, and the work for a small picture.
    std::optional<std::chrono::nanoseconds> m_fastest;
    int m_quick = 0; ///< In a row.
    int m_late = 0;
    Time m_growsFrom{}; ///< Not before.
};

} // namespace jetscope
