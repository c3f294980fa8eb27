// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace jetscope {

/// How long the CPU, the GPU and both at once were busy.
struct OverviewTimes {
    std::int64_t cpuNs = 0;
    std::int64_t gpuNs = 0;
    std::int64_t bothNs = 0;

    OverviewTimes &operator+=(const OverviewTimes &other);
};

/// How CPU and GPU shared a whole trace, in a few thousand equal parts, so that a picture of all of it costs the same
/// for any number of spans. A value: a copy may go on on another thread.
class TraceOverview {
public:
    static constexpr std::size_t kMaxParts = 4096;

    /// One that was read elsewhere; its parts are equal times from the start on, at most kMaxParts. Empty if that
    /// cannot be.
    static TraceOverview of(std::int64_t startNs, std::int64_t partNs, std::vector<OverviewTimes> parts);

    /// Reads the spans up to a time that were not read before; spans that arrive later with earlier times are missing.
    /// Where there are too many parts, two become one. About 0.3 µs a span: not for threads that must not block. False
    /// when cancelled: what was read stays.
    bool extend(const Trace &trace, std::int64_t untilNs, Progress &progress);

    bool empty() const { return m_parts.empty(); }
    std::int64_t startNs() const { return m_startNs; }
    /// Everything before was read.
    std::int64_t endNs() const { return m_endNs; }
    std::int64_t partNs() const { return m_partNs; }
    const std::vector<OverviewTimes> &parts() const { return m_parts; }
    /// What fraction (0..1) of a time each was busy; parts that the edges cut count in proportion.
    struct Load {
        double cpu = 0;
        double gpu = 0;
        double both = 0;
    };
    Load loadOf(Interval time) const;

private:
    void begin(const Trace &trace, std::int64_t untilNs);
    void makeRoom(std::int64_t untilNs);
    void add(Interval piece, bool cpu, bool gpu);

    std::int64_t m_startNs = 0;
    std::int64_t m_endNs = 0;
    std::int64_t m_partNs = 1;
    std::vector<OverviewTimes> m_parts;
};

} // namespace jetscope
