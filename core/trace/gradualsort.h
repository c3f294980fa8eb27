// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// Sorts values in steps of bounded cost, for a thread that must not wait: runs first, then merged by twos.
class GradualSort {
public:
    explicit GradualSort(std::vector<std::int64_t> values) : m_values(std::move(values)) {}

    /// Moves about `budget` values and takes them off it; true once all are sorted.
    bool advance(std::size_t &budget);

    /// Sorted once `advance` said so.
    const std::vector<std::int64_t> &values() const { return m_values; }

private:
    bool sortRuns(std::size_t &budget);
    bool mergePair(std::size_t &budget);

    std::vector<std::int64_t> m_values;
    std::vector<std::int64_t> m_merged; ///< Values before m_done are in here, too, in the order of this pass.
    std::size_t m_width = 0;            ///< Of the sorted runs; 0 while they are made.
    std::size_t m_begin = 0;            ///< Of the run or the pair at work.
    std::size_t m_left = 0;             ///< Taken of the pair's halves.
    std::size_t m_right = 0;
};

} // namespace jetscope
