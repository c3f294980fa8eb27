// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jetscope {

/// A source's own time between frames, from its capture stamps: the period without delays by readers. One thread at a
/// time.
class SourcePeriod {
public:
    explicit SourcePeriod(const SourceInfo &info);

    void add(const CapturedFrame &frame);
    /// kSourcePeriodUnknown until a few frames have arrived; kNoSourcePeriod for a source that is read as fast as its
    /// frames are taken. Changes in steps of at least 1 %.
    std::int64_t ns() const { return m_ns; }

private:
    static constexpr std::size_t kKept = 31; ///< Number of values; their median ignores gaps and stutters.
    static constexpr std::size_t kMin = 5;

    std::int64_t median() const;

    bool m_hasPeriod;
    std::int64_t m_pacedNs; ///< 0 if the source does not limit its reader.
    std::int64_t m_ns;
    std::array<std::int64_t, kKept> m_latest{};
    std::size_t m_count = 0;
    std::int64_t m_lastNs = 0; ///< 0 before the first frame and after a gap.
    std::uint64_t m_lastIndex = 0;
};

} // namespace jetscope
