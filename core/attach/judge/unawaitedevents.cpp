// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/unawaitedevents.h"

#include "core/attach/format/calltable.h"

namespace jetscope {

namespace {

constexpr std::size_t kMaxUnawaited = 4096;
constexpr std::uint64_t kInterprocess = 4; // CU_EVENT_INTERPROCESS
/// So many records before one counts: a loop may first fill its slots.
constexpr std::uint32_t kMinUnawaited = 3;

} // namespace

/// An event that was used once is waited for when it is needed.
void UnawaitedEvents::takeUse(const AttachEvent &event, std::int32_t process)
{
    const auto &argument = event.argument;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_STREAMWAIT:
        m_events.erase({process, argument[1]});
        return;
    case JSA_WORK_FENCE:
        m_events.erase({process, argument[2]});
        return;
    case JSA_WORK_EVENTTIME:
        m_events.erase({process, argument[1]});
        [[fallthrough]];
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_EVENTQUERY:
        m_events.erase({process, argument[0]});
        return;
    default:
        return;
    }
}

std::optional<UnawaitedEvents::Record> UnawaitedEvents::take(const AttachEvent &event, std::int32_t process,
                                                             std::uint32_t frame)
{
    const std::pair key{process, event.argument[0]};
    const jsa_work work = attachCall(event.call)->work;
    if (work == JSA_WORK_EVENTMADE) {
        m_events.erase(key); // Its end was lost if there is one.
        if ((event.argument[1] & kInterprocess) == 0 && m_events.size() < kMaxUnawaited)
            m_events[key] = {};
        return std::nullopt;
    }
    if (work != JSA_WORK_EVENTRECORD && work != JSA_WORK_EVENTEND)
        return std::nullopt;
    const auto known = m_events.find(key);
    if (known == m_events.end())
        return std::nullopt;
    std::optional<Record> before = std::exchange(known->second.last, Record{event, frame});
    if (work == JSA_WORK_EVENTEND)
        m_events.erase(known);
    else if (!before || ++known->second.unawaited < kMinUnawaited)
        return std::nullopt;
    return before;
}

void UnawaitedEvents::interrupt()
{
    for (auto &[key, event] : m_events)
        event = {};
}

} // namespace jetscope
