// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/framechoices.h"

#include "core/exchange/framenames.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace jetscope {

void FrameChoices::add(std::string_view text, std::uint64_t count, std::int64_t durationNs)
{
    const std::string_view name = withoutNumber(text);
    if (name.empty())
        return;
    Sum &sum = m_sums[std::string(name)];
    sum.count += count;
    sum.durationNs += static_cast<double>(durationNs);
}

std::vector<std::string> FrameChoices::names() const
{
    constexpr std::size_t kMax = 30;
    std::vector<std::pair<double, std::string>> repeated;
    for (const auto &[name, sum] : m_sums)
        if (sum.count > 1)
            repeated.emplace_back(sum.durationNs, name);
    const auto last = repeated.begin() + static_cast<std::ptrdiff_t>(std::min(kMax, repeated.size()));
    std::partial_sort(repeated.begin(), last, repeated.end(), [](const auto &a, const auto &b) {
        return std::tie(b.first, a.second) < std::tie(a.first, b.second);
    });
    std::vector<std::string> names;
    for (auto at = repeated.begin(); at != last; ++at)
        names.push_back(std::move(at->second));
    return names;
}

} // namespace jetscope
