// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// What one wait for the GPU cost the thread that made it.
struct WaitCost {
    std::int64_t wallNs = 0;
    std::int64_t blocks = 0;      ///< How often the thread gave its core away to wait (ru_nvcsw of getrusage).
    std::int64_t preemptions = 0; ///< How often another thread took the core from it (ru_nivcsw of getrusage).
};

/// Judges the waits of one thread (rule B4). A wait in which the thread never gave its core away was spinning. The CPU
/// time of the wait does not tell: it is a small part of it where many threads share the core. A spinning thread that
/// is preempted again and again has no core of its own: a thread with a free core is only preempted by chance.
class SpinningWaits {
public:
    /// Returns whether the newest waits spin without a free core. Waits too short to tell are ignored.
    bool add(const WaitCost &wait);

private:
    int m_waits = 0;
    int m_spun = 0;
    int m_preempted = 0; ///< Waits that spun and were preempted.
};

} // namespace jetscope
