// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/copies.h"

namespace jetscope {

std::vector<std::string> copiesToGpu(const SourceState &source, MemoryKind memory, const DeviceFacts &facts)
{
    if (memory == MemoryKind::NvBuf)
        return source.surfaceCopies;
    std::vector<std::string> copies = source.copies;
    // If the CPU may not touch managed memory while a kernel runs, frames wait in separate memory and are copied in
    // between two launches.
    const bool copied = memory == MemoryKind::Pageable || memory == MemoryKind::Pinned
        || memory == MemoryKind::GlTexture || (memory == MemoryKind::Unified && !facts.concurrentManagedAccess);
    if (copied)
        copies.push_back("from the input buffer to the GPU by the memory kind " + std::string(choiceOf(memory).label));
    return copies;
}

std::string copiesSentence(const std::vector<std::string> &copies)
{
    if (copies.empty())
        return "No copy on the way to the GPU";
    std::string text =
        std::to_string(copies.size()) + (copies.size() == 1 ? " copy" : " copies") + " on the way to the GPU: ";
    for (std::size_t i = 0; i < copies.size(); ++i)
        text += (i == 0 ? "" : "; ") + copies[i];
    return text;
}

} // namespace jetscope
