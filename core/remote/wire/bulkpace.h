// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace jetscope {

/// How much of Bulk may be on its way, so that what is urgent does not wait long behind it: a slow link holds less. How
/// long bytes take is known from the far end's grants; when they take much longer than they must, they wait for one
/// another, and fewer are sent. Grants count content; what is on its way is counted as it is on the link, packed,
/// because that is what takes time. Not thread-safe.
class BulkPace {
public:
    static constexpr std::size_t kLeast = 8 << 10;

    /// The far end's window, and how much content it uses before it grants any: so much is always sent, or both ends
    /// would wait for each other.
    BulkPace(std::size_t most, std::size_t grant) : m_most(most), m_grant(grant) {}

    /// A message with so much content, which is `onLink` bytes there.
    void sent(std::size_t content, std::size_t onLink, std::int64_t nowNs);
    /// The far end has used so many, and grants them anew.
    void used(std::size_t content, std::int64_t nowNs);
    /// A message may begin while fewer bytes than this are on their way.
    std::size_t limit() const { return m_limit; }
    bool maySend() const { return m_onLink < m_limit || m_sent - m_used < m_grant; }

private:
    struct Mark {
        std::uint64_t end = 0; ///< Of all content so far.
        std::size_t onLink = 0;
        std::int64_t sentNs = 0;
        bool isAlone = false; ///< Nothing else was on its way.
    };

    std::size_t m_most;
    std::size_t m_grant;
    std::size_t m_limit = 32 << 10;
    std::uint64_t m_sent = 0; ///< Content, like the next.
    std::uint64_t m_used = 0;
    std::size_t m_onLink = 0; ///< Bytes on their way.
    std::deque<Mark> m_onWay;
    std::int64_t m_leastNs = INT64_MAX; ///< That a message took, lately.
    std::int64_t m_reducedNs = 0;       ///< When the limit became less.
    std::int64_t m_forgetNs = 0;        ///< When that is measured anew.
};

} // namespace jetscope
