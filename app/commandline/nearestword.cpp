// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/nearestword.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kLongestWord = 32; // Limits the size of the table.

/// Levenshtein distance: insertions, deletions and replacements.
std::size_t editDistance(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
        }
    }
    return row[to.size()];
}

} // namespace

std::string_view nearestWord(std::string_view typed, std::span<const std::string_view> words)
{
    std::string_view best;
    if (typed.size() > kLongestWord)
        return best;
    std::size_t fewest = std::max<std::size_t>(2, typed.size() / 3) + 1;
    for (std::string_view word : words) {
        const std::size_t edits = editDistance(typed, word);
        if (edits < fewest) {
            fewest = edits;
            best = word;
        }
    }
    return best;
}

} // namespace jetscope
