// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/livecount.h"

#include <chrono>
#include <cstdint>

namespace jetscope {

/// Whether a flag is written behind all earlier work of its stream, or may come before it
/// (CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER).
enum class WriteOrder : std::uint8_t { AfterAll, AnyTime };

/// A word in memory that a stream writes in its order and that CPU threads read. Its values only grow. Belongs to the
/// Device that made it; streams have written it for the last time when it goes. Any thread.
class StreamFlag : public Watched {
public:
    /// What was written before the flag is visible when this is true. For back ends; others ask the Device.
    bool isReached(std::uint32_t value) const { return static_cast<std::int32_t>(load() - value) >= 0; }
    /// Sleeps until the value is there, if somebody wakes (`store` does, a GPU does not), and for `time` at most.
    void sleepUntil(std::uint32_t value, std::chrono::microseconds time) const;

protected:
    /// The memory outlives the flag.
    explicit StreamFlag(std::uint32_t *word) : m_word(word) {}

    std::uint32_t load() const { return __atomic_load_n(m_word, __ATOMIC_ACQUIRE); }

private:
    std::uint32_t *m_word;
    CountedHandle m_counted;
};

/// What a software device does in place of a GPU's write: makes all that it wrote before visible, and wakes sleepers.
void storeFlag(std::uint32_t *word, std::uint32_t value);

} // namespace jetscope
