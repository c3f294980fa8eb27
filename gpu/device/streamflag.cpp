// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/streamflag.h"

#include <climits>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace jetscope {

void StreamFlag::sleepUntil(std::uint32_t value, std::chrono::microseconds time) const
{
    const std::uint32_t seen = load();
    if (static_cast<std::int32_t>(seen - value) >= 0)
        return;
    const timespec limit{0, std::chrono::nanoseconds(time).count()};
    // The kernel compares the word with `seen` again, so a write in between is not missed.
    syscall(SYS_futex, m_word, FUTEX_WAIT_PRIVATE, seen, &limit, nullptr, 0);
}

void storeFlag(std::uint32_t *word, std::uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace jetscope
