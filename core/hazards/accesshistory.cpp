// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/accesshistory.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace jetscope {

namespace {

/// That nothing orders: of a program that never waits.
constexpr std::ptrdiff_t kMaxKept = 1024;

constexpr std::size_t kMaxRows = 8192;

std::size_t endOf(const MemoryAccess &access)
{
    return access.offset + (std::max<std::size_t>(access.rows, 1) - 1) * access.pitch + access.bytes;
}

bool haveSameBytes(const MemoryAccess &a, const MemoryAccess &b)
{
    return a.offset == b.offset && a.bytes == b.bytes && a.rows == b.rows && a.pitch == b.pitch;
}

bool covers(const MemoryAccess &outer, const MemoryAccess &inner)
{
    return outer.rows > 1 ? haveSameBytes(outer, inner)
                          : outer.offset <= inner.offset && endOf(inner) <= outer.offset + outer.bytes;
}

/// Rows of one pitch: the first row of the later one lies between two rows of the earlier one.
bool meetInPitch(const MemoryAccess &earlier, const MemoryAccess &later)
{
    const std::size_t row = (later.offset - earlier.offset) / earlier.pitch;
    const std::size_t column = (later.offset - earlier.offset) % earlier.pitch;
    return (column < earlier.bytes && row < earlier.rows)
        || (column + later.bytes > earlier.pitch && row + 1 < earlier.rows);
}

/// Whether a row of `access` has bytes of [from, to): of the rows that begin before its end, the last one ends last.
bool meetsRange(const MemoryAccess &access, std::size_t from, std::size_t to)
{
    if (access.offset >= to)
        return false;
    const std::size_t row =
        access.rows <= 1 || access.pitch == 0 ? 0 : std::min(access.rows - 1, (to - 1 - access.offset) / access.pitch);
    return from < access.offset + row * access.pitch + access.bytes;
}

/// A scope that is still open is complete for its own queue only.
bool isBefore(const MemoryAccess &access, QueueId observer, const VectorClock &known)
{
    return access.queue == observer || (!access.open && known.contains(access.queue, access.tick));
}

std::size_t firstRowThatEndsBehind(const MemoryAccess &access, std::size_t offset)
{
    const std::size_t end = access.offset + access.bytes;
    return access.pitch == 0 || end > offset ? 0 : (offset - end) / access.pitch + 1;
}

} // namespace

bool meet(const MemoryAccess &a, const MemoryAccess &b)
{
    if (a.bytes == 0 || b.bytes == 0 || a.offset >= endOf(b) || b.offset >= endOf(a))
        return false;
    if (a.rows > 1 && b.rows > 1 && a.pitch == b.pitch && a.pitch > 0)
        return a.offset <= b.offset ? meetInPitch(a, b) : meetInPitch(b, a);
    const auto &[fewer, other] = a.rows <= b.rows ? std::tie(a, b) : std::tie(b, a);
    const std::size_t first = firstRowThatEndsBehind(fewer, other.offset);
    for (std::size_t row = first; row < std::max<std::size_t>(fewer.rows, 1) && row - first < kMaxRows; ++row)
        if (const std::size_t from = fewer.offset + row * fewer.pitch; meetsRange(other, from, from + fewer.bytes))
            return true;
    return false;
}

std::optional<MemoryAccess> AccessHistory::conflict(const MemoryAccess &next, const VectorClock &known) const
{
    for (auto it = m_accesses.rbegin(); it != m_accesses.rend(); ++it)
        if ((it->access == Access::Write || next.access == Access::Write) && !isBefore(*it, next.queue, known)
            && meet(*it, next))
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

bool AccessHistory::forget(const VectorClock &known)
{
    std::erase_if(m_accesses,
                  [&](const MemoryAccess &old) { return !old.open && known.contains(old.queue, old.tick); });
    const bool isFull = std::ssize(m_accesses) > kMaxKept;
    if (isFull)
        m_accesses.erase(m_accesses.begin(), m_accesses.begin() + kMaxKept / 2);
    return isFull;
}

void AccessHistory::end(const MemoryAccess &scope, Tick tick)
{
    for (auto it = m_accesses.rbegin(); it != m_accesses.rend(); ++it) {
        if (it->open && it->access == scope.access && haveSameBytes(*it, scope)) {
            it->open = false;
            it->tick = tick;
            return;
        }
    }
}

} // namespace jetscope
