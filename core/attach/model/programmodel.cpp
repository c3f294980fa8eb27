// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/programmodel.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/awaitedwork.h"

#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxModelled = 1 << 14; ///< Processes.
constexpr std::size_t kMaxPlaces = 1 << 18;
constexpr std::uint64_t kAttachHost = 2;      // CU_MEM_ATTACH_HOST
constexpr std::uint64_t kAttachSingle = 4;    // CU_MEM_ATTACH_SINGLE
constexpr std::uint64_t kMadeNonBlocking = 1; // CU_STREAM_NON_BLOCKING
const ProgramProcess kNotModelled{};

Attach attachOf(std::uint64_t flags)
{
    return flags == kAttachHost ? Attach::Host : flags == kAttachSingle ? Attach::Single : Attach::Global;
}

} // namespace

const ProgramProcess::MemoryMap::value_type *ProgramProcess::memoryAt(std::uint64_t address) const
{
    auto after = memory.upper_bound(address);
    if (after == memory.begin())
        return nullptr;
    --after;
    return address - after->first < after->second.bytes ? &*after : nullptr;
}

std::optional<bool> ProgramProcess::isBlocking(std::uint64_t stream) const
{
    const auto made = streams.find(stream);
    return made == streams.end() ? std::nullopt : std::optional(made->second.isBlocking);
}

std::uint64_t ProgramProcess::contextOf(std::int32_t tid) const
{
    const auto current = contexts.find(tid);
    return current == contexts.end() ? 0 : current->second;
}

ProgramModel::ProgramModel() : m_process(&kNotModelled) {}

const ProgramProcess &ProgramModel::of(std::int32_t pid) const
{
    const auto known = m_processes.find(pid);
    return known == m_processes.end() ? kNotModelled : known->second;
}

StreamRole ProgramModel::roleOf(std::int32_t pid, std::uint64_t stream) const
{
    if (stream == 0)
        return StreamRole::Legacy;
    return isStreamOfThread(stream) || of(pid).isBlocking(stream).value_or(false) ? StreamRole::Blocking
                                                                                  : StreamRole::Free;
}

std::uint64_t ProgramModel::directionSeen(const AttachEvent &event, std::int32_t pid) const
{
    enum class Side : std::uint8_t { Device, Host, Unknown };
    const auto &argument = event.argument;
    if (argument[4] != JSA_COPY_UNKNOWN)
        return argument[4];
    const auto sideAt = [&process = of(pid)](std::uint64_t address) {
        const auto *const memory = process.memoryAt(address);
        if (!memory)
            return address == 0 ? Side::Device : Side::Unknown; // A CUDA array.
        return memory->second.isOfHost() ? Side::Host : Side::Device;
    };
    const Side to = sideAt(argument[1]);
    const Side from = sideAt(argument[2]);
    if (to == Side::Unknown || from == Side::Unknown)
        return JSA_COPY_UNKNOWN;
    if (from == Side::Host)
        return to == Side::Host ? JSA_COPY_ON_HOST : JSA_COPY_TO_DEVICE;
    return to == Side::Host ? JSA_COPY_TO_HOST : JSA_COPY_ON_DEVICE;
}

/// If there is one of this key, its end was lost.
template <class Map>
void ProgramModel::put(Map &map, typename Map::key_type key, const typename Map::mapped_type &value)
{
    if (m_places < kMaxPlaces || map.contains(key))
        m_places += map.insert_or_assign(key, value).second ? 1 : 0;
}

/// False if another thread got it again before the call had returned.
template <class Map>
bool ProgramModel::end(Map &map, const AttachEvent &event, typename Map::node_type *ended)
{
    const auto known = map.find(event.argument[0]);
    if (known == map.end())
        return true;
    if (known->second.madeNs > event.startNs)
        return false;
    --m_places;
    auto node = map.extract(known);
    if (ended)
        *ended = std::move(node);
    return true;
}

bool ProgramModel::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid)
{
    m_freed = {};
    m_process = &kNotModelled;
    m_isCaptured = m_captures.take(event, pid, tid);
    m_names.take(event, pid);
    auto known = m_processes.find(pid);
    if (known == m_processes.end() && m_processes.size() < kMaxModelled)
        known = m_processes.try_emplace(pid).first;
    if (known == m_processes.end())
        return true;
    m_process = &known->second;
    return m_isCaptured || event.failed() || change(known->second, event, pid, tid);
}

bool ProgramModel::change(ProgramProcess &process, const AttachEvent &event, std::int32_t pid, std::int32_t tid)
{
    const auto &argument = event.argument;
    const jsa_work work = attachCall(event.call)->work;
    const auto makeMemory = [&](Allocation kind) {
        const Attach attach = kind == Allocation::Managed ? attachOf(argument[2]) : Attach::Global;
        if (argument[0] != 0)
            put(process.memory, argument[0], {argument[1], kind, work == JSA_WORK_POOLALLOC, attach, event.endNs});
        return true;
    };
    switch (work) {
    case JSA_WORK_ALLOC:
    case JSA_WORK_POOLALLOC:
        return makeMemory(Allocation::Device);
    case JSA_WORK_HOSTALLOC:
        return makeMemory(Allocation::Pinned);
    case JSA_WORK_MANAGED:
        return makeMemory(Allocation::Managed);
    case JSA_WORK_REGISTER:
        return makeMemory(Allocation::Registered);
    case JSA_WORK_FREE:
    case JSA_WORK_POOLFREE:
    case JSA_WORK_UNREGISTER:
        if (!end(process.memory, event, &m_freed))
            return false;
        if (m_freed && work != JSA_WORK_UNREGISTER)
            m_names.forget(pid, m_freed.key(), m_freed.mapped().bytes);
        return true;
    case JSA_WORK_ATTACH:
        if (const auto memory = process.memory.find(argument[1]); memory != process.memory.end())
            if (argument[2] == 0 || argument[2] == memory->second.bytes)
                memory->second.attach = attachOf(argument[3]);
        return true;
    case JSA_WORK_STREAMMADE:
        put(process.streams, argument[0], {(argument[1] & kMadeNonBlocking) == 0, event.endNs});
        return true;
    case JSA_WORK_STREAMEND:
        return end(process.streams, event);
    case JSA_WORK_EVENTMADE:
        put(process.events, argument[0], {event.endNs});
        return true;
    case JSA_WORK_EVENTEND:
        return end(process.events, event);
    case JSA_WORK_CURRENT:
        m_contextBefore = process.contextOf(tid);
        put(process.contexts, tid, argument[0]);
        return true;
    default:
        return true;
    }
}

} // namespace jetscope
