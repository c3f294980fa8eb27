// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/forwardingdevice.h"
#include "gpu/soft/pageguard.h"
#include "gpu/soft/softmemory.h"

#include <map>
#include <memory>
#include <mutex>

#include <fcntl.h>

namespace jetscope::testing {

/// Makes every touch of a CPU thread outside of a CpuAccess a fault, which the page guard records. Whatever kind of
/// memory is asked for, the CPU gets managed memory of the software iGPU, which is mapped twice: the CPU's alias is
/// protected except while a scope is open, and the streams' threads use the other one. Wants a device whose own
/// rules protect nothing (soft:thor).
class ScopeGuardDevice final : public ForwardingDevice {
public:
    explicit ScopeGuardDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}

    Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes) override
    {
        if (kind == Allocation::Device)
            return ForwardingDevice::allocate(kind, bytes);
        Result<std::unique_ptr<Buffer>> managed = ForwardingDevice::allocate(Allocation::Managed, bytes);
        if (!managed.ok())
            return managed.error();
        auto guarded = std::make_unique<Guarded>(kind, std::move(managed).value());
        if (!guarded->isGuarded())
            return Error{"PageGuard", 0, "there are too many buffers to guard"};
        return std::unique_ptr<Buffer>(std::move(guarded));
    }
    Result<std::unique_ptr<Buffer>> registerHost(std::byte *, std::size_t bytes) override
    {
        return allocate(Allocation::Registered, bytes);
    }
    Result<std::unique_ptr<Buffer>> registerIoMemory(std::byte *, std::size_t bytes) override
    {
        return allocate(Allocation::RegisteredIo, bytes);
    }
    /// Nobody maps it.
    Result<int> exportDmabuf(Buffer &) override { return open("/dev/null", O_RDWR | O_CLOEXEC); }
    /// The streams' threads may not use the CPU's alias.
    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind, Stream &stream) override
    {
        return ForwardingDevice::copyAsync(to, from, CopyKind::DeviceToDevice, stream);
    }

    void beginCpuAccess(const BufferRange &range, Access) override
    {
        const std::lock_guard lock(m_mutex);
        if (++m_open[range.buffer] == 1)
            PageGuard::instance().allow(range.buffer->host());
    }
    void endCpuAccess(const BufferRange &range, Access) override
    {
        const std::lock_guard lock(m_mutex);
        if (--m_open[range.buffer] == 0)
            PageGuard::instance().protect(range.buffer->host());
    }

private:
    class Guarded final : public Buffer {
    public:
        Guarded(Allocation kind, std::unique_ptr<Buffer> managed)
            : Buffer(kind, managed->host(), managed->device(), managed->bytes()),
              m_managed(std::move(managed)),
              m_guarded(PageGuard::instance().add(host(), pageRounded(bytes())))
        {
            if (m_guarded)
                PageGuard::instance().protect(host());
        }
        ~Guarded() override
        {
            if (m_guarded)
                PageGuard::instance().remove(host());
        }
        Guarded(const Guarded &) = delete;
        Guarded &operator=(const Guarded &) = delete;

        bool isGuarded() const { return m_guarded; }

    private:
        const std::unique_ptr<Buffer> m_managed;
        const bool m_guarded;
    };

    std::mutex m_mutex;
    std::map<const Buffer *, int> m_open;
};

} // namespace jetscope::testing
