// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/stampdoctor.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Examines the stamps of the first frames of a source, once. One thread at a time.
class StampSampler {
public:
    explicit StampSampler(std::size_t frames) : m_wanted(frames) {}

    void add(const StampedFrame &frame);
    /// None until enough frames came.
    const std::optional<StampFinding> &finding() const { return m_finding; }

private:
    std::size_t m_wanted;
    std::vector<SystemClockReading> m_before;
    std::vector<StampedFrame> m_frames;
    std::optional<StampFinding> m_finding;
};

/// For the facts of a stream: "CLOCK_MONOTONIC, end of the frame", with the first conflict if there is one; empty if a
/// source has no stamps and says nothing of them.
std::string stampWords(const StampFinding &finding);

} // namespace jetscope
