// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/countertrack.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// What a Linux kernel tells of the machine: GPU load and clock, memory clock, CPU clock, temperatures, power. What a
/// machine does not have, or keeps to root, is not listed. Found once; the files stay open and are read in place, which
/// costs microseconds, or milliseconds where a sensor sits on a slow bus: not for a thread that must not wait. One
/// thread.
class HostCounters {
public:
    static constexpr std::size_t kMost = 64;

    /// Looks below `root`, "/" on a machine. Ids count from `firstId`.
    explicit HostCounters(const std::string &root, CounterId firstId = 0);
    ~HostCounters();
    HostCounters(HostCounters &&) noexcept;
    HostCounters &operator=(HostCounters &&) noexcept;

    const std::vector<CounterInfo> &infos() const { return m_infos; }

    /// Reads all and appends those that changed. NaN where a file says nothing that makes sense.
    void sample(std::int64_t nowNs, std::vector<CounterSample> &samples);

private:
    struct Source;
    class Search;
    std::vector<CounterInfo> m_infos;
    std::vector<Source> m_sources; ///< As m_infos.
};

} // namespace jetscope
