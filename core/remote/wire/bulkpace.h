// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace jetscope {

/// How much of Bulk may be on its way, so that what is urgent does not wait long behind it: a slow link holds less. How
/// long bytes take is known from the far end's grants; when they take much longer than they must, they wait for one
/// another, and fewer are sent. Not thread-safe.
class BulkPace {
public:
    static constexpr std::size_t kLeast = 16 << 10;

    /// Of the far end's window.
    explicit BulkPace(std::size_t most) : m_most(most) {}

    void sent(std::size_t bytes, std::int64_t nowNs);
    /// The far end has used so many, and grants them anew.
    void used(std::size_t bytes, std::int64_t nowNs);
    /// A message may begin while less than this is on its way.
    std::size_t limit() const { return m_limit; }
    bool maySend() const { return m_sent - m_used < m_limit; }

private:
    struct Mark {
        std::uint64_t end = 0; ///< Of all bytes so far.
        std::int64_t sentNs = 0;
    };

    std::size_t m_most;
    std::size_t m_limit = 64 << 10;
    std::uint64_t m_sent = 0;
    std::uint64_t m_used = 0;
    std::deque<Mark> m_onWay;
    std::int64_t m_leastNs = INT64_MAX; ///< That a message took, lately.
    std::int64_t m_forgetNs = 0;        ///< When that is measured anew.
};

} // namespace jetscope
