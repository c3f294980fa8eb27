// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/machinerecord.h"

namespace jetscope {

namespace {

bool isOfMachine(const CounterInfo &info)
{
    return !info.lane && info.unit != "frames" && info.unit != "ms" && info.unit != "ns";
}

} // namespace

void MachineRecord::add(const std::vector<CounterInfo> &counters, const std::vector<CounterSample> &samples)
{
    for (const CounterInfo &info : counters)
        if (isOfMachine(info) && m_trackOf.try_emplace(info.id, m_tracks.size()).second)
            m_tracks.emplace_back(info);
    for (const CounterSample &sample : samples)
        if (const auto track = m_trackOf.find(sample.counter); track != m_trackOf.end())
            m_tracks[track->second].append(sample.timeNs, sample.value);
}

void MachineRecord::dropBefore(std::int64_t ns)
{
    for (CounterTrack &track : m_tracks)
        track.dropBefore(ns);
}

} // namespace jetscope
