// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/attachmemory.h"

#include "core/time/cpucounter.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

namespace jetscope {

namespace {

Error noMemoryFile(const char *call)
{
    const int reason = errno;
    return {call, reason,
            std::string("the memory that is shared with the program cannot be created (") + std::strerror(reason)
                + "): allow larger files (\"ulimit -f\") and more address space (\"ulimit -v\"), or free memory"};
}

/// No other session has it, at the same time or later.
std::string newToken()
{
    std::random_device random;
    std::array<char, JSA_TOKEN_BYTES + 1> text{};
    std::snprintf(text.data(), text.size(), "%08x%08x", static_cast<unsigned>(random()),
                  static_cast<unsigned>(random()));
    return text.data();
}

} // namespace

Result<AttachMemory> AttachMemory::create(std::uint32_t options)
{
    const int file = memfd_create("jetscope-attach", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return noMemoryFile("memfd_create");
    AttachMemory memory(file, nullptr);
    if (ftruncate(file, static_cast<off_t>(JSA_FILE_BYTES)) != 0)
        return noMemoryFile("ftruncate");
    if (fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return noMemoryFile("fcntl");
    void *bytes = mmap(nullptr, JSA_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (bytes == MAP_FAILED)
        return noMemoryFile("mmap");
    memory.m_bytes = bytes;
    jsa_session &session = memory.session();
    session.version = JSA_VERSION;
    session.clock = hasCpuCounter() ? JSA_CLOCK_COUNTER : JSA_CLOCK_MONOTONIC;
    session.options = options;
    memory.m_token = newToken();
    std::memcpy(session.token, memory.m_token.data(), JSA_TOKEN_BYTES);
    session.magic = JSA_MAGIC;
    return memory;
}

AttachMemory::~AttachMemory()
{
    if (m_bytes)
        munmap(m_bytes, JSA_FILE_BYTES);
    if (m_file >= 0)
        close(m_file);
}

jsa_ring &AttachMemory::ring(std::uint32_t index) const
{
    return *reinterpret_cast<jsa_ring *>(static_cast<std::byte *>(m_bytes) + JSA_RING_OFFSET(index));
}

const jsa_record *AttachMemory::records(std::uint32_t index) const
{
    return reinterpret_cast<const jsa_record *>(static_cast<const std::byte *>(m_bytes) + JSA_RING_OFFSET(index)
                                                + JSA_RING_HEADER_BYTES);
}

void AttachMemory::discardRecords(std::uint32_t index)
{
    madvise(const_cast<jsa_record *>(records(index)), JSA_RING_BYTES - JSA_RING_HEADER_BYTES, MADV_REMOVE);
}

std::string AttachMemory::address() const
{
    return m_token + ":/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(m_file);
}

void AttachMemory::setQuiet(bool quiet)
{
    std::atomic_ref(session().quiet).store(quiet ? 1 : 0, std::memory_order_relaxed);
}

} // namespace jetscope
