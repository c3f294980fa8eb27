// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/accesshistory.h"

#include <iterator>

namespace jetscope {

namespace {

/// That nothing orders: of a program that never waits.
constexpr std::ptrdiff_t kMostKept = 1024;

bool covers(const MemoryAccess &outer, const MemoryAccess &inner)
{
    return outer.offset <= inner.offset && inner.offset + inner.bytes <= outer.offset + outer.bytes;
}

/// A scope that is still open is complete for its own queue only.
bool isBefore(const MemoryAccess &access, QueueId observer, const VectorClock &known)
{
    return access.queue == observer || (!access.open && known.contains(access.queue, access.tick));
}

} // namespace

bool meet(const MemoryAccess &a, const MemoryAccess &b)
{
    return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

std::optional<MemoryAccess> AccessHistory::conflict(const MemoryAccess &next, const VectorClock &known) const
{
    for (auto it = m_accesses.rbegin(); it != m_accesses.rend(); ++it)
        if ((it->access == Access::Write || next.access == Access::Write) && meet(*it, next)
            && !isBefore(*it, next.queue, known))
            return *it;
    return std::nullopt;
}

std::optional<MemoryAccess> AccessHistory::inFlight(const VectorClock &known) const
{
    for (auto it = m_accesses.rbegin(); it != m_accesses.rend(); ++it)
        if (it->open || !known.contains(it->queue, it->tick))
            return *it;
    return std::nullopt;
}

std::optional<MemoryAccess> AccessHistory::streamWorkInFlight(const VectorClock &known) const
{
    for (auto it = m_accesses.rbegin(); it != m_accesses.rend(); ++it)
        if (isStreamWork(it->kind) && !known.contains(it->queue, it->tick))
            return *it;
    return std::nullopt;
}

void AccessHistory::add(const MemoryAccess &access, const VectorClock &known)
{
    // Whatever is ordered after `access` is also ordered after these, so they cannot conflict without it.
    std::erase_if(m_accesses, [&](const MemoryAccess &old) {
        return !old.open && isBefore(old, access.queue, known) && covers(access, old)
            && (access.access == Access::Write || old.access == Access::Read);
    });
    m_accesses.push_back(access);
}

void AccessHistory::forget(const VectorClock &known)
{
    std::erase_if(m_accesses,
                  [&](const MemoryAccess &old) { return !old.open && known.contains(old.queue, old.tick); });
    if (std::ssize(m_accesses) > kMostKept)
        m_accesses.erase(m_accesses.begin(), m_accesses.begin() + kMostKept / 2);
}

void AccessHistory::end(const MemoryAccess &scope, Tick tick)
{
    for (auto it = m_accesses.rbegin(); it != m_accesses.rend(); ++it) {
        if (it->open && it->access == scope.access && it->offset == scope.offset && it->bytes == scope.bytes) {
            it->open = false;
            it->tick = tick;
            return;
        }
    }
}

} // namespace jetscope
