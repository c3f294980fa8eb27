// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/copies.h"

#include "core/settings/memorykinds.h"

namespace jetscope {

namespace {

bool isCopied(FrameCopy copy, const DeviceFacts &facts)
{
    switch (copy) {
    case FrameCopy::Always:
        return true;
    case FrameCopy::WithoutConcurrentAccess:
        // Where the CPU may not touch managed memory beside a kernel, frames wait in memory beside it and are copied
        // in between two launches.
        return !facts.concurrentManagedAccess;
    case FrameCopy::ToDiscrete:
        return !facts.integrated;
    case FrameCopy::Never:
    case FrameCopy::BySource:
        break;
    }
    return false;
}

} // namespace

std::vector<std::string> copiesToGpu(const SourceState &source, MemoryKind memory, const DeviceFacts &facts)
{
    const FrameCopy copy = memoryKind(memory).copy;
    std::vector<std::string> copies = copy == FrameCopy::BySource ? source.externalCopies : source.copies;
    if (isCopied(copy, facts))
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
