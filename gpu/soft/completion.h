// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/choices.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace jetscope {

/// One record of an event: completes once, when its stream reaches it. Any thread.
class Completion {
public:
    /// `streamId` and `sequence` identify its position in its stream.
    Completion(std::uint64_t streamId, std::uint64_t sequence) : m_streamId(streamId), m_sequence(sequence) {}

    void complete(std::int64_t stampNs);
    bool done() const { return m_done.load(std::memory_order_acquire); }
    /// Waits according to the policy: Spin and Yield use the CPU, Block and Auto sleep.
    void wait(WaitPolicy policy) const;

    /// The completion time; valid only after `done`.
    std::int64_t stampNs() const { return m_stampNs; }
    std::uint64_t streamId() const { return m_streamId; }
    std::uint64_t sequence() const { return m_sequence; }

private:
    const std::uint64_t m_streamId;
    const std::uint64_t m_sequence;
    std::int64_t m_stampNs = 0;
    std::atomic<bool> m_done{false};
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_condition;
};

} // namespace jetscope
