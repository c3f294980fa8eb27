// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/memory.h"
#include "gpu/base/livecount.h"

#include <cstddef>

namespace jetscope {

/// Memory of a Device. Destroying it while work that uses it is in flight is a programming error (rule A11).
class Buffer : public Watched {
public:
    /// The CPU's address, null for Allocation::Device. For back ends only: a thread that touches the memory takes a
    /// CpuAccess.
    std::byte *host() const { return m_host; }
    /// The device's address, null where it has none. For back ends only: launches and copies name a BufferRange.
    std::byte *device() const { return m_device; }
    std::size_t bytes() const { return m_bytes; }
    Allocation allocation() const { return m_allocation; }

protected:
    Buffer(Allocation allocation, std::byte *host, std::byte *device, std::size_t bytes)
        : m_host(host),
          m_device(device),
          m_bytes(bytes),
          m_allocation(allocation),
          m_counted(allocation == Allocation::Pageable || allocation == Allocation::System ? 0 : bytes)
    {
    }

private:
    std::byte *m_host;
    std::byte *m_device;
    std::size_t m_bytes;
    Allocation m_allocation;
    CountedBytes m_counted;
};

/// Bytes of a buffer, as launches, copies and CPU accesses name them.
struct BufferRange {
    Buffer *buffer = nullptr; ///< Null for no memory.
    std::size_t offset = 0;
    std::size_t bytes = 0;

    explicit operator bool() const { return buffer != nullptr; }
    bool fits() const { return offset <= buffer->bytes() && bytes <= buffer->bytes() - offset; }

    /// As Buffer has them; null for no memory.
    std::byte *host() const { return buffer && buffer->host() ? buffer->host() + offset : nullptr; }
    std::byte *device() const { return buffer && buffer->device() ? buffer->device() + offset : nullptr; }
};

inline BufferRange wholeOf(Buffer &buffer)
{
    return {&buffer, 0, buffer.bytes()};
}

} // namespace jetscope
