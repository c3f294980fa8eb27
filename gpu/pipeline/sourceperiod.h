// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jetscope {

/// A source's own time from one frame to the next, by the stamps of its captures: what it would take if nobody were
/// late. One thread at a time.
class SourcePeriod {
public:
    explicit SourcePeriod(const SourceInfo &info);

    void add(const CapturedFrame &frame);
    /// kSourcePeriodUnknown until a few frames have come; kNoSourcePeriod for a source that is read as fast as its
    /// frames are taken. Changes by steps of 1 % and more.
    std::int64_t ns() const { return m_ns; }

private:
    static constexpr std::size_t kKept = 31; ///< Their median does not see gaps and stutters.
    static constexpr std::size_t kFewest = 5;

    std::int64_t median() const;

    bool m_hasPeriod;
    std::int64_t m_pacedNs; ///< 0 where the source does not hold its reader back.
    std::int64_t m_ns;
    std::array<std::int64_t, kKept> m_latest{};
    std::size_t m_count = 0;
    std::int64_t m_lastNs = 0; ///< 0 before the first frame and behind a gap.
    std::uint64_t m_lastIndex = 0;
};

} // namespace jetscope
