// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromeasync.h"

#include "core/text/shorttext.h"
#include "core/trace/watchedsort.h"

#include <algorithm>
#include <tuple>

namespace jetscope {

std::optional<LaneId> ChromeAsync::laneOf(const ChromeEvent &event)
{
    const auto [place, isNew] =
        m_laneOf.try_emplace(Key(m_ids.of(event.process), shortText(event.category)), std::nullopt);
    if (isNew)
        place->second = m_lanes.addLane(LaneRole::Tool, {});
    return place->second;
}

bool ChromeAsync::take(const ChromeEvent &event, const TraceSpan &span)
{
    const auto lane = laneOf(event);
    if (!lane)
        return false;
    const bool begins = event.phase == 'b' || event.phase == 'S';
    const bool ends = event.phase == 'e' || event.phase == 'F';
    m_entries.push_back({span, m_ids.of(event.id), m_ids.of(event.scope), m_ids.of(event.category),
                         event.isLocalId ? m_ids.of(event.process) + 1 : 0, *lane,
                         begins     ? Kind::Begin
                             : ends ? Kind::End
                                    : Kind::Moment,
                         event.phase});
    return true;
}

void ChromeAsync::close(const Entry &entry, std::int64_t endNs, char endPhase)
{
    TraceSpan span = entry.span;
    span.durationNs = std::max(std::int64_t{0}, endNs - span.startNs);
    m_lanes.add(entry.lane, span, ForeignLanes::kAnyDepth, {entry.phase, endPhase, 0});
}

/// Ends the innermost operation of that name, if possible one that began in the same process; if there is none of the
/// name, the innermost one.
void ChromeAsync::end(const Entry &entry, std::vector<Entry> &open)
{
    if (open.empty()) {
        ++(entry.phase == 'e' ? m_unmatchedEnds : m_unmatchedOldEnds);
        return;
    }
    constexpr std::size_t kMaxNested = 256; // Deeper nesting is unrealistic and slow to search.
    const auto outermost = open.rbegin() + static_cast<std::ptrdiff_t>(std::min(open.size(), kMaxNested));
    const auto isNamed = [&](const Entry &other) { return other.span.name == entry.span.name; };
    auto begun = std::find_if(open.rbegin(), outermost,
                              [&](const Entry &other) { return isNamed(other) && other.lane == entry.lane; });
    if (begun == outermost)
        begun = std::find_if(open.rbegin(), outermost, isNamed);
    if (begun == outermost)
        begun = open.rbegin();
    close(*begun, entry.span.startNs, entry.phase);
    open.erase(std::next(begun).base());
}

bool ChromeAsync::match(std::int64_t lastNs, Progress &progress, double fraction)
{
    constexpr std::size_t kEntriesBetweenLooks = 1 << 16;
    const auto operation = [](const Entry &entry) {
        return std::tie(entry.category, entry.scope, entry.process, entry.id);
    };
    const auto less = [&](const Entry &a, const Entry &b) {
        const auto left = operation(a);
        const auto right = operation(b);
        return left < right || (left == right && a.span.startNs < b.span.startNs);
    };
    if (!watchedStableSort(m_entries, less, progress, fraction))
        return false;
    std::vector<Entry> open;
    const auto closeAll = [&] {
        m_unclosed += open.size();
        for (const Entry &entry : open)
            close(entry, lastNs);
        open.clear();
    };
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const Entry &entry = m_entries[i];
        if (i > 0 && operation(entry) != operation(m_entries[i - 1]))
            closeAll();
        if (entry.kind == Kind::Begin)
            open.push_back(entry);
        else if (entry.kind == Kind::End)
            end(entry, open);
        else
            close(entry, entry.span.startNs);
        if (i % kEntriesBetweenLooks == 0 && !progress.advance(fraction))
            return false;
    }
    closeAll();
    m_entries = {};
    return true;
}

void ChromeAsync::nameLanes(const ChromeThreads &threads)
{
    for (const auto &[key, lane] : m_laneOf) {
        if (!lane)
            continue;
        LaneInfo &info = m_lanes.info(*lane);
        info.name = key.second.empty() ? "asynchronous" : key.second;
        info.detail = "asynchronous · " + threads.processText(key.first);
    }
}

} // namespace jetscope
