// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/memorykinds.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// How a processor reaches a kind of memory.
enum class Caching : std::uint8_t {
    Cached,
    Uncached,
    NotAccessible,
    NotSupported,  ///< The device has no memory of this kind.
    DriverDecides, ///< No document fixes it.
};
/// "cached", "uncached", "not accessible", "not supported", "the driver decides".
std::string_view nameOf(Caching caching);

struct CacheCell {
    Caching caching = Caching::Cached;
    std::string_view why; ///< The attribute or circumstance that decides, without a full stop.
};

/// A row of Table 1 of the CUDA for Tegra application note for one device.
struct MemoryTableRow {
    std::string_view kind; ///< "pinned host memory"
    std::string_view call; ///< "cudaHostAlloc, cudaMallocHost"
    CacheCell cpu;
    CacheCell gpu;
    std::string_view source; ///< The document.
};

/// Table 1 resolved by the attributes of a device, never by its name. Device, pageable, pinned, registered and unified
/// memory, in this order. Nothing is measured.
std::vector<MemoryTableRow> memoryTable(const DeviceFacts &facts);

/// Whether CPU and GPU cache a memory kind.
struct MemoryCaching {
    bool cpu = true;
    bool gpu = true;
    bool known = true; ///< False where no document says it.
};

/// What the table says of the memory of a kind, if the device has it; not `known` for the software iGPU, which has the
/// caches of the CPU. Kinds that are copied have the caches of the device's own memory.
MemoryCaching documentedCaching(MemoryKind kind, DeviceFacts facts);

/// How managed memory is attached.
enum class AttachFlag : std::uint8_t { Global, Host, Single };
/// "cudaMemAttachGlobal"
std::string_view nameOf(AttachFlag flag);

enum class AttachEffect : std::uint8_t { PrefetchesToCpu, PrefetchesToGpu, None };

/// A row of Table 2 of the note: what cudaStreamAttachMemAsync moves when it changes the attachment.
struct AttachTransition {
    AttachFlag from;
    AttachFlag to;
    AttachEffect effect;
};
const std::array<AttachTransition, 6> &attachTransitions();
/// "from global or single to host: prefetches to the CPU", for the whole table in one sentence.
std::string attachTableText();
/// Whether attachments prefetch on a device; the reason says what to use otherwise.
Capability attachmentsPrefetch(const DeviceFacts &facts);
inline constexpr std::string_view kAttachSource = "CUDA for Tegra Application Note, Table 2";

} // namespace jetscope
