// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/streamcaptures.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/awaitedwork.h"

#include <algorithm>
#include <iterator>

namespace jetscope {

namespace {

constexpr std::size_t kMaxCaptured = 4096;
constexpr std::size_t kMaxCapturedEvents = 1 << 14;

/// What cuStreamEndCapture says when it has not come to the capture: bad arguments, no context, a call in a host
/// function, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED (another stream began it) and CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD.
/// With every other error the capture is over and only the graph is missing.
constexpr int kCapturesOn[] = {1, 3, 4, 201, 400, 800, 903, 908};

bool leavesCapture(int code)
{
    return std::find(std::begin(kCapturesOn), std::end(kCapturesOn), code) != std::end(kCapturesOn);
}

} // namespace

void StreamCaptures::clear()
{
    m_streams.clear();
    m_events.clear();
}

void StreamCaptures::begin(Key stream)
{
    end(stream); // Its end was lost if there is one.
    if (m_streams.size() < kMaxCaptured)
        m_streams[stream] = stream.second;
}

/// Of the stream in which it began; the streams that it has taken in are free then, too.
void StreamCaptures::end(Key stream)
{
    const auto known = m_streams.find(stream);
    if (known == m_streams.end())
        return;
    const std::uint64_t origin = known->second;
    const auto isOfIt = [&](const auto &entry) { return entry.first.first == stream.first && entry.second == origin; };
    std::erase_if(m_streams, isOfIt);
    std::erase_if(m_events, isOfIt);
}

bool StreamCaptures::takeWork(const AttachEvent &event, std::int32_t pid, std::int32_t tid)
{
    const jsa_work work = attachCall(event.call)->work;
    const bool isSecond = work == JSA_WORK_EVENTRECORD || work == JSA_WORK_POOLFREE;
    const Key stream = {pid, streamOfCall(event, isSecond ? 1 : 0, tid)};
    if (work == JSA_WORK_STREAMWAIT)
        if (const auto captured = m_events.find({pid, event.argument[1]});
            captured != m_events.end() && (m_streams.size() < kMaxCaptured || m_streams.contains(stream)))
            m_streams.try_emplace(stream, captured->second);
    const auto known = m_streams.find(stream);
    if (work == JSA_WORK_EVENTRECORD) {
        const Key recorded = {pid, event.argument[0]};
        if (known == m_streams.end())
            m_events.erase(recorded);
        else if (m_events.size() < kMaxCapturedEvents || m_events.contains(recorded))
            m_events[recorded] = known->second;
    }
    return known != m_streams.end();
}

bool StreamCaptures::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid)
{
    const jsa_work work = attachCall(event.call)->work;
    if (work != JSA_WORK_CAPTURE && m_streams.empty())
        return work == JSA_WORK_CAPTUREEND;
    const Key stream = {pid, streamOfCall(event, 0, tid)};
    switch (work) {
    case JSA_WORK_CAPTURE:
        if (!event.failed())
            begin(stream);
        return true;
    case JSA_WORK_CAPTUREEND:
        if (!event.failed() || !leavesCapture(event.code()))
            end(stream);
        return true;
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_QUERY:
    case JSA_WORK_STREAMEND:
        if (!event.failed()) // Of a stream that is captured, they fail.
            end(stream);
        return false;
    case JSA_WORK_LAUNCH:
    case JSA_WORK_SET:
    case JSA_WORK_SETASYNC:
    case JSA_WORK_COPY:
    case JSA_WORK_COPYASYNC:
    case JSA_WORK_HOSTFUNC:
    case JSA_WORK_EVENTRECORD:
    case JSA_WORK_STREAMWAIT:
    case JSA_WORK_VALUEWRITE:
    case JSA_WORK_VALUEWAIT:
    case JSA_WORK_VALUES:
    case JSA_WORK_SIGNAL:
    case JSA_WORK_POOLFREE:
        return !event.failed() && takeWork(event, pid, tid);
    default:
        return false;
    }
}

} // namespace jetscope
