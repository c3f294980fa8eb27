// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// Sorts values in steps of bounded cost, for threads that must not block: sorts short runs, then merges pairs of runs.
class GradualSort {
public:
    explicit GradualSort(std::vector<std::int64_t> values) : m_values(std::move(values)) {}

    /// Moves about `budget` values and subtracts the number moved from `budget`. Returns true once all values are
    /// sorted.
    bool advance(std::size_t &budget);

    /// Sorted once `advance` has returned true.
    const std::vector<std::int64_t> &values() const { return m_values; }

private:
    bool sortRuns(std::size_t &budget);
    bool mergePair(std::size_t &budget);

    std::vector<std::int64_t> m_values;
    std::vector<std::int64_t> m_merged; ///< Merged values of the current pass, up to m_done.
    std::size_t m_width = 0;            ///< Length of the sorted runs; 0 while they are created.
    std::size_t m_begin = 0;            ///< Start of the current run or pair of runs.
    std::size_t m_left = 0;             ///< Values already taken from each half of the pair.
    std::size_t m_right = 0;
};

} // namespace jetscope
