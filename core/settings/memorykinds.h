// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"

#include <cstdint>
#include <string_view>

namespace jetscope {

/// When a memory kind copies each frame on its way from the input buffer to the GPU. With BySource the frame stays in
/// the source's own buffer, and the source knows what was copied before.
enum class FrameCopy : std::uint8_t { Never, Always, WithoutConcurrentAccess, ToDiscrete, BySource };

/// The rows of Table 1 of the CUDA for Tegra note, in the order of memoryTable (core/platform); None where no document
/// says who caches the memory.
enum class TableMemory : std::uint8_t { Device, Pageable, Pinned, Registered, Unified, None };

/// What is said of a memory kind besides its words, for settings, advice, cards and checks. How it is done is its file
/// in gpu/paths.
struct MemoryKindRow {
    MemoryKind kind;
    Capability DeviceFacts::*needs; ///< Null: every device has it.
    std::string_view need;          ///< In words, where a device gives no reason.
    FrameCopy copy;
    TableMemory cpuSide; ///< What the CPU writes and reads.
    TableMemory gpuSide; ///< What kernels read and write.
    /// Takes its place where it is not legal: how the GPU reaches the frame counts most; pinned memory is legal
    /// everywhere.
    MemoryKind likest = MemoryKind::Pinned;
    bool takesTurns = false; ///< Without concurrent managed access the CPU may not read it while kernels run.
    bool isForeign = false;  ///< The source's own buffers, which the CPU cannot read.
    bool isPerFrame = false; ///< Each frame has other memory of the device.
};

const MemoryKindRow &memoryKind(MemoryKind kind);

/// Whether a CPU stage at this place may read the input of a memory kind.
Availability sharing(MemoryKind kind, CpuStagePlacement placement, const DeviceFacts &facts);

} // namespace jetscope
