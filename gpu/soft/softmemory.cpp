// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/softmemory.h"

#include "gpu/soft/managedrules.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
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

/// A DMA-BUF of a memory file, by the kernel's udmabuf; negative without it, or where it may not be opened.
int makeDmabuf(int file, std::size_t bytes)
{
    const int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
    if (device < 0)
        return -1;
    fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK); // It takes no memory that may become shorter.
    udmabuf_create wanted{};
    wanted.memfd = static_cast<std::uint32_t>(file);
    wanted.flags = UDMABUF_FLAGS_CLOEXEC;
    wanted.size = bytes;
    const int made = ioctl(device, UDMABUF_CREATE, &wanted);
    close(device);
    return made;
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
    case Allocation::Exported:
        return "cuMemHostAlloc";
    case Allocation::Pool:
        return "cudaMallocAsync";
    case Allocation::Pageable:
    case Allocation::System:
    case Allocation::Registered:
    case Allocation::RegisteredIo:
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

bool isOfCaller(Allocation kind)
{
    return kind == Allocation::Registered || kind == Allocation::RegisteredIo;
}

SoftBuffer::SoftBuffer(Allocation kind, std::byte *memory, std::size_t bytes)
    // Device memory has no CPU address and plain pinned memory has no device address, so that code that would crash on
    // a GPU fails here too.
    : Buffer(kind, kind == Allocation::Device ? nullptr : memory, kind == Allocation::Pinned ? nullptr : memory, bytes),
      m_owned(isOfCaller(kind) ? nullptr : memory)
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

std::unique_ptr<Buffer> SoftBuffer::registered(Allocation kind, std::byte *memory, std::size_t bytes)
{
    return std::unique_ptr<Buffer>(new SoftBuffer(kind, memory, bytes));
}

SoftExportedBuffer::SoftExportedBuffer(int file, std::byte *memory, std::size_t bytes)
    : Buffer(Allocation::Exported, memory, memory, bytes), m_file(file)
{
}

SoftExportedBuffer::~SoftExportedBuffer()
{
    munmap(host(), pageRounded(bytes()));
    close(m_file);
}

Result<std::unique_ptr<Buffer>> SoftExportedBuffer::allocate(std::size_t bytes)
{
    const std::size_t size = pageRounded(bytes);
    const int file = memfd_create("jetscope-exported", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return outOfMemory(callOf(Allocation::Exported), bytes);
    std::byte *memory = ftruncate(file, static_cast<off_t>(size)) == 0 ? mapped(file, size) : nullptr;
    if (!memory) {
        const Error failure = outOfMemory(callOf(Allocation::Exported), bytes);
        close(file);
        return failure;
    }
    return std::unique_ptr<Buffer>(new SoftExportedBuffer(file, memory, bytes));
}

Result<int> SoftExportedBuffer::dmabuf() const
{
    if (const int made = makeDmabuf(m_file, pageRounded(bytes())); made >= 0)
        return made;
    const int same = fcntl(m_file, F_DUPFD_CLOEXEC, 0);
    if (same < 0)
        return Error{"cuMemGetHandleForAddressRange", errno, std::strerror(errno)};
    return same;
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
