// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace jetscope {

/// The scope in which a CPU thread touches a range of a buffer. The observers of the buffer's device are told when the
/// scope begins and when it ends, on the same thread. The pipeline gets the address of a buffer in no other way. A
/// scope without a buffer is no access and has no address.
template <Access kind>
class CpuAccess {
public:
    using Byte = std::conditional_t<kind == Access::Write, std::byte, const std::byte>;

    CpuAccess() = default;
    /// The device outlives the access.
    CpuAccess(Device &device, const BufferRange &range) : m_device(range ? &device : nullptr), m_range(range)
    {
        if (m_device)
            m_device->tell(&DeviceObserver::beginCpuAccess, m_range, kind);
    }
    ~CpuAccess() { end(); }
    CpuAccess(CpuAccess &&other) noexcept : m_device(std::exchange(other.m_device, nullptr)), m_range(other.m_range) {}
    CpuAccess &operator=(CpuAccess &&other) noexcept
    {
        if (this != &other) {
            end();
            m_device = std::exchange(other.m_device, nullptr);
            m_range = other.m_range;
        }
        return *this;
    }

    void end()
    {
        if (Device *device = std::exchange(m_device, nullptr))
            device->tell(&DeviceObserver::endCpuAccess, m_range, kind);
    }

    /// Where the range begins; null once the access has ended.
    Byte *data() const { return m_device ? m_range.host() : nullptr; }
    std::size_t bytes() const { return m_range.bytes; }

private:
    Device *m_device = nullptr;
    BufferRange m_range;
};

/// The scope in which a CPU thread makes atomic read-modify-write accesses (rule A15).
class CpuAtomics : public CpuAccess<Access::Write> {
public:
    CpuAtomics(Device &device, const BufferRange &range) : CpuAccess(device, range)
    {
        if (range)
            device.tell(&DeviceObserver::cpuAtomics, range);
    }
};

using CpuRead = CpuAccess<Access::Read>;
using CpuWrite = CpuAccess<Access::Write>;

} // namespace jetscope
