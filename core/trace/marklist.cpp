// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/marklist.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

struct MarkKindRow {
    TraceMark::Kind kind;
    std::string_view name;
};

constexpr auto kMarkKinds = std::to_array<MarkKindRow>({
    {TraceMark::Kind::Switch, "switch"},
    {TraceMark::Kind::Drop, "drop"},
    {TraceMark::Kind::Hazard, "hazard"},
    {TraceMark::Kind::Gap, "gap"},
    {TraceMark::Kind::Other, "other"},
});
static_assert(hasEveryRow(kMarkKinds, &MarkKindRow::kind));

bool isEarlier(const TraceMark &mark, std::int64_t ns)
{
    return mark.timeNs < ns;
}

} // namespace

std::string_view markKindName(TraceMark::Kind kind)
{
    const auto index = static_cast<std::size_t>(kind);
    return index < kMarkKinds.size() ? kMarkKinds[index].name : "?";
}

void MarkList::add(TraceMark mark)
{
    const auto place = std::upper_bound(m_marks.begin(), m_marks.end(), mark.timeNs,
                                        [](std::int64_t ns, const TraceMark &other) { return ns < other.timeNs; });
    m_marks.insert(place, std::move(mark));
    if (m_marks.size() > kMax) {
        m_marks.pop_front();
        ++m_discarded;
    }
}

void MarkList::dropBefore(std::int64_t ns)
{
    const auto kept = std::lower_bound(m_marks.begin(), m_marks.end(), ns, isEarlier);
    m_discarded += static_cast<std::uint64_t>(kept - m_marks.begin());
    m_marks.erase(m_marks.begin(), kept);
}

std::pair<std::size_t, std::size_t> MarkList::range(std::int64_t fromNs, std::int64_t toNs) const
{
    const auto first = std::lower_bound(m_marks.begin(), m_marks.end(), fromNs, isEarlier);
    const auto last = std::lower_bound(first, m_marks.end(), toNs, isEarlier);
    return {static_cast<std::size_t>(first - m_marks.begin()), static_cast<std::size_t>(last - m_marks.begin())};
}

} // namespace jetscope
