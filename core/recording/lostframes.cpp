// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/lostframes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jetscope {

namespace {

constexpr const char *kNothingTold = "the source left the number out, and says nothing more";
constexpr const char *kAmongOthers = "among others: there were too many to tell them apart";

} // namespace

std::uint64_t LossCounts::sum() const
{
    return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
}

LossCounts operator-(const LossCounts &to, const LossCounts &from)
{
    LossCounts counts;
    std::transform(to.of.begin(), to.of.end(), from.of.begin(), counts.of.begin(), std::minus<>());
    return counts;
}

std::string lossText(const LossCounts &counts)
{
    std::string text;
    for (const LossCauseRow &row : kLossCauses)
        if (counts[row.cause] > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(counts[row.cause]) + " " + std::string(row.says);
    return text;
}

void append(std::vector<LostFrames> &rows, LostFrames lost, std::size_t mostRows)
{
    if (!rows.empty()) {
        LostFrames &last = rows.back();
        if (last.cause == lost.cause && last.evidence == lost.evidence && last.first + last.count == lost.first) {
            last.count += lost.count;
            return;
        }
    }
    if (rows.size() < mostRows) {
        rows.push_back(std::move(lost));
        return;
    }
    const auto same =
        std::find_if(rows.rbegin(), rows.rend(), [&](const LostFrames &row) { return row.cause == lost.cause; });
    if (same == rows.rend()) {
        rows.push_back(std::move(lost)); // At most one more for each cause.
        return;
    }
    same->count += lost.count;
    same->evidence = kAmongOthers;
}

std::vector<LostFrames> accountedFor(std::uint64_t first, std::uint64_t count, const std::vector<LostFrames> &told,
                                     std::int64_t timeNs)
{
    std::vector<LostFrames> rows;
    const std::uint64_t end = first + count;
    std::uint64_t next = first;
    const auto untold = [&](std::uint64_t until) {
        if (next < until)
            rows.push_back({next, until - next, LossCause::SourceGap, timeNs, kNothingTold});
        next = until;
    };
    for (const LostFrames &lost : told) {
        const std::uint64_t from = std::clamp(lost.first, next, end);
        const std::uint64_t until = std::clamp(lost.first + lost.count, from, end);
        if (from == until)
            continue;
        untold(from);
        rows.push_back({from, until - from, lost.cause, lost.timeNs, lost.evidence});
        next = until;
    }
    untold(end);
    return rows;
}

} // namespace jetscope
