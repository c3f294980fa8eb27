// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/virtualmemory.h"

#include "core/attach/format/calltable.h"

namespace jetscope {

namespace {

constexpr std::size_t kMaxMapped = 1 << 18;

} // namespace

void VirtualMemory::release(Place place, std::vector<std::uint64_t> &gone)
{
    const auto memory = m_memory.find(place);
    if (memory == m_memory.end())
        return;
    memory->second.isReleased = true;
    if (memory->second.mappings > 0)
        return;
    gone.push_back(place.second);
    m_memory.erase(memory);
}

/// One call may unmap what several have mapped.
void VirtualMemory::unmap(Place from, std::uint64_t bytes, std::vector<std::uint64_t> &gone)
{
    auto mapping = m_mappings.lower_bound(from);
    while (mapping != m_mappings.end() && mapping->first.first == from.first
           && mapping->first.second - from.second < bytes) {
        const Place place{from.first, mapping->second};
        mapping = m_mappings.erase(mapping);
        const auto memory = m_memory.find(place);
        if (memory == m_memory.end() || --memory->second.mappings > 0 || !memory->second.isReleased)
            continue;
        gone.push_back(place.second);
        m_memory.erase(memory);
    }
}

std::vector<std::uint64_t> VirtualMemory::take(const AttachEvent &event, std::int32_t process)
{
    const auto &argument = event.argument;
    std::vector<std::uint64_t> gone;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_PHYSICAL:
        if (m_memory.size() < kMaxMapped || m_memory.contains({process, argument[0]}))
            m_memory[{process, argument[0]}].isReleased = false;
        break;
    case JSA_WORK_PHYSICALEND:
        release({process, argument[0]}, gone);
        break;
    case JSA_WORK_VIRTUALMAP: {
        const auto memory = m_memory.find({process, argument[2]});
        if (memory == m_memory.end() || m_mappings.size() >= kMaxMapped)
            break;
        if (m_mappings.try_emplace({process, argument[0]}, argument[2]).second)
            ++memory->second.mappings;
        break;
    }
    case JSA_WORK_VIRTUALUNMAP:
        unmap({process, argument[0]}, argument[1], gone);
        break;
    default:
        break;
    }
    return gone;
}

} // namespace jetscope
