// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/ringreader.h"

#include "core/attach/format/calltable.h"
#include "core/attach/read/copyrows.h"
#include "core/attach/read/pidnamespace.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <limits>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

constexpr std::int64_t kLookEveryNs = 50'000'000;
/// Records may be this much older than the session, or newer than now, because clocks of cores differ.
constexpr std::int64_t kSlackNs = 1'000'000;
constexpr std::size_t kMaxThreads = 1 << 20;
constexpr std::size_t kMaxSearches = 1000; ///< For threads of other PID namespaces.
constexpr std::size_t kMaxNameBytes = 4 * JSA_TEXT_BYTES;

template <class T>
T loaded(T &shared, std::memory_order order = std::memory_order_relaxed)
{
    return std::atomic_ref(shared).load(order);
}

template <class T>
void stored(T &shared, T value, std::memory_order order = std::memory_order_relaxed)
{
    std::atomic_ref(shared).store(value, order);
}

std::string boundedText(const char *bytes, std::size_t most)
{
    return std::string(bytes, strnlen(bytes, most));
}

/// Also from the collector's side: its slot must be empty.
void setFree(jsa_ring &ring)
{
    stored(ring.ready, std::uint32_t{0});
    stored(ring.kind, std::uint32_t{JSA_RING_THREAD});
    for (std::uint64_t *number : {&ring.head, &ring.lost, &ring.tail})
        stored(*number, std::uint64_t{0});
    stored(ring.open_call, std::uint32_t{0});
    stored(ring.owner, std::uint32_t{0}, std::memory_order_release);
}

bool isGone(const AttachThread &thread)
{
    return thread.pid <= 0 || thread.tid <= 0
        || (syscall(SYS_tgkill, thread.pid, thread.tid, 0) != 0 && errno == ESRCH);
}

} // namespace

RingReader::RingReader(AttachMemory &memory)
    : m_memory(memory),
      m_clock(memory.session().clock == JSA_CLOCK_COUNTER),
      m_startNs(nowNs()),
      m_namespace(pidNamespace()),
      m_slots(JSA_RINGS),
      m_gpu(m_startNs)
{
}

std::uint32_t RingReader::ringsUsed() const
{
    return std::min<std::uint32_t>(loaded(m_memory.session().rings_used, std::memory_order_acquire), JSA_RINGS);
}

void RingReader::putInOwnNumbers(AttachThread &thread, std::uint32_t pidNamespace)
{
    if (pidNamespace == m_namespace || m_namespace == 0)
        return;
    const auto own = m_searches++ < kMaxSearches ? findThread(pidNamespace, {thread.pid, thread.tid}) : std::nullopt;
    thread.isElsewhere = !own;
    if (!own && m_elsewhere.size() < kMaxThreads)
        m_elsewhere.insert(thread.pid);
    thread.pid = own ? own->pid : thread.pid;
    thread.tid = own ? own->tid : thread.tid;
}

void RingReader::begin(std::uint32_t index, Slot &slot, std::uint32_t owner)
{
    const jsa_ring &ring = m_memory.ring(index);
    jsa_ring copy;
    std::memcpy(&copy, &ring, offsetof(jsa_ring, head));
    AttachThread thread{copy.pid, copy.tid, boundedText(copy.thread_name, JSA_NAME_BYTES),
                        boundedText(copy.process_name, JSA_NAME_BYTES)};
    putInOwnNumbers(thread, copy.pid_namespace);
    const bool isGpu = copy.kind == JSA_RING_GPU;
    // After exec the process has forgotten its ring.
    for (std::size_t i = 0; i < m_slots.size(); ++i)
        if (i != index && m_slots[i].owner != 0 && m_slots[i].isGpu == isGpu
            && m_threads[m_slots[i].thread].tid == thread.tid && m_threads[m_slots[i].thread].pid == thread.pid)
            m_slots[i].ended = true;
    if (m_threads.empty() || m_threads.size() < kMaxThreads) {
        m_threads.push_back(std::move(thread));
        m_threadCounts.emplace_back();
    }
    slot = {};
    slot.owner = owner;
    slot.thread = static_cast<std::uint32_t>(m_threads.size() - 1);
    slot.isGpu = isGpu;
}

void RingReader::takePart(Slot &slot, const jsa_record &record)
{
    if (record.call == JSA_CALL_DATA && slot.operations.size() < JSA_MOST_OPERATIONS)
        std::copy(std::begin(record.argument), std::end(record.argument), slot.operations.emplace_back().begin());
    else if (record.call == JSA_CALL_STACK && slot.stack.size() < JSA_STACK_HEAD + JSA_STACK_WORDS)
        slot.stack.insert(slot.stack.end(), std::begin(record.argument), std::end(record.argument));
    else if (record.call == JSA_CALL_TEXT && slot.text.size() < kMaxNameBytes)
        slot.text += boundedText(reinterpret_cast<const char *>(record.argument), JSA_TEXT_BYTES);
}

void RingReader::dropParts(Slot &slot)
{
    slot.text.clear();
    slot.operations.clear();
    slot.stack.clear();
}

/// Only those that such a call can have: the library writes no others.
void RingReader::giveParts(Slot &slot, const AttachCall &call, AttachEvent &event)
{
    const bool takesName = call.work == JSA_WORK_NAME || call.work == JSA_WORK_FRAME;
    const bool takesOperations = call.work == JSA_WORK_VALUES || isCopyInRows(call);
    if ((!takesName && !slot.text.empty()) || (!takesOperations && !slot.operations.empty()))
        ++m_damaged;
    if (takesName)
        event.text = std::move(slot.text);
    if (takesOperations)
        event.operations = std::move(slot.operations);
    event.stack = std::move(slot.stack);
    dropParts(slot);
}

void RingReader::take(Slot &slot, const jsa_record &record)
{
    const AttachCall *call = attachCall(record.call);
    if (!call || !jetscope::isRecorded(*call)) {
        ++m_damaged;
        return;
    }
    const bool hasSubmission = (record.flags & JSA_FLAG_SUBMISSION) != 0;
    if (!hasSubmission && record.lost > 0) // They belonged to a lost call.
        dropParts(slot);
    slot.lost += hasSubmission ? 0 : record.lost;
    if (call->work == JSA_WORK_TEXT) {
        takePart(slot, record);
        return;
    }
    const std::int64_t startNs = m_clock.toNs(record.begin);
    const std::int64_t endNs = m_clock.toNs(record.end);
    if (record.begin > record.end || startNs > endNs || startNs < m_startNs - kSlackNs
        || (endNs > m_nowNs && endNs > nowNs() + kSlackNs)) {
        ++m_damaged;
        dropParts(slot);
        return;
    }
    ++m_recorded;
    ++m_threadCounts[slot.thread].recorded;
    AttachEvent event;
    event.startNs = startNs;
    event.endNs = endNs;
    event.thread = slot.thread;
    event.call = record.call;
    event.flags = static_cast<std::uint16_t>(record.flags & ~JSA_FLAG_SUBMISSION);
    if (hasSubmission) {
        event.submission = record.submission;
        m_gpu.countSubmission();
    }
    event.lost = std::exchange(slot.lost, 0);
    giveParts(slot, *call, event);
    std::copy(std::begin(record.argument), std::end(record.argument), event.argument.begin());
    event.site = std::exchange(event.argument.back(), isCopyInRows(*call) ? directionInRows(event) : call->direction);
    if (call->work == JSA_WORK_READ)
        event.argument[2] = static_cast<std::uint64_t>(std::exchange(event.startNs, endNs));
    m_events.push_back(std::move(event));
}

void RingReader::readRing(std::uint32_t index, Slot &slot)
{
    jsa_ring &ring = m_memory.ring(index);
    const std::uint64_t head = loaded(ring.head, std::memory_order_acquire);
    if (head - slot.tail > JSA_RING_RECORDS) { // Impossible: somebody wrote over it.
        ++m_damaged;
        slot.tail = head;
    }
    m_fullest = std::max(m_fullest, head - slot.tail);
    const std::int64_t nowNs = slot.isGpu ? jetscope::nowNs() : 0;
    const jsa_record *records = m_memory.records(index);
    for (; slot.tail != head; ++slot.tail) {
        jsa_record record; // A copy, because the program may change it while it is checked.
        std::memcpy(&record, &records[slot.tail & (JSA_RING_RECORDS - 1)], sizeof record);
        if (slot.isGpu)
            m_gpu.take(std::bit_cast<jsa_gpu_record>(record), m_threads[slot.thread].pid, nowNs, slot.text);
        else
            take(slot, record);
    }
    stored(ring.tail, slot.tail, std::memory_order_release);
}

void RingReader::release(std::uint32_t index, Slot &slot)
{
    jsa_ring &ring = m_memory.ring(index);
    constexpr std::size_t kMaxUnfinished = 64;
    if (const auto open = openCall(index); open && m_unfinished.size() < kMaxUnfinished)
        m_unfinished.push_back(*open);
    if (slot.isGpu)
        m_gpu.release(ring);
    else
        addCounts(index, m_threadCounts[slot.thread]);
    constexpr std::uint64_t kWorthASystemCall = 1024;
    if (slot.tail > kWorthASystemCall)
        m_memory.discardRecords(index);
    for (std::size_t i = 0; i < m_countsReleased.size(); ++i) {
        m_countsReleased[i] += slot.isGpu ? 0 : loaded(ring.counts[i]);
        stored(ring.counts[i], std::uint64_t{0});
    }
    m_lostReleased += slot.isGpu ? 0 : loaded(ring.lost);
    slot = {};
    setFree(ring);
}

/// Its writer is finished with it.
void RingReader::readMaps(std::uint32_t index)
{
    jsa_ring &ring = m_memory.ring(index);
    constexpr std::size_t kMaxMaps = 256;
    const std::uint64_t bytes = loaded(ring.head);
    if (bytes > JSA_RING_BYTES - JSA_RING_HEADER_BYTES) {
        ++m_damaged;
    } else if (m_maps.size() < kMaxMaps) {
        AttachThread thread{loaded(ring.pid), loaded(ring.tid), {}, {}};
        putInOwnNumbers(thread, loaded(ring.pid_namespace));
        m_maps.push_back({thread.pid, std::string(reinterpret_cast<const char *>(m_memory.records(index)), bytes)});
    }
    m_memory.discardRecords(index);
    setFree(ring);
}

/// A thread leaves no trace in its ring when it ends, however it ends, so the kernel is asked.
void RingReader::findEnded()
{
    if (m_nowNs - m_lookedNs < kLookEveryNs)
        return;
    m_lookedNs = m_nowNs;
    for (Slot &slot : m_slots)
        if (slot.owner != 0)
            slot.ended = slot.ended || isGone(m_threads[slot.thread]);
}

std::int64_t RingReader::drain(std::vector<AttachEvent> &out)
{
    m_nowNs = m_clock.toNs(m_clock.update());
    std::int64_t completeNs = m_nowNs;
    findEnded();
    m_fullest = 0;
    const std::uint32_t used = ringsUsed();
    for (std::uint32_t i = 0; i < used; ++i) {
        jsa_ring &ring = m_memory.ring(i);
        const std::uint32_t owner = loaded(ring.owner);
        if (owner == 0 || loaded(ring.ready, std::memory_order_acquire) != 1)
            continue;
        Slot &slot = m_slots[i];
        if (slot.owner == 0 && loaded(ring.kind) == JSA_RING_MAPS) {
            readMaps(i);
            continue;
        }
        if (slot.owner != owner)
            begin(i, slot, owner);
        const bool ended = slot.ended;
        // Before the records: a call that is open now may be finished when they are read, but not the other way round.
        if (!ended && loaded(ring.open_call, std::memory_order_acquire) != 0)
            completeNs = std::min(completeNs, m_clock.toNs(loaded(ring.open_begin)));
        readRing(i, slot);
        if (ended)
            release(i, slot);
    }
    const auto endsBefore = [](const AttachEvent &a, const AttachEvent &b) { return a.endNs < b.endNs; };
    if (!std::is_sorted(m_events.begin(), m_events.end(), endsBefore)) // Where several threads made calls.
        std::stable_sort(m_events.begin(), m_events.end(), endsBefore);
    // Other rings may already hold calls that ended earlier than the newest of this one.
    const auto held = std::find_if(m_events.begin(), m_events.end(),
                                   [this](const AttachEvent &event) { return event.endNs > m_nowNs; });
    out.insert(out.end(), std::move_iterator(m_events.begin()), std::move_iterator(held));
    m_events.erase(m_events.begin(), held);
    return std::max({completeNs, m_nowNs - kLongestOpenNs, m_startNs});
}

void RingReader::finish(std::vector<AttachEvent> &out)
{
    drain(out);
    out.insert(out.end(), std::move_iterator(m_events.begin()), std::move_iterator(m_events.end()));
    m_events.clear();
}

std::uint64_t RingReader::lost() const
{
    std::uint64_t lost = m_lostReleased;
    for (std::uint32_t i = 0; i < ringsUsed(); ++i)
        lost += m_slots[i].isGpu ? 0 : loaded(m_memory.ring(i).lost);
    return lost;
}

bool RingReader::isRecorded(std::uint16_t call)
{
    const AttachCall *const known = attachCall(call);
    return known && jetscope::isRecorded(*known);
}

std::uint64_t RingReader::missing() const
{
    std::uint64_t missing = lost() + m_damaged;
    for (std::uint16_t call = 0; call < JSA_MOST_CALLS; ++call)
        if (isRecorded(call))
            missing += loaded(m_memory.session().counts[call]);
    return missing;
}

std::uint32_t RingReader::unhooked() const
{
    return loaded(m_memory.session().unhooked);
}

bool RingReader::hasEnded(std::int32_t pid) const
{
    if (m_lookedNs != m_nowNs || pid <= 0 || m_elsewhere.contains(pid) || kill(pid, 0) == 0 || errno != ESRCH)
        return false;
    return std::none_of(m_slots.begin(), m_slots.end(),
                        [this, pid](const Slot &slot) { return slot.owner != 0 && m_threads[slot.thread].pid == pid; });
}

std::vector<std::int32_t> RingReader::processes() const
{
    std::vector<std::int32_t> processes;
    for (const Slot &slot : m_slots)
        if (slot.owner != 0 && !slot.ended && !m_threads[slot.thread].isElsewhere && m_threads[slot.thread].pid > 0)
            processes.push_back(m_threads[slot.thread].pid);
    std::sort(processes.begin(), processes.end());
    processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
    return processes;
}

/// All but what was recorded, which is counted as it is read.
void RingReader::addCounts(std::uint32_t index, AttachCallCounts &counts) const
{
    jsa_ring &ring = m_memory.ring(index);
    for (std::uint16_t call = 0; call < JSA_MOST_CALLS; ++call)
        if (isRecorded(call))
            counts.counted += loaded(ring.counts[call]);
    counts.lost += loaded(ring.lost);
}

std::vector<AttachCallCounts> RingReader::threadCounts() const
{
    std::vector<AttachCallCounts> counts = m_threadCounts;
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        if (m_slots[i].owner != 0 && !m_slots[i].isGpu)
            addCounts(i, counts[m_slots[i].thread]);
    return counts;
}

std::optional<AttachOpenCall> RingReader::openCall(std::uint32_t index) const
{
    jsa_ring &ring = m_memory.ring(index);
    const std::uint32_t call = loaded(ring.open_call, std::memory_order_acquire);
    const std::int64_t startNs = m_clock.toNs(loaded(ring.open_begin));
    if (m_slots[index].isGpu || call > UINT16_MAX || !attachCall(static_cast<std::uint16_t>(call))
        || startNs < m_startNs - kSlackNs || startNs > m_nowNs)
        return std::nullopt;
    return AttachOpenCall{m_slots[index].thread, static_cast<std::uint16_t>(call), startNs, m_nowNs};
}

std::vector<AttachOpenCall> RingReader::openCalls() const
{
    constexpr std::size_t kMaxCalls = 5;
    std::vector<AttachOpenCall> calls = m_unfinished;
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        if (m_slots[i].owner != 0)
            if (const auto open = openCall(i))
                calls.push_back(*open);
    std::sort(calls.begin(), calls.end(), [](const AttachOpenCall &a, const AttachOpenCall &b) {
        return a.knownNs - a.startNs > b.knownNs - b.startNs;
    });
    calls.resize(std::min(calls.size(), kMaxCalls));
    return calls;
}

void RingReader::setGpuRecording(bool on, std::int64_t ns)
{
    constexpr std::size_t kMaxPauses = 64; // Work is delivered within a second.
    if (on && !m_gpuPauses.empty())
        m_gpuPauses.back().second = ns;
    else if (!on)
        m_gpuPauses.emplace_back(ns, std::numeric_limits<std::int64_t>::max());
    if (m_gpuPauses.size() > kMaxPauses)
        m_gpuPauses.erase(m_gpuPauses.begin());
}

std::vector<AttachGpuWork> RingReader::takeGpuWork()
{
    std::vector<AttachGpuWork> work = m_gpu.takeWork();
    if (!m_gpuPauses.empty())
        std::erase_if(work, [this](const AttachGpuWork &one) {
            return std::any_of(m_gpuPauses.begin(), m_gpuPauses.end(), [&](const auto &pause) {
                return one.startNs >= pause.first && one.startNs < pause.second;
            });
        });
    return work;
}

AttachGpuCounts RingReader::gpuCounts() const
{
    AttachGpuCounts counts = m_gpu.counts();
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        if (m_slots[i].owner != 0 && m_slots[i].isGpu)
            m_gpu.addHeader(m_memory.ring(i), counts);
    return counts;
}

std::vector<AttachGpuProcess> RingReader::gpuProcesses() const
{
    std::vector<AttachGpuProcess> processes = m_gpu.ended();
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        if (m_slots[i].owner != 0 && m_slots[i].isGpu)
            processes.push_back(GpuRecordReader::process(m_memory.ring(i)));
    return processes;
}

std::optional<std::int64_t> RingReader::gpuDeliveredNs() const
{
    std::optional<std::int64_t> least;
    for (std::uint32_t i = 0; i < m_slots.size(); ++i) {
        jsa_gpu_state &state = m_memory.ring(i).gpu;
        if (m_slots[i].owner == 0 || !m_slots[i].isGpu || loaded(state.state) != JSA_GPU_RECORDING)
            continue;
        const auto flushedNs = static_cast<std::int64_t>(
            std::min<std::uint64_t>(loaded(state.flushed_ns), std::numeric_limits<std::int64_t>::max()));
        least = std::min(least.value_or(flushedNs), flushedNs);
    }
    return least;
}

std::uint32_t RingReader::threadsRefused() const
{
    return loaded(m_memory.session().threads_refused);
}

WatchedResults RingReader::watchedResults() const
{
    jsa_session &session = m_memory.session();
    return {(loaded(session.options) & JSA_OPTION_WATCH_READS) != 0, loaded(session.watches),
            loaded(session.watches_refused), static_cast<int>(loaded(session.watch_error))};
}

std::array<std::uint64_t, JSA_MOST_CALLS> RingReader::counts() const
{
    auto counts = m_countsReleased;
    for (std::size_t call = 0; call < counts.size(); ++call)
        counts[call] += loaded(m_memory.session().counts[call]);
    for (std::uint32_t i = 0; i < ringsUsed(); ++i)
        for (std::size_t call = 0; !m_slots[i].isGpu && call < counts.size(); ++call)
            counts[call] += loaded(m_memory.ring(i).counts[call]);
    return counts;
}

double RingReader::recordCostNs() const
{
    return m_clock.nsPer(static_cast<double>(loaded(m_memory.session().record_cost)) / 1000);
}

} // namespace jetscope
