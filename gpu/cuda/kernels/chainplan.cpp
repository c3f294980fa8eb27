// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/chainplan.h"

#include <algorithm>

namespace jetscope {

namespace {

/// The pass that makes most of the filters that come next; null if none makes the first.
const PassRow *longestPass(std::span<const Filter> next)
{
    const PassRow *longest = nullptr;
    for (const PassRow &row : passRows()) {
        const std::size_t count = row.filters.size();
        if (count == 0 || count > next.size() || !std::equal(row.filters.begin(), row.filters.end(), next.begin()))
            continue;
        if (!longest || count > longest->filters.size())
            longest = &row;
    }
    return longest;
}

} // namespace

Result<std::vector<PassKind>> planChain(std::span<const Filter> filters, bool isWords)
{
    std::vector<Filter> effective(filters.begin(), filters.end());
    std::erase(effective, Filter::Identity); // It leaves the picture as it is.
    std::vector<PassKind> passes;
    for (std::span<const Filter> next = effective; !next.empty();) {
        const PassRow *row = longestPass(next);
        if (!row)
            return sentence("The filter '" + std::string(nameOf(next.front())) + "' has no CUDA kernel.");
        passes.push_back(row->kind);
        next = next.subspan(row->filters.size());
    }
    const bool needsConversion = passes.empty() || (!passRow(passes.front()).readsEveryFormat && !isWords);
    if (needsConversion)
        passes.insert(passes.begin(), PassKind::Convert);
    return passes;
}

} // namespace jetscope
