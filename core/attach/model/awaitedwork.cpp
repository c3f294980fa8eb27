// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/awaitedwork.h"

#include "core/attach/format/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxAwaited = 4096;
constexpr std::uint64_t kLegacyHandle = 1;    // CU_STREAM_LEGACY
constexpr std::uint64_t kThreadsStream = 2;   // CU_STREAM_PER_THREAD
constexpr std::uint64_t kMappedForDevice = 2; // CU_MEMHOSTALLOC_DEVICEMAP, CU_MEMHOSTREGISTER_DEVICEMAP

} // namespace

std::uint64_t streamOfCall(const AttachEvent &event, std::size_t argument, std::int32_t tid)
{
    const std::uint64_t stream = event.argument[argument];
    const bool isThreads = stream == kThreadsStream || (stream == 0 && (event.flags & JSA_FLAG_PER_THREAD) != 0);
    if (isThreads)
        return std::uint64_t{static_cast<std::uint32_t>(tid)} << 32 | kThreadsStream;
    return stream == kLegacyHandle ? 0 : stream;
}

bool isStreamOfThread(std::uint64_t stream)
{
    return (stream & UINT32_MAX) == kThreadsStream && stream > UINT32_MAX;
}

AwaitedWork::Stream *AwaitedWork::streamAt(Key key)
{
    if (m_streams.size() >= kMaxAwaited && !m_streams.contains(key))
        return nullptr;
    return &m_streams[key];
}

void AwaitedWork::submit(Key key, const AttachEvent &event)
{
    Stream *const known = streamAt(key);
    if (!known)
        return;
    Stream &stream = *known;
    ++stream.newest;
    const jsa_work work = attachCall(event.call)->work;
    if (work == JSA_WORK_LAUNCH)
        stream.kernel = stream.newest;
    else if (work == JSA_WORK_COPYASYNC && event.argument[4] == JSA_COPY_TO_HOST)
        stream.copyToHost = stream.newest;
}

bool AwaitedWork::wait(Key key)
{
    const auto found = m_streams.find(key);
    if (found == m_streams.end())
        return false;
    Stream &stream = found->second;
    const bool more = stream.hasCopy() && stream.kernel > stream.copyToHost;
    stream.complete = stream.newest;
    return more && !m_shared.contains(key.first);
}

bool AwaitedWork::waitForAll(std::int32_t pid)
{
    const auto from = m_streams.lower_bound({pid, 0});
    const auto to = m_streams.upper_bound({pid, UINT64_MAX});
    bool copies = false;
    bool more = false;
    std::map<std::uint64_t, std::uint64_t> needed; // By stream.
    for (auto stream = from; stream != to; ++stream) {
        if (!stream->second.hasCopy())
            continue;
        copies = true;
        std::uint64_t &own = needed[stream->first.second];
        own = std::max(own, stream->second.copyToHost);
        for (const auto &[other, submission] : stream->second.awaited)
            needed[other] = std::max(needed[other], submission);
    }
    for (auto stream = from; stream != to; ++stream) {
        more = more || stream->second.kernel > std::max(stream->second.complete, needed[stream->first.second]);
        stream->second.complete = stream->second.newest;
    }
    return copies && more && !m_shared.contains(pid);
}

void AwaitedWork::takeEvent(const AttachEvent &event, std::int32_t pid, std::int32_t tid)
{
    const auto &argument = event.argument;
    const jsa_work work = attachCall(event.call)->work;
    if (work == JSA_WORK_EVENTRECORD) {
        const std::uint64_t handle = streamOfCall(event, 1, tid);
        const Stream *const stream = streamAt({pid, handle});
        if (stream && (m_events.size() < kMaxAwaited || m_events.contains({pid, argument[0]})))
            m_events[{pid, argument[0]}] = {handle, stream->newest};
        return;
    }
    const auto known = m_events.find({pid, argument[work == JSA_WORK_STREAMWAIT ? 1 : 0]});
    if (known == m_events.end())
        return;
    if (work != JSA_WORK_STREAMWAIT) {
        if (Stream *const stream = streamAt({pid, known->second.stream}))
            stream->complete = std::max(stream->complete, known->second.submission);
    } else if (Stream *const stream = streamAt({pid, streamOfCall(event, 0, tid)});
               stream && stream->awaited.size() < kMaxAwaited) {
        stream->awaited[known->second.stream] = known->second.submission;
    }
}

/// A value may come from any other stream.
void AwaitedWork::awaitAll(Key key)
{
    Stream *const waiting = streamAt(key);
    if (!waiting)
        return;
    const auto to = m_streams.upper_bound({key.first, UINT64_MAX});
    for (auto stream = m_streams.lower_bound({key.first, 0}); stream != to; ++stream)
        if (stream->first != key)
            waiting->awaited[stream->first.second] = stream->second.newest;
}

bool AwaitedWork::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid)
{
    const auto &argument = event.argument;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_MANAGED:
    case JSA_WORK_GRAPHICS:
        m_shared.insert(pid);
        return false;
    case JSA_WORK_HOSTALLOC:
    case JSA_WORK_REGISTER:
        if ((argument[2] & kMappedForDevice) != 0)
            m_shared.insert(pid);
        return false;
    case JSA_WORK_LAUNCH:
    case JSA_WORK_COPYASYNC:
        submit({pid, streamOfCall(event, 0, tid)}, event);
        return false;
    case JSA_WORK_VALUEWAIT:
    case JSA_WORK_VALUES:
        awaitAll({pid, streamOfCall(event, 0, tid)});
        return false;
    case JSA_WORK_EVENTRECORD:
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_EVENTQUERY:
    case JSA_WORK_STREAMWAIT:
        takeEvent(event, pid, tid);
        return false;
    case JSA_WORK_EVENTEND:
        m_events.erase({pid, argument[0]});
        return false;
    case JSA_WORK_STREAMEND:
        m_streams.erase({pid, argument[0]});
        return false;
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_QUERY:
        return wait({pid, streamOfCall(event, 0, tid)}) && attachCall(event.call)->work == JSA_WORK_STREAMSYNC;
    case JSA_WORK_CONTEXTSYNC:
        return waitForAll(pid);
    default:
        return false;
    }
}

void AwaitedWork::interrupt()
{
    m_streams.clear();
    m_events.clear();
}

} // namespace jetscope
