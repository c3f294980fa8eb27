// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// The fields of /proc/meminfo that decide how much memory an integrated GPU can get. Bytes; empty if the file does not
/// have the field or its value is no number.
struct MemoryFields {
    std::optional<std::uint64_t> total;
    std::optional<std::uint64_t> free;
    std::optional<std::uint64_t> swapFree;
    std::optional<std::uint64_t> deviceAllocated; ///< NvMapMemUsed.
};
MemoryFields parseMemoryFields(std::string_view meminfo);

/// An estimate after the CUDA for Tegra note, "Estimating Total Allocatable Device Memory on an Integrated GPU Device".
/// It counts what the kernel can move to swap, which cudaMemGetInfo does not.
struct AllocatableMemory {
    std::uint64_t allocatable = 0;
    std::uint64_t hostAllocated = 0;
    std::uint64_t deviceAllocated = 0;
    std::uint64_t swapFree = 0;
};
/// An error says which field is missing.
Result<AllocatableMemory> allocatableMemory(const MemoryFields &fields);
/// Reads proc/meminfo below `root`.
Result<AllocatableMemory> allocatableMemory(const std::string &root);

} // namespace jetscope
