// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/overlap.h"

#include <algorithm>

namespace jetscope {

namespace {

/// Under this share of the period the smaller side is noise, and a quotient by it would be, too.
constexpr std::int64_t kSmallestShare = 50; // 1/50 = 2 %

} // namespace

Intervals merged(Intervals pieces)
{
    std::erase_if(pieces, [](const Interval &piece) { return piece.endNs <= piece.startNs; });
    std::sort(pieces.begin(), pieces.end(),
              [](const Interval &a, const Interval &b) { return a.startNs < b.startNs; });
    std::size_t kept = 0;
    for (const Interval &piece : pieces) {
        if (kept > 0 && piece.startNs <= pieces[kept - 1].endNs)
            pieces[kept - 1].endNs = std::max(pieces[kept - 1].endNs, piece.endNs);
        else
            pieces[kept++] = piece;
    }
    pieces.resize(kept);
    return pieces;
}

Intervals clipped(const Intervals &a, Interval window)
{
    Intervals out;
    for (const Interval &piece : a) {
        const Interval inside{std::max(piece.startNs, window.startNs), std::min(piece.endNs, window.endNs)};
        if (inside.startNs < inside.endNs)
            out.push_back(inside);
    }
    return out;
}

Intervals intersected(const Intervals &a, const Intervals &b)
{
    Intervals out;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const Interval common{std::max(a[i].startNs, b[j].startNs), std::min(a[i].endNs, b[j].endNs)};
        if (common.startNs < common.endNs)
            out.push_back(common);
        if (a[i].endNs < b[j].endNs)
            ++i;
        else
            ++j;
    }
    return out;
}

Intervals subtracted(const Intervals &a, const Intervals &b)
{
    Intervals out;
    std::size_t first = 0;
    for (const Interval &piece : a) {
        while (first < b.size() && b[first].endNs <= piece.startNs)
            ++first;
        std::int64_t from = piece.startNs;
        for (std::size_t j = first; j < b.size() && b[j].startNs < piece.endNs; ++j) {
            if (from < b[j].startNs)
                out.push_back({from, b[j].startNs});
            from = b[j].endNs;
        }
        if (from < piece.endNs)
            out.push_back({from, piece.endNs});
    }
    return out;
}

std::int64_t totalNs(const Intervals &a)
{
    std::int64_t total = 0;
    for (const Interval &piece : a)
        total += piece.endNs - piece.startNs;
    return total;
}

std::optional<double> Overlap::overlap() const
{
    const std::int64_t smaller = std::min(cpuNs, gpuNs);
    if (smaller <= 0 || smaller * kSmallestShare < periodNs)
        return std::nullopt;
    return static_cast<double>(bothNs) / static_cast<double>(smaller);
}

double Overlap::parallelism() const
{
    const std::int64_t either = cpuNs + gpuNs - bothNs;
    return either > 0 ? static_cast<double>(cpuNs + gpuNs) / static_cast<double>(either) : 1.0;
}

Overlap overlapIn(Interval period, const Intervals &cpu, const Intervals &gpu)
{
    const Intervals c = clipped(cpu, period);
    const Intervals g = clipped(gpu, period);
    Overlap result;
    result.periodNs = std::max<std::int64_t>(0, period.endNs - period.startNs);
    result.cpuNs = totalNs(c);
    result.gpuNs = totalNs(g);
    result.bothNs = totalNs(intersected(c, g));
    result.idleNs = result.periodNs - (result.cpuNs + result.gpuNs - result.bothNs);
    return result;
}

} // namespace jetscope
