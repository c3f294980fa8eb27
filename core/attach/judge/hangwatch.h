// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace jetscope {

/// A call that waits for the GPU and does not return.
struct Hang {
    AttachOpenCall call;
    AttachThread thread;

    double seconds() const { return static_cast<double>(call.knownNs - call.startNs) / 1e9; }
};

/// Finds calls of an inspected program that wait for the GPU for longer than is plausible. A thread that asks again and
/// again whether work is complete is no such call. Not thread-safe.
class HangWatch {
public:
    explicit HangWatch(std::int64_t afterNs) : m_afterNs(afterNs) {}

    /// Call behind RingReader::drain, as often as wanted: looks ten times a second. Each hang is
    /// returned once.
    std::vector<Hang> look(const RingReader &reader);

private:
    const std::int64_t m_afterNs;
    std::int64_t m_lookedNs = 0;
    std::set<std::pair<std::uint32_t, std::int64_t>> m_told; ///< Thread and start.
};

} // namespace jetscope
