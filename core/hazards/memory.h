// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace jetscope {

/// Where an allocation lives, after the CUDA calls that make it.
enum class Allocation : std::uint8_t {
    Pageable,     ///< malloc; the device reaches it by copies only.
    Device,       ///< cudaMalloc; no CPU address.
    Pinned,       ///< cudaMallocHost; the device reaches it by copies only.
    PinnedMapped, ///< cudaHostAlloc(Mapped) with its device pointer.
    Managed,      ///< cudaMallocManaged(AttachGlobal); one pointer for both.
    Registered,   ///< cudaHostRegister(Mapped) on memory of the caller.
    System,       ///< malloc; the device reaches it in place (pageableMemoryAccess).
    RegisteredIo, ///< cudaHostRegister(Mapped | IoMemory) on memory of the caller.
    Pool,         ///< cudaMallocAsync; no CPU address, and only in the order of its stream.
    Exported,     ///< cudaHostAlloc(Mapped) of which other drivers can have a DMA-BUF.
};

/// What is done to memory or to a texture. What is written may be read as well.
enum class Access : std::uint8_t { Read, Write };

/// The bytes of one piece of memory that a thread or a queue uses.
struct MemoryUse {
    const void *memory = nullptr; ///< The object that stands for it.
    std::size_t offset = 0;
    std::size_t bytes = 0;
    Access access = Access::Read;
    std::size_t rows = 1;  ///< Of `bytes` bytes each, as a part of a picture has them,
    std::size_t pitch = 0; ///< whose first bytes are so far apart.
};

/// cudaStreamAttachMemAsync's targets.
enum class Attach : std::uint8_t { Global, Host, Single };

} // namespace jetscope
