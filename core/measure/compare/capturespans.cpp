// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/capturespans.h"

#include "core/exchange/framenames.h"
#include "core/figures/averages.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace jetscope {

namespace {

constexpr std::size_t kMaxKinds = 2000;
constexpr std::uint64_t kSpansBetweenLooks = 1 << 16;

/// A name on lanes of a role. Two names of a trace may differ in their certainty only; they become one kind later.
std::uint64_t keyOfSpan(TraceName name, LaneRole role)
{
    return (std::uint64_t{name} << 8) | static_cast<std::uint64_t>(role);
}

struct PlacedSpan {
    std::uint32_t piece = 0;
    float ms = 0;
};

/// Calls `take(key, piece, span)` for each span that begins in a piece. False when cancelled.
template <class Take>
bool eachPlaced(const Trace &trace, const std::vector<TimePiece> &pieces, Progress &progress, Take take)
{
    std::uint64_t read = 0;
    for (const SpanTrack &track : trace.tracks()) {
        const LaneInfo *lane = trace.lane(track.lane());
        if (!lane)
            continue;
        std::size_t piece = 0;
        for (std::uint64_t i = track.firstFrom(pieces.front().time.startNs); i < track.endIndex(); ++i) {
            const TraceSpan span = track.at(i);
            while (piece < pieces.size() && pieces[piece].time.endNs <= span.startNs)
                ++piece;
            if (piece == pieces.size())
                break;
            if (span.startNs >= pieces[piece].time.startNs)
                take(keyOfSpan(span.name, lane->role), piece, span);
            if (++read % kSpansBetweenLooks == 0 && !progress.advance(1))
                return false;
        }
    }
    return true;
}

struct SpanTotal {
    std::int64_t ns = 0;
    std::uint64_t spans = 0;
    std::uint64_t names = 0; ///< Different names that were added up.

    void add(const SpanTotal &other)
    {
        ns += other.ns;
        spans += other.spans;
        names += other.names;
    }
};
using SpanTotals = std::unordered_map<std::uint64_t, SpanTotal>;
using KindTotals = std::map<SpanKind, SpanTotal>;

SpanKind kindOfKey(const TraceNames &names, std::uint64_t key)
{
    const auto name = static_cast<TraceName>(key >> 8);
    return {names.text(name), names.category(name), static_cast<LaneRole>(key & 0xff)};
}

/// Without the number at its end, if it is separated: that of "gaussian15" says what it is.
SpanKind baseOf(SpanKind kind)
{
    const std::string_view base = withoutNumber(kind.name);
    const bool isSeparated =
        base.size() < kind.name.size() && (kind.name[base.size()] < '0' || kind.name[base.size()] > '9');
    if (isSeparated)
        kind.name = std::string(base);
    return kind;
}

/// "step 1", "step 2" and so on are one kind if each of them occurs about once.
bool isNumbered(const SpanTotal &total)
{
    return total.names > 1 && total.spans <= 2 * total.names;
}

/// The kind of each key, of those with the greatest totals.
std::unordered_map<std::uint64_t, SpanKind> greatestKinds(const TraceNames &names, const SpanTotals &totals)
{
    KindTotals bases;
    for (const auto &[key, total] : totals)
        bases[baseOf(kindOfKey(names, key))].add(total);
    KindTotals kinds;
    std::unordered_map<std::uint64_t, SpanKind> kindOf;
    for (const auto &[key, total] : totals) {
        const SpanKind own = kindOfKey(names, key);
        const SpanKind base = baseOf(own);
        const SpanKind &kind = isNumbered(bases[base]) ? base : own;
        kinds[kind].add(total);
        kindOf.emplace(key, kind);
    }
    if (kinds.size() <= kMaxKinds)
        return kindOf;
    std::vector<std::int64_t> sorted;
    for (const auto &[kind, total] : kinds)
        sorted.push_back(total.ns);
    std::nth_element(sorted.begin(), sorted.begin() + kMaxKinds, sorted.end(), std::greater<>());
    const std::int64_t limit = sorted[kMaxKinds];
    std::erase_if(kindOf, [&](const auto &entry) { return kinds[entry.second].ns <= limit; });
    return kindOf;
}

double medianDuration(std::vector<double> values)
{
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : medianOf(std::move(values));
}

SpanKindFigures figuresOfSpans(const std::vector<PlacedSpan> &spans, const std::vector<TimePiece> &pieces)
{
    SpanKindFigures figures;
    figures.spans = spans.size();
    figures.totalMs.resize(pieces.size());
    std::vector<std::vector<double>> durations(pieces.size());
    std::vector<double> all;
    for (const PlacedSpan &span : spans) {
        const double ms = static_cast<double>(span.ms);
        figures.totalMs[span.piece] += ms / pieces[span.piece].divisor;
        durations[span.piece].push_back(ms);
        all.push_back(ms);
    }
    for (std::vector<double> &piece : durations)
        figures.medianMs.push_back(medianDuration(std::move(piece)));
    figures.medianOfAllMs = medianDuration(std::move(all));
    return figures;
}

} // namespace

bool addSpanKinds(CaptureFigures &capture, const Trace &trace, const std::vector<TimePiece> &pieces, Progress &progress)
{
    SpanTotals totals;
    if (!eachPlaced(trace, pieces, progress, [&](std::uint64_t key, std::size_t, const TraceSpan &span) {
            SpanTotal &total = totals[key];
            total.ns += span.durationNs;
            ++total.spans;
            total.names = 1;
        }))
        return false;
    std::map<SpanKind, std::vector<PlacedSpan>> kinds;
    std::unordered_map<std::uint64_t, std::vector<PlacedSpan> *> byKey;
    for (const auto &[key, kind] : greatestKinds(trace.names(), totals))
        byKey[key] = &kinds[kind];
    const auto place = [&](std::uint64_t key, std::size_t piece, const TraceSpan &span) {
        const auto found = byKey.find(key);
        if (found != byKey.end())
            found->second->push_back(
                {static_cast<std::uint32_t>(piece), static_cast<float>(static_cast<double>(span.durationNs) / 1e6)});
    };
    if (!eachPlaced(trace, pieces, progress, place))
        return false;
    for (const auto &[kind, spans] : kinds)
        capture.spans[kind] = figuresOfSpans(spans, pieces);
    return true;
}

} // namespace jetscope
