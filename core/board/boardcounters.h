// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardsampler.h"
#include "core/trace/countertrack.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// The values of a machine as counters of a trace: those that are no details and may be known, or all that may be
/// known. Not thread-safe.
class BoardCounters {
public:
    static constexpr std::size_t kMax = 64; ///< Without details.

    enum class Which : std::uint8_t { WithoutDetails, All };
    /// Ids start at `firstId`.
    explicit BoardCounters(const std::vector<BoardItem> &items, CounterId firstId = 0,
                           Which which = Which::WithoutDetails);

    const std::vector<CounterInfo> &infos() const { return m_infos; }
    /// Appends the values that changed and all of power, NaN for those that became unknown. `state` is of the same
    /// items.
    void take(const BoardState &state, std::vector<CounterSample> &samples);
    /// Appends that nothing is known from a time on.
    void interrupt(std::int64_t ns, std::vector<CounterSample> &samples);

private:
    std::vector<CounterInfo> m_infos;
    std::vector<std::size_t> m_indices; ///< Of m_infos in the items.
    std::vector<double> m_last;
};

} // namespace jetscope
