// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/uncachedreads.h"

#include <algorithm>

namespace jetscope {

std::optional<MemoryAccess> UncachedReads::read(const MemoryAccess &next)
{
    const auto earlier =
        std::find_if(m_reads.begin(), m_reads.end(), [&](const MemoryAccess &read) { return meet(read, next); });
    if (earlier != m_reads.end())
        return *earlier;
    m_reads.push_back(next);
    return std::nullopt;
}

void UncachedReads::written(const MemoryAccess &write)
{
    std::erase_if(m_reads, [&](const MemoryAccess &read) { return meet(read, write); });
}

} // namespace jetscope
