// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/device/device.h"

#include <cstddef>
#include <memory>

namespace jetscope {

class ManagedRules;

/// Page-aligned memory of the software iGPU for every allocation kind except managed and registered. CPU and workers
/// share one mapping; the kind only decides which address is exposed.
class SoftBuffer final : public Buffer {
public:
    static Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes);
    /// Wraps the caller's memory; the destructor does not unmap it.
    static std::unique_ptr<Buffer> registered(Allocation kind, std::byte *memory, std::size_t bytes);
    ~SoftBuffer() override;

private:
    SoftBuffer(Allocation kind, std::byte *memory, std::size_t bytes);
    std::byte *m_owned; ///< Null if registered.
};

/// Managed memory: one memfd mapped twice. The CPU's alias is page-protected while the CPU may not access it; the
/// workers use the device's alias, which is always accessible.
class SoftManagedBuffer final : public Buffer {
public:
    /// `rules` must outlive the buffer.
    static Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes, ManagedRules &rules);
    ~SoftManagedBuffer() override;

private:
    SoftManagedBuffer(std::byte *cpuAlias, std::byte *deviceAlias, std::size_t bytes, ManagedRules &rules);
    ManagedRules &m_rules;
};

/// Pinned memory that others can map: a memory file, which the kernel's udmabuf makes a DMA-BUF of. Where there is
/// none, others get the file itself, which no driver imports.
class SoftExportedBuffer final : public Buffer {
public:
    static Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes);
    ~SoftExportedBuffer() override;

    Result<int> dmabuf() const;

private:
    SoftExportedBuffer(int file, std::byte *memory, std::size_t bytes);
    const int m_file;
};

/// `bytes` rounded up to whole pages.
std::size_t pageRounded(std::size_t bytes);

} // namespace jetscope
