// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/streamvalues.h"

#include "core/attach/format/calltable.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxAddresses = 1 << 12;
constexpr std::size_t kMaxWrites = 64;         ///< Of an address; a wait for an older one waits for the oldest.
constexpr std::size_t kMaxWaits = 256;         ///< Of a stream.
constexpr std::size_t kMaxBehind = 1 << 14;    ///< Events behind waits.
constexpr std::uint64_t kRetired = 1ULL << 63; ///< Numbers of streams that are gone; others there are not followed.
constexpr std::uint64_t kWithoutBarrier = 1;   // CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER
constexpr std::uint64_t kConditionMask = 3;    // CUstreamWaitValue_flags without CU_STREAM_WAIT_VALUE_FLUSH

/// CUstreamWaitValue_flags
enum Condition : std::uint64_t { kAtLeast, kEqual, kAnyBit, kMissingBit };

/// CUstreamBatchMemOpType
constexpr std::uint64_t kWait32 = 1, kWrite32 = 2, kFlush = 3, kWait64 = 4, kWrite64 = 5, kBarrier = 6;

std::uint64_t masked(std::uint64_t value, unsigned bits)
{
    return bits == 32 ? value & UINT32_MAX : value;
}

/// The driver compares in a circle, so that counters may overflow.
bool isAtLeast(std::uint64_t value, std::uint64_t least, unsigned bits)
{
    const std::uint64_t difference = masked(value - least, bits);
    return difference >> (bits - 1) == 0;
}

bool isTrue(const ValueOperation &wait, std::uint64_t written)
{
    const std::uint64_t value = masked(written, wait.bits);
    switch (wait.flags & kConditionMask) {
    case kAtLeast:
        return isAtLeast(value, wait.value, wait.bits);
    case kEqual:
        return value == masked(wait.value, wait.bits);
    case kAnyBit:
        return (value & masked(wait.value, wait.bits)) != 0;
    default:
        return masked(~(value | wait.value), wait.bits) != 0;
    }
}

/// Operations of which Jetscope knows the meaning.
std::vector<ValueOperation> batchOf(const AttachEvent &event)
{
    std::vector<ValueOperation> operations;
    for (const AttachOperation &word : event.operations) {
        const bool waits = word[0] == kWait32 || word[0] == kWait64;
        if (word[0] == kFlush || word[0] == kBarrier)
            continue;
        if (!waits && word[0] != kWrite32 && word[0] != kWrite64) {
            operations.push_back({true, false, 64, 0, 0, 0}); // One of a later version.
            continue;
        }
        operations.push_back({waits, true, word[0] >= kWait64 ? 64U : 32U, word[1], word[2], word[3]});
    }
    if (event.argument[1] != event.operations.size()) // Too many for the library, or a semaphore.
        operations.push_back({true, false, 64, 0, 0, 0});
    return operations;
}

} // namespace

std::vector<ValueOperation> valueOperationsOf(const AttachEvent &event)
{
    const auto &argument = event.argument;
    const AttachCall &call = *attachCall(event.call);
    if (call.work == JSA_WORK_VALUES)
        return batchOf(event);
    if (call.work != JSA_WORK_VALUEWRITE && call.work != JSA_WORK_VALUEWAIT)
        return {};
    const unsigned bits = call.direction == JSA_VALUE_64 ? 64 : 32;
    return {{call.work == JSA_WORK_VALUEWAIT, true, bits, argument[1], argument[2], argument[3]}};
}

void StreamValues::remove(const Write &write)
{
    m_behind.erase(&write);
    m_ledger.removeEvent(&write);
}

void StreamValues::forget(Writes &writes)
{
    for (const Write &write : writes)
        remove(write);
    writes.clear();
}

void StreamValues::write(std::uint64_t stream, Object object, const ValueOperation &operation,
                         const HazardCaller &caller)
{
    if (m_writes.size() >= kMaxAddresses && !m_writes.contains(operation.address))
        return;
    Writes &writes = m_writes[operation.address];
    const std::uint64_t value = masked(operation.value, operation.bits);
    // A value that does not grow is one of a new round: what was written before may have been reset since.
    if (!writes.empty() && (value == writes.back().value || !isAtLeast(value, writes.back().value, operation.bits)))
        forget(writes);
    if (writes.size() >= kMaxWrites) {
        remove(writes.front());
        writes.pop_front();
    }
    writes.push_back({value, stream, (operation.flags & kWithoutBarrier) == 0});
    const Write &written = writes.back();
    if (written.orders) {
        m_ledger.record(&written, object, caller);
        recordEvent(&written, stream);
    }
    const auto writer = m_waiting.find(stream);
    const std::vector<Wait> open = writer == m_waiting.end() ? std::vector<Wait>() : writer->second.waits;
    for (auto waiting = m_waiting.begin(); waiting != m_waiting.end();) {
        // The work behind a wait cannot be what ends it.
        if (waiting->first != stream)
            resolve(waiting->first, waiting->second, written, operation, open);
        waiting = waiting->second.waits.empty() ? end(waiting) : std::next(waiting);
    }
}

/// Ends the waits for this write, or what ends them is not known. In their place are those behind which it is itself,
/// under the same numbers.
void StreamValues::resolve(std::uint64_t stream, Waiting &waiting, const Write &write, const ValueOperation &operation,
                           const std::vector<Wait> &open)
{
    std::vector<Wait> left;
    std::optional<std::uint64_t> oldest;
    for (Wait &wait : waiting.waits) {
        const bool ends = wait.operation.isKnown && wait.operation.address == operation.address
            && isTrue(wait.operation, write.value);
        wait.operation.isKnown = wait.operation.isKnown && (!ends || write.orders);
        if (!ends || !write.orders) {
            left.push_back(wait);
            continue;
        }
        oldest = oldest.value_or(wait.number);
        for (const Wait &other : open)
            left.push_back({wait.number, other.operation});
    }
    if (!oldest)
        return;
    if (left.size() > kMaxWaits) {
        left.resize(kMaxWaits);
        left.back() = {waiting.waits.back().number, {}};
        left.back().operation.isKnown = false;
    }
    waiting.waits = std::move(left);
    if (waiting.object)
        m_ledger.wait(waiting.object, &write);
    if (waiting.cpuMayLearn)
        m_ledger.eventSeen(&write);
    for (const auto &[event, behind] : m_behind)
        if (behind.stream == stream && behind.newest >= *oldest)
            m_ledger.extendRecord(event, &write);
}

StreamValues::WaitingStreams::iterator StreamValues::end(WaitingStreams::iterator waiting)
{
    std::erase_if(m_behind, [&](const auto &entry) { return entry.second.stream == waiting->first; });
    return m_waiting.erase(waiting);
}

/// The oldest one for "at least", else the newest; none if it may have been reset since, as the CPU may do once it
/// knows of it, or if it does not say what comes before.
const StreamValues::Write *StreamValues::writeFor(const ValueOperation &wait) const
{
    const auto known = m_writes.find(wait.address);
    if (!wait.isKnown || known == m_writes.end())
        return nullptr;
    const Writes &writes = known->second;
    const auto fits = [&](const Write &write) { return isTrue(wait, write.value); };
    const Write *found = nullptr;
    if ((wait.flags & kConditionMask) == kAtLeast) {
        const auto first = std::find_if(writes.begin(), writes.end(), fits);
        found = first == writes.end() ? nullptr : &*first;
    } else {
        const auto last = std::find_if(writes.rbegin(), writes.rend(), fits);
        found = last == writes.rend() ? nullptr : &*last;
    }
    if (!found || !found->orders || m_ledger.isSeen(&writes.back()))
        return nullptr;
    // A stream that goes on counting is believed not to have been reset.
    return found->stream != writes.back().stream && m_ledger.isSeen(found) ? nullptr : found;
}

void StreamValues::wait(std::uint64_t stream, Object object, const ValueOperation &operation)
{
    const Write *const write = writeFor(operation);
    if (!write)
        return addWait(stream, object, operation);
    m_ledger.wait(object, write);
    waitEvent(stream, object, write);
}

void StreamValues::waitForUnseen(std::uint64_t stream, Object object)
{
    ValueOperation unseen;
    unseen.waits = true;
    unseen.isKnown = false;
    addWait(stream, object, unseen);
}

void StreamValues::addWait(std::uint64_t stream, Object object, const ValueOperation &operation)
{
    if (stream >= kRetired)
        return;
    Waiting &waiting = m_waiting[stream];
    waiting.object = object;
    if (waiting.waits.size() >= kMaxWaits)
        waiting.waits.back().operation.isKnown = false;
    else
        waiting.waits.push_back({++m_waits, operation});
}

void StreamValues::recordEvent(Object event, std::uint64_t stream)
{
    const auto waiting = m_waiting.find(stream);
    if (waiting == m_waiting.end())
        m_behind.erase(event);
    else if (m_behind.size() < kMaxBehind || m_behind.contains(event))
        m_behind[event] = {stream, waiting->second.waits.back().number};
}

void StreamValues::waitEvent(std::uint64_t stream, Object object, Object event)
{
    const auto behind = m_behind.find(event);
    const auto waiting = behind == m_behind.end() ? m_waiting.end() : m_waiting.find(behind->second.stream);
    if (waiting == m_waiting.end() || waiting->first == stream)
        return;
    const auto waitsAlready = [&](const ValueOperation &operation) {
        const auto known = m_waiting.find(stream);
        return known != m_waiting.end()
            && std::any_of(known->second.waits.begin(), known->second.waits.end(),
                           [&](const Wait &wait) { return wait.operation == operation; });
    };
    for (const Wait &wait : waiting->second.waits)
        if (wait.number <= behind->second.newest && !waitsAlready(wait.operation))
            addWait(stream, object, wait.operation);
}

void StreamValues::complete(std::uint64_t stream)
{
    const auto waiting = m_waiting.find(stream);
    if (waiting == m_waiting.end())
        return;
    end(waiting);
    m_ledger.synchronizeAll(); // What the stream waited for is complete, too, and it may be anything.
}

void StreamValues::retire(std::uint64_t stream)
{
    if (stream >= kRetired)
        return;
    const std::uint64_t number = kRetired | ++m_retired;
    for (auto &[address, writes] : m_writes)
        for (Write &write : writes)
            write.stream = write.stream == stream ? number : write.stream;
    auto waiting = m_waiting.extract(stream);
    if (waiting.empty())
        return;
    waiting.key() = number;
    waiting.mapped().object = nullptr;
    m_waiting.insert(std::move(waiting));
    for (auto &[event, behind] : m_behind)
        behind.stream = behind.stream == stream ? number : behind.stream;
}

std::size_t StreamValues::retired() const
{
    return static_cast<std::size_t>(std::distance(m_waiting.lower_bound(kRetired), m_waiting.end()));
}

void StreamValues::completeAll()
{
    m_waiting.clear();
    m_behind.clear();
}

bool StreamValues::isUnordered(std::uint64_t stream) const
{
    return stream >= kRetired || m_waiting.contains(stream)
        || std::any_of(m_waiting.begin(), m_waiting.end(), [](const auto &entry) { return entry.second.cpuMayLearn; });
}

void StreamValues::cpuMayLearn(std::uint64_t stream)
{
    if (const auto waiting = m_waiting.find(stream); waiting != m_waiting.end())
        waiting->second.cpuMayLearn = true;
}

void StreamValues::cpuMayLearnOf(Object event)
{
    if (const auto behind = m_behind.find(event); behind != m_behind.end())
        cpuMayLearn(behind->second.stream);
}

void StreamValues::eventSeen(Object event)
{
    const auto behind = m_behind.find(event);
    const auto waiting = behind == m_behind.end() ? m_waiting.end() : m_waiting.find(behind->second.stream);
    if (waiting == m_waiting.end())
        return;
    const auto seen =
        std::erase_if(waiting->second.waits, [&](const Wait &wait) { return wait.number <= behind->second.newest; });
    if (waiting->second.waits.empty())
        end(waiting);
    if (seen > 0)
        m_ledger.synchronizeAll(); // As for a stream.
}

void StreamValues::overwrite(std::uint64_t address, std::uint64_t bytes)
{
    for (auto &[stream, waiting] : m_waiting)
        for (Wait &wait : waiting.waits) // What is written now may be the value.
            wait.operation.isKnown = wait.operation.isKnown && wait.operation.address - address >= bytes;
    for (auto known = m_writes.lower_bound(address); known != m_writes.end() && known->first - address < bytes;) {
        forget(known->second);
        known = m_writes.erase(known);
    }
}

} // namespace jetscope
