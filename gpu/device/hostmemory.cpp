// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/hostmemory.h"

#include <string>

namespace jetscope {

namespace {

class OrdinaryBuffer final : public Buffer {
public:
    OrdinaryBuffer(Allocation kind, HostMemory memory, std::size_t bytes)
        : Buffer(kind, memory.get(), kind == Allocation::System ? memory.get() : nullptr, bytes),
          m_memory(std::move(memory))
    {
    }

private:
    const HostMemory m_memory;
};

} // namespace

Result<HostMemory> allocateHostMemory(std::size_t bytes)
{
    constexpr std::size_t kPage = 65536; // The largest page size of the supported kernels.
    auto *memory = static_cast<std::byte *>(std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage));
    if (!memory)
        return Error{"malloc", 0,
                     std::to_string(bytes)
                         + " bytes could not be had; choose a smaller frame size or fewer frames in flight"};
    return HostMemory(memory);
}

Result<std::unique_ptr<Buffer>> allocatePageable(std::size_t bytes)
{
    JETSCOPE_TRY_ASSIGN(HostMemory memory, allocateHostMemory(bytes));
    return std::unique_ptr<Buffer>(std::make_unique<OrdinaryBuffer>(Allocation::Pageable, std::move(memory), bytes));
}

Result<std::unique_ptr<Buffer>> allocateSystem(std::size_t bytes)
{
    JETSCOPE_TRY_ASSIGN(HostMemory memory, allocateHostMemory(bytes));
    return std::unique_ptr<Buffer>(std::make_unique<OrdinaryBuffer>(Allocation::System, std::move(memory), bytes));
}

} // namespace jetscope
