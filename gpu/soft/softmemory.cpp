// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/softmemory.h"

#include "gpu/soft/managedrules.h"

#include <cerrno>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace jetscope {

namespace {

Error outOfMemory(const char *call, std::size_t bytes)
{
    return Error{call, errno,
                 std::to_string(bytes) + " bytes could not be had (" + std::strerror(errno)
                     + "); choose a smaller frame size or fewer frames in flight"};
}

std::byte *mapped(int file, std::size_t bytes)
{
    const int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<std::byte *>(memory);
}

const char *callOf(Allocation kind)
{
    switch (kind) {
    case Allocation::Device:
        return "cudaMalloc";
    case Allocation::Pinned:
        return "cudaMallocHost";
    case Allocation::PinnedMapped:
        return "cudaHostAlloc";
    case Allocation::Managed:
        return "cudaMallocManaged";
    case Allocation::Pageable:
    case Allocation::Registered:
        break;
    }
    return "cudaHostRegister";
}

} // namespace

std::size_t pageRounded(std::size_t bytes)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

SoftBuffer::SoftBuffer(Allocation kind, std::byte *memory, std::size_t bytes)
    // Device memory has no CPU address and plain pinned memory has no device address, so that code that would crash on
    // a GPU fails here too.
    : Buffer(kind, kind == Allocation::Device ? nullptr : memory, kind == Allocation::Pinned ? nullptr : memory, bytes),
      m_owned(kind == Allocation::Registered ? nullptr : memory)
{
}

SoftBuffer::~SoftBuffer()
{
    if (m_owned)
        munmap(m_owned, pageRounded(bytes()));
}

Result<std::unique_ptr<Buffer>> SoftBuffer::allocate(Allocation kind, std::size_t bytes)
{
    std::byte *memory = mapped(-1, pageRounded(bytes));
    if (!memory)
        return outOfMemory(callOf(kind), bytes);
    return std::unique_ptr<Buffer>(new SoftBuffer(kind, memory, bytes));
}

std::unique_ptr<Buffer> SoftBuffer::registered(std::byte *memory, std::size_t bytes)
{
    return std::unique_ptr<Buffer>(new SoftBuffer(Allocation::Registered, memory, bytes));
}

SoftManagedBuffer::SoftManagedBuffer(std::byte *cpuAlias, std::byte *deviceAlias, std::size_t bytes,
                                     ManagedRules &rules)
    : Buffer(Allocation::Managed, cpuAlias, deviceAlias, bytes), m_rules(rules)
{
    m_rules.add(*this);
}

SoftManagedBuffer::~SoftManagedBuffer()
{
    m_rules.remove(*this);
    munmap(host(), pageRounded(bytes()));
    munmap(device(), pageRounded(bytes()));
}

Result<std::unique_ptr<Buffer>> SoftManagedBuffer::allocate(std::size_t bytes, ManagedRules &rules)
{
    const std::size_t size = pageRounded(bytes);
    const int file = memfd_create("jetscope-managed", MFD_CLOEXEC);
    if (file < 0)
        return outOfMemory("cudaMallocManaged", bytes);
    std::byte *cpuAlias = nullptr;
    std::byte *deviceAlias = nullptr;
    if (ftruncate(file, static_cast<off_t>(size)) == 0) {
        cpuAlias = mapped(file, size);
        deviceAlias = cpuAlias ? mapped(file, size) : nullptr;
    }
    const int failure = errno;
    close(file); // The mappings keep the memory.
    if (!deviceAlias) {
        if (cpuAlias)
            munmap(cpuAlias, size);
        errno = failure;
        return outOfMemory("cudaMallocManaged", bytes);
    }
    return std::unique_ptr<Buffer>(new SoftManagedBuffer(cpuAlias, deviceAlias, bytes, rules));
}

} // namespace jetscope
