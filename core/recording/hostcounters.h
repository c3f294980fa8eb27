// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/countertrack.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// Counters of the Linux kernel: GPU load and clock, memory clock, CPU clock, temperatures, power. Counters that do not
/// exist or that only root can read are not listed. They are searched for once; the files stay open and are read in
/// place. Reading takes microseconds, or milliseconds if a sensor is on a slow bus: not for threads that must not
/// block. Not thread-safe.
class HostCounters {
public:
    static constexpr std::size_t kMost = 64;

    /// Searches below `root`, which is "/" except in tests. Ids start at `firstId`.
    explicit HostCounters(const std::string &root, CounterId firstId = 0);
    ~HostCounters();
    HostCounters(HostCounters &&) noexcept;
    HostCounters &operator=(HostCounters &&) noexcept;

    const std::vector<CounterInfo> &infos() const { return m_infos; }

    /// Reads all counters and appends the values that changed. NaN if a file's content is invalid.
    void sample(std::int64_t nowNs, std::vector<CounterSample> &samples);

private:
    struct Source;
    class Search;
    std::vector<CounterInfo> m_infos;
    std::vector<Source> m_sources; ///< In the order of m_infos.
};

} // namespace jetscope
