// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/hangwatch.h"

#include "core/attach/format/calltable.h"

namespace jetscope {

namespace {

constexpr std::size_t kMostHangs = 1000;
constexpr std::int64_t kLookEveryNs = 100'000'000;
/// Calls of threads that have ended are open, too, but are known up to that end only.
constexpr std::int64_t kStillKnownNs = 1'000'000'000;

bool waitsForDevice(const AttachCall &call)
{
    return call.category == Category::WaitSync || call.category == Category::WaitMemory;
}

} // namespace

std::vector<Hang> HangWatch::look(const RingReader &reader)
{
    std::vector<Hang> hangs;
    if (reader.drainedNs() - m_lookedNs < kLookEveryNs) // It looks into the ring of every thread.
        return hangs;
    m_lookedNs = reader.drainedNs();
    for (const AttachOpenCall &open : reader.openCalls()) {
        const bool isLong = open.knownNs - open.startNs >= m_afterNs;
        const bool isNow = open.knownNs >= reader.drainedNs() - kStillKnownNs;
        if (!isLong || !isNow || !waitsForDevice(*attachCall(open.call)) || m_told.size() >= kMostHangs)
            continue;
        if (m_told.emplace(open.thread, open.startNs).second)
            hangs.push_back({open, reader.threads()[open.thread]});
    }
    return hangs;
}

} // namespace jetscope
