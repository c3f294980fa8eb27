// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/nsysspans.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jetscope {

/// Makes spans and counters of rows that are moments: when a thread has a processor or a context the GPU, how much GPU
/// memory is allocated, how many page faults there were. Not thread-safe.
class NsysStates {
public:
    NsysStates(NsysTables &tables, NsysSpans &spans) : m_tables(tables), m_spans(spans) {}

    Status read(Progress &progress);
    /// Adds the counters to the trace. Returns false when cancelled.
    bool addCounters(Trace &trace, Progress &progress, double fraction);

private:
    struct Moment {
        std::int64_t timeNs;
        bool begins;
        std::int64_t cpu;
    };
    using Owner = std::tuple<bool, std::uint64_t, std::uint64_t>; ///< GPU or not; process, thread or GPU, context.

    NsysFate addSchedule(const NsysRow &row);
    NsysFate addSwitch(const NsysRow &row);
    NsysFate addAllocation(const NsysRow &row);
    void addChange(std::string counter, const char *unit, std::int64_t timeNs, double change);
    Status pairMoments(NsysUse use, Progress &progress);
    void pair(const Owner &owner, const std::vector<Moment> &moments, std::uint64_t &alone);

    NsysTables &m_tables;
    NsysSpans &m_spans;
    std::map<Owner, std::vector<Moment>> m_moments;
    std::unordered_map<std::int64_t, std::string> m_switchNames;
    std::unordered_map<std::int64_t, std::string> m_operationNames;
    std::unordered_map<std::int64_t, std::string> m_memoryNames;
    struct Counter {
        const char *unit;
        std::vector<std::pair<std::int64_t, double>> changes;
    };
    std::map<std::string, Counter> m_counters;
};

} // namespace jetscope
