// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/spansteps.h"

#include <limits>

namespace jetscope {

std::optional<SpanPlace> spanBeside(const Trace &trace, const SpanPlace &span, int direction)
{
    const SpanTrack &track = trace.tracks()[span.track];
    const std::uint64_t index = span.bar.index;
    if (direction < 0 ? index <= track.firstIndex() : index + 1 >= track.endIndex())
        return std::nullopt;
    const std::uint64_t next = direction < 0 ? index - 1 : index + 1;
    return SpanPlace{span.track, {next, track.at(next)}};
}

std::optional<SpanPlace> longerSpan(const Trace &trace, const SpanPlace &span, int direction)
{
    const TraceSpan &from = span.bar.span;
    std::vector<bool> isName(trace.names().size()); // A name has an entry for each category and certainty.
    for (TraceName name = 0; name < isName.size(); ++name)
        isName[name] = trace.names().text(name) == trace.names().text(from.name);
    std::optional<SpanPlace> best;
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const SpanTrack &track = trace.tracks()[place];
        const auto isFarther = [&](const TraceSpan &each) {
            return best && (each.startNs - best->bar.span.startNs) * direction >= 0;
        };
        const auto take = [&](std::uint64_t index) {
            const TraceSpan each = track.at(index);
            if (isFarther(each))
                return false;
            if (each.durationNs <= from.durationNs || !isName[each.name]
                || (each.startNs - from.startNs) * direction <= 0)
                return true;
            best = SpanPlace{place, {index, each}};
            return false;
        };
        const std::uint64_t first = track.firstFrom(from.startNs);
        if (direction > 0)
            for (std::uint64_t i = first; i < track.endIndex() && take(i); ++i) {}
        else
            for (std::uint64_t i = first; i > track.firstIndex() && take(i - 1); --i) {}
    }
    return best;
}

std::optional<SpanPlace> stepOfRow(const Trace &trace, const TopTable &table, std::uint32_t row,
                                   std::optional<std::int64_t> fromNs, int direction)
{
    constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min() / 2;
    const std::int64_t outside = direction > 0 ? kBeforeAll : table.time.endNs;
    auto place = nextOfRow(trace, table, row, fromNs.value_or(outside), direction);
    if (!place && fromNs)
        place = nextOfRow(trace, table, row, outside, direction);
    return place;
}

} // namespace jetscope
