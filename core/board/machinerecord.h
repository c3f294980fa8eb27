// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/countertrack.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace jetscope {

/// The counters of the machine during a run that keeps no trace. Not thread-safe.
class MachineRecord {
public:
    /// `counters`: all so far, as in an update of a pipeline. Counters of lanes and queues are left out.
    void add(const std::vector<CounterInfo> &counters, const std::vector<CounterSample> &samples);
    void dropBefore(std::int64_t ns);
    std::span<const CounterTrack> counters() const { return m_tracks; }

private:
    std::vector<CounterTrack> m_tracks;
    std::map<CounterId, std::size_t> m_trackOf;
};

} // namespace jetscope
