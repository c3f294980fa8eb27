// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/workbounds.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/awaitedwork.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxWorkStreams = 4096;
constexpr std::size_t kMaxEvents = 1 << 16;
constexpr std::size_t kMaxSubmissions = 4096;
constexpr std::size_t kMaxStreamWaits = 64; ///< Of a stream.
constexpr std::uint64_t kDefaultStream = 0; ///< The legacy one.
constexpr std::uint64_t kGone = 1ULL << 63; ///< Numbers of streams that are gone; no other number is accepted there.
constexpr std::ptrdiff_t kMaxGone = 16;     ///< Of a process, with work that may still run; of more than these
constexpr std::uint64_t kTogether = UINT64_MAX; ///< the work is kept together.

} // namespace

bool WorkBounds::Stream::append(std::int32_t pid, std::int64_t untilNs, std::vector<BoundedWork> &out) const
{
    const std::int64_t fromNs = std::max(submitted.front(), shownNs);
    if (fromNs < untilNs)
        out.push_back({pid, handle, {fromNs, untilNs}});
    return fromNs < untilNs;
}

void WorkBounds::submit(Key key, std::int64_t ns)
{
    if (key.second >= kGone || (m_streams.size() >= kMaxWorkStreams && !m_streams.contains(key)))
        return;
    Stream &stream = m_streams[key];
    stream.handle = key.second;
    if (stream.submitted.size() >= kMaxSubmissions)
        stream.submitted.pop_back(); // The first one bounds the work, the others only what follows an event.
    stream.submitted.push_back(ns);
}

/// What was submitted before one time was complete at another.
void WorkBounds::settle(Key key, std::int64_t submittedBefore, std::int64_t completeNs, std::vector<BoundedWork> &out)
{
    settleAwaited(key, submittedBefore, completeNs, out);
    const auto found = m_streams.find(key);
    if (found == m_streams.end())
        return;
    Stream &stream = found->second;
    if (stream.submitted.empty() || stream.submitted.front() >= submittedBefore)
        return;
    stream.append(key.first, completeNs, out);
    std::int64_t newestNs = 0;
    for (; !stream.submitted.empty() && stream.submitted.front() < submittedBefore; stream.submitted.pop_front())
        newestNs = stream.submitted.front();
    if (stream.submitted.empty())
        m_streams.erase(found);
    settleDefault(key, newestNs, completeNs, out);
}

/// What a stream had to wait for is complete, too. Ends, because each wait is followed once.
void WorkBounds::settleAwaited(Key key, std::int64_t submittedBefore, std::int64_t completeNs,
                               std::vector<BoundedWork> &out)
{
    const auto waits = m_awaited.find(key);
    if (waits == m_awaited.end())
        return;
    std::deque<Awaited> &all = waits->second;
    const auto later =
        std::find_if(all.begin(), all.end(), [&](const Awaited &one) { return one.sinceNs >= submittedBefore; });
    const std::deque<Awaited> over(all.begin(), later);
    all.erase(all.begin(), later);
    if (all.empty())
        m_awaited.erase(waits);
    for (const Awaited &one : over)
        settle({key.first, one.work.stream}, one.work.recordedNs, completeNs, out);
}

/// Work of the default stream begins behind all that was given to blocking streams before, and their work behind that
/// of the default stream. Ends, because each step has settled work.
void WorkBounds::settleDefault(Key key, std::int64_t submittedNs, std::int64_t completeNs,
                               std::vector<BoundedWork> &out)
{
    const ProgramProcess &process = m_model.of(key.first);
    if (key.second != kDefaultStream) {
        if (process.isBlocking(key.second).value_or(false))
            settle({key.first, kDefaultStream}, submittedNs, completeNs, out);
        return;
    }
    for (const auto &[handle, made] : process.streams)
        if (made.isBlocking)
            settle({key.first, handle}, submittedNs, completeNs, out);
}

void WorkBounds::awaitEvent(Key key, std::uint64_t event, std::int64_t ns)
{
    const auto known = m_events.find({key.first, event});
    if (known == m_events.end() || known->second.stream == key.second
        || (m_awaited.size() >= kMaxWorkStreams && !m_awaited.contains(key)))
        return;
    std::deque<Awaited> &all = m_awaited[key];
    all.push_back({ns, known->second});
    if (all.size() > kMaxStreamWaits)
        all.pop_front();
}

/// A place for the work of a stream that is gone, and its key.
WorkBounds::Stream &WorkBounds::retiredStream(Key &key)
{
    const auto from = m_streams.lower_bound({key.first, kGone});
    const auto to = m_streams.upper_bound({key.first, kTogether});
    const bool isFull = std::distance(from, to) >= kMaxGone;
    const Stream old{key.second, {}, 0};
    key.second = isFull ? kTogether : kGone | ++m_retired;
    return m_streams.try_emplace(key, old).first->second;
}

/// The stream is gone, but not its work, which only a wait for an event or for the device shows to be complete.
/// Another thread may have got the handle again before the call, which began at `ns`, had returned.
void WorkBounds::retire(Key key, std::int64_t ns)
{
    const auto found = m_streams.find(key);
    if (key.second >= kGone || found == m_streams.end() || found->second.submitted.front() >= ns)
        return;
    Key gone = key;
    Stream &retired = retiredStream(gone);
    Stream &stream = found->second;
    retired.shownNs = std::max(retired.shownNs, stream.shownNs);
    const auto later = std::lower_bound(stream.submitted.begin(), stream.submitted.end(), ns);
    retired.submitted.insert(retired.submitted.end(), stream.submitted.begin(), later);
    std::sort(retired.submitted.begin(), retired.submitted.end());
    if (retired.submitted.size() > kMaxSubmissions)
        retired.submitted.resize(kMaxSubmissions);
    stream.submitted.erase(stream.submitted.begin(), later);
    if (stream.submitted.empty())
        m_streams.erase(found);
    for (auto event = m_events.lower_bound({key.first, 0});
         event != m_events.end() && event->first.first == key.first;) {
        const bool isOfIt = event->second.stream == key.second && event->second.recordedNs < ns;
        if (isOfIt && gone.second == kTogether) { // It shows nothing of the other streams' work.
            event = m_events.erase(event);
            continue;
        }
        event->second.stream = isOfIt ? gone.second : event->second.stream;
        ++event;
    }
    const auto to = m_awaited.upper_bound({key.first, kTogether});
    for (auto waits = m_awaited.lower_bound({key.first, 0}); waits != to; ++waits)
        for (Awaited &one : waits->second)
            if (one.work.stream == key.second && one.work.recordedNs < ns) {
                one.work.stream = gone.second;
                one.work.recordedNs = gone.second == kTogether ? 0 : one.work.recordedNs;
            }
}

void WorkBounds::settleAll(std::int32_t pid, const AttachEvent &event, std::vector<BoundedWork> &out)
{
    std::vector<Key> keys; // settle erases them, and others.
    for (auto stream = m_streams.lower_bound({pid, 0}); stream != m_streams.end() && stream->first.first == pid;
         ++stream)
        keys.push_back(stream->first);
    for (const Key &key : keys)
        settle(key, event.startNs, event.endNs, out);
}

void WorkBounds::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::vector<BoundedWork> &out)
{
    if (m_model.isCaptured() || event.failed()) // A query that says "not ready", too.
        return;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_LAUNCH:
    case JSA_WORK_COPYASYNC:
    case JSA_WORK_SETASYNC:
    case JSA_WORK_SET:
        return submit({pid, streamOfCall(event, 0, tid)}, event.startNs);
    case JSA_WORK_COPY:
        submit({pid, streamOfCall(event, 0, tid)}, event.startNs);
        if (event.argument[4] == JSA_COPY_TO_HOST) // Others may return before the copy is complete.
            settle({pid, streamOfCall(event, 0, tid)}, event.endNs, event.endNs, out);
        return;
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_QUERY:
        return settle({pid, streamOfCall(event, 0, tid)}, event.startNs, event.endNs, out);
    case JSA_WORK_STREAMEND:
        m_awaited.erase({pid, event.argument[0]});
        return retire({pid, event.argument[0]}, event.startNs);
    case JSA_WORK_STREAMWAIT:
        return awaitEvent({pid, streamOfCall(event, 0, tid)}, event.argument[1], event.startNs);
    case JSA_WORK_CONTEXTSYNC:
        return settleAll(pid, event, out);
    case JSA_WORK_EVENTRECORD:
        if (m_events.size() < kMaxEvents || m_events.contains({pid, event.argument[0]}))
            m_events[{pid, event.argument[0]}] = {streamOfCall(event, 1, tid), event.startNs};
        return;
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_EVENTQUERY:
        if (const auto known = m_events.find({pid, event.argument[0]}); known != m_events.end())
            settle({pid, known->second.stream}, known->second.recordedNs, event.endNs, out);
        return;
    default:
        return;
    }
}

void WorkBounds::cut(std::int64_t ns, std::vector<BoundedWork> &out)
{
    for (auto &[key, stream] : m_streams)
        if (stream.append(key.first, ns, out))
            stream.shownNs = ns;
}

std::vector<std::int32_t> WorkBounds::processes() const
{
    std::vector<std::int32_t> processes;
    for (const auto &[key, stream] : m_streams)
        if (processes.empty() || processes.back() != key.first)
            processes.push_back(key.first);
    return processes;
}

void WorkBounds::endProcess(std::int32_t pid, std::int64_t ns, std::vector<BoundedWork> &out)
{
    for (const auto &[key, stream] : m_streams)
        if (key.first == pid)
            stream.append(pid, ns, out);
    const auto isOfIt = [pid](const auto &entry) { return entry.first.first == pid; };
    std::erase_if(m_streams, isOfIt);
    std::erase_if(m_events, isOfIt);
    std::erase_if(m_awaited, isOfIt);
}

void WorkBounds::interrupt()
{
    m_streams.clear();
    m_events.clear();
    m_awaited.clear();
}

} // namespace jetscope
