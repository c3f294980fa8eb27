// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/nviva/nvivaboard.h"

#include <cstring>
#include <ctime>
#include <limits>

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace jetscope {

void NvivaBoard::setTrouble(const std::string &text)
{
    const std::size_t length = text.copy(trouble, kMaxText);
    trouble[length] = '\0';
}

std::string NvivaBoard::troubleText() const
{
    return std::string(trouble, strnlen(trouble, kMaxText));
}

void waitForChange(const std::atomic<std::uint32_t> &word, std::uint32_t value, std::chrono::milliseconds atMost)
{
    timespec time{};
    time.tv_sec = static_cast<time_t>(atMost.count() / 1000);
    time.tv_nsec = static_cast<long>(atMost.count() % 1000 * 1'000'000);
    syscall(SYS_futex, &word, FUTEX_WAIT, value, &time, nullptr, 0);
}

void wakeOther(const std::atomic<std::uint32_t> &word)
{
    syscall(SYS_futex, &word, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, nullptr, 0);
}

bool NvivaMapping::map(int descriptor, std::size_t bytes)
{
    unmap();
    void *const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED)
        return false;
    m_memory = static_cast<std::byte *>(memory);
    m_bytes = bytes;
    return true;
}

void NvivaMapping::unmap()
{
    if (m_memory)
        munmap(m_memory, m_bytes);
    m_memory = nullptr;
    m_bytes = 0;
}

} // namespace jetscope
