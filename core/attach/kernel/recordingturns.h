// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace jetscope {

/// When a recording was turned on and off, for a trace that is read later: each line counts as of its own time. Memory
/// is bounded. Not thread-safe.
class RecordingTurns {
public:
    /// From this time on, which is not before that of an earlier call.
    void add(bool on, std::int64_t ns)
    {
        if (m_coming.size() >= kMaxComing)
            m_coming.pop_front();
        m_coming.push_back({on, ns});
    }
    /// Goes on to the time of the next line; whether the recording was turned before.
    bool goTo(std::int64_t ns)
    {
        bool isTurned = false;
        for (; !m_coming.empty() && m_coming.front().ns <= ns; m_coming.pop_front()) {
            m_isOn = m_coming.front().on;
            isTurned = true;
        }
        return isTurned;
    }
    bool isOn() const { return m_isOn; }

private:
    static constexpr std::size_t kMaxComing = 1024;
    struct Turn {
        bool on = true;
        std::int64_t ns = 0;
    };

    std::deque<Turn> m_coming;
    bool m_isOn = true;
};

} // namespace jetscope
