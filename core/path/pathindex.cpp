// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathindex.h"

#include <algorithm>

namespace jetscope {

namespace {

/// Number of entries with a later end that are checked for a start before the given time.
constexpr std::ptrdiff_t kMaxUnderWay = 16;

bool endsBefore(const PathIndex::Entry &a, const PathIndex::Entry &b)
{
    return a.endNs < b.endNs;
}

bool isOfEarlierFrame(const PathIndex::Entry &a, const PathIndex::Entry &b)
{
    return a.frame != b.frame ? a.frame < b.frame : a.endNs < b.endNs;
}

template <class Before>
void sortIfNeeded(std::vector<PathIndex::Entry> &entries, Before before)
{
    if (!std::is_sorted(entries.begin(), entries.end(), before))
        std::stable_sort(entries.begin(), entries.end(), before);
}

} // namespace

void PathIndex::clear()
{
    for (auto *lists : {&m_byEnd, &m_byFrame})
        for (std::vector<Entry> &entries : *lists)
            entries.clear();
}

void PathIndex::seal()
{
    for (std::size_t group = 0; group < kGroups; ++group) {
        sortIfNeeded(m_byEnd[group], endsBefore);
        m_byFrame[group] = m_byEnd[group];
        sortIfNeeded(m_byFrame[group], isOfEarlierFrame);
    }
}

PathIndex::Entries PathIndex::ofFrame(Group group, std::uint32_t frame) const
{
    const std::vector<Entry> &entries = m_byFrame[group];
    const auto first = std::partition_point(entries.begin(), entries.end(),
                                            [frame](const Entry &entry) { return entry.frame < frame; });
    const auto last =
        std::partition_point(first, entries.end(), [frame](const Entry &entry) { return entry.frame == frame; });
    return {first, last};
}

PathIndex::Entries PathIndex::endedBy(Entries entries, std::int64_t ns)
{
    const auto end =
        std::partition_point(entries.begin(), entries.end(), [ns](const Entry &entry) { return entry.endNs <= ns; });
    return {entries.begin(), end};
}

const PathIndex::Entry *PathIndex::lastBegun(Entries entries, std::int64_t ns)
{
    const Entries ended = endedBy(entries, ns);
    const Entry *best = ended.empty() ? nullptr : &ended.back();
    auto later = entries.begin() + (ended.end() - ended.begin());
    for (std::ptrdiff_t i = 0; i < kMaxUnderWay && later != entries.end(); ++i, ++later)
        if (later->startNs < ns && (!best || later->startNs > best->startNs))
            best = &*later;
    return best;
}

} // namespace jetscope
