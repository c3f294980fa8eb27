// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/namesearch.h"

#include "core/text/foldedtext.h"
#include "core/text/parsenumber.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace jetscope {

namespace {

bool isLonger(const SpanPlace &a, const SpanPlace &b)
{
    return a.bar.span.durationNs > b.bar.span.durationNs;
}

/// The index of the first span that starts after a time.
std::uint64_t firstBehind(const SpanTrack &spans, std::int64_t ns)
{
    std::uint64_t index = spans.range(ns, ns + 1).first;
    while (index < spans.endIndex() && spans.at(index).startNs <= ns)
        ++index;
    return index;
}

std::string_view trimmed(std::string_view typed)
{
    constexpr std::string_view kBlank = " \t";
    const std::size_t first = typed.find_first_not_of(kBlank);
    return first == std::string_view::npos ? std::string_view()
                                           : typed.substr(first, typed.find_last_not_of(kBlank) + 1 - first);
}

/// "2.5 ms" in nanoseconds; -1 if it is no length. The text is folded.
std::int64_t lengthOf(std::string_view typed)
{
    constexpr double kLongest = 1e18;
    constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
        {{"ns", 1}, {"us", 1e3}, {"\u00b5s", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
    const std::size_t digits = typed.find_first_not_of("0123456789.");
    if (digits == 0 || digits == std::string_view::npos || typed.front() == '.')
        return -1;
    const std::optional<double> number = parseNumber<double>(typed.substr(0, digits));
    const std::string_view unit = trimmed(typed.substr(digits));
    for (const auto &[word, factor] : kUnits)
        if (number && unit == word)
            return static_cast<std::int64_t>(std::min(*number * factor, kLongest));
    return -1;
}

/// Splits "gemm > 2 ms" into the name and nanoseconds; without a length, those are -1.
std::pair<std::string, std::int64_t> nameAndLength(std::string_view text)
{
    std::string folded = foldedText(text);
    const std::size_t sign = folded.rfind('>');
    const std::int64_t ns =
        sign == std::string::npos ? -1 : lengthOf(trimmed(std::string_view(folded).substr(sign + 1)));
    if (ns >= 0)
        folded = trimmed(std::string_view(folded).substr(0, sign));
    return {std::move(folded), ns};
}

} // namespace

void NameSearch::setText(std::string_view text)
{
    std::tie(m_text, m_overNs) = nameAndLength(text);
    m_known.clear();
    restart();
}

void NameSearch::restart()
{
    m_counted.clear();
    m_durations.clear();
    m_longest.clear();
    m_shape = m_trace.shape();
    m_discarded = m_trace.droppedSpans();
}

/// Keeps the longest.
void NameSearch::list(const SpanPlace &match)
{
    if (m_longest.size() >= kMostListed) {
        if (!isLonger(match, m_longest.front()))
            return;
        std::pop_heap(m_longest.begin(), m_longest.end(), isLonger);
        m_longest.pop_back();
    }
    m_longest.push_back(match);
    std::push_heap(m_longest.begin(), m_longest.end(), isLonger);
}

bool NameSearch::matchesName(TraceName name) const
{
    if (m_text.empty())
        return m_overNs >= 0;
    if (name >= m_known.size())
        m_known.resize(std::max<std::size_t>(m_trace.names().size(), name + 1), -1);
    signed char &known = m_known[name];
    if (known < 0)
        known = foldedText(m_trace.names().text(name)).find(m_text) != std::string::npos ? 1 : 0;
    return known == 1;
}

/// Calls `take` for each match and returns their number.
template <class Take>
std::uint64_t NameSearch::countBlock(std::size_t track, std::uint64_t first, std::uint64_t last, Take take) const
{
    const SpanTrack &spans = m_trace.tracks()[track];
    std::uint64_t found = 0;
    for (std::uint64_t i = std::max(first, spans.firstIndex()); i < last; ++i)
        if (const TraceSpan span = spans.at(i); matches(span)) {
            take(i, span);
            ++found;
        }
    return found;
}

bool NameSearch::advance(std::uint64_t mostSpans)
{
    if (m_shape != m_trace.shape() || m_discarded != m_trace.droppedSpans())
        restart();
    if (isEmpty())
        return true;
    const auto &tracks = m_trace.tracks();
    while (m_counted.size() < tracks.size()) {
        const std::uint64_t from = tracks[m_counted.size()].firstIndex() / kBlock * kBlock;
        m_counted.push_back({from, from, {}});
    }
    std::uint64_t looked = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        Counted &counted = m_counted[i];
        while (counted.next < tracks[i].endIndex()) {
            if (looked >= mostSpans)
                return false;
            const std::uint64_t end = std::min((counted.next / kBlock + 1) * kBlock, tracks[i].endIndex());
            const std::uint64_t found =
                countBlock(i, counted.next, end, [this, i](std::uint64_t index, const TraceSpan &span) {
                    m_durations.add(span.durationNs);
                    list({i, {index, span}});
                });
            const auto block = static_cast<std::size_t>((counted.next - counted.from) / kBlock);
            if (counted.blocks.size() <= block)
                counted.blocks.resize(block + 1);
            counted.blocks[block] = static_cast<std::uint16_t>(counted.blocks[block] + found);
            looked += end - counted.next;
            counted.next = end;
        }
    }
    return true;
}

bool NameSearch::isEmptyBlock(std::size_t track, std::uint64_t index) const
{
    if (track >= m_counted.size() || index < m_counted[track].from)
        return false;
    const std::uint64_t block = (index - m_counted[track].from) / kBlock;
    const std::uint64_t end = m_counted[track].from + (block + 1) * kBlock;
    return end <= m_counted[track].next && m_counted[track].blocks[static_cast<std::size_t>(block)] == 0;
}

std::optional<std::uint64_t> NameSearch::firstMatch(std::size_t track, std::uint64_t from) const
{
    const SpanTrack &spans = m_trace.tracks()[track];
    for (std::uint64_t index = std::max(from, spans.firstIndex()); index < spans.endIndex();)
        if (index % kBlock == 0 && isEmptyBlock(track, index))
            index += kBlock;
        else if (matches(spans.at(index)))
            return index;
        else
            ++index;
    return std::nullopt;
}

std::optional<std::uint64_t> NameSearch::lastMatch(std::size_t track, std::uint64_t before) const
{
    const SpanTrack &spans = m_trace.tracks()[track];
    for (std::uint64_t index = std::min(before, spans.endIndex()); index > spans.firstIndex();) {
        --index;
        if (index % kBlock == kBlock - 1 && isEmptyBlock(track, index))
            index = std::max(index - (kBlock - 1), spans.firstIndex());
        else if (matches(spans.at(index)))
            return index;
    }
    return std::nullopt;
}

/// Of the nearest matches of all tracks, each from an index on or before it.
std::optional<SpanPlace> NameSearch::nearest(const std::function<std::uint64_t(std::size_t track)> &from,
                                             int direction) const
{
    std::optional<SpanPlace> best;
    for (std::size_t track = 0; track < m_trace.tracks().size(); ++track) {
        const auto index = direction > 0 ? firstMatch(track, from(track)) : lastMatch(track, from(track));
        if (!index)
            continue;
        const TraceSpan span = m_trace.tracks()[track].at(*index);
        const bool nearer =
            !best || (direction > 0 ? span.startNs < best->bar.span.startNs : span.startNs >= best->bar.span.startNs);
        if (nearer)
            best = SpanPlace{track, {*index, span}};
    }
    return best;
}

std::optional<SpanPlace> NameSearch::next(std::int64_t fromNs, int direction) const
{
    return nearest(
        [&](std::size_t track) { return firstBehind(m_trace.tracks()[track], direction > 0 ? fromNs : fromNs - 1); },
        direction);
}

std::optional<SpanPlace> NameSearch::next(const SpanPlace &from, int direction) const
{
    const std::int64_t ns = from.bar.span.startNs;
    return nearest(
        [&](std::size_t track) {
            if (track == from.track)
                return from.bar.index + (direction > 0 ? 1 : 0);
            return firstBehind(m_trace.tracks()[track], track < from.track ? ns : ns - 1);
        },
        direction);
}

std::uint64_t NameSearch::positionOf(const SpanPlace &match) const
{
    const std::int64_t ns = match.bar.span.startNs;
    std::uint64_t behind = 0; // Of those that start at the same time.
    for (auto other = next(match, 1); other && other->bar.span.startNs == ns; other = next(*other, 1))
        ++behind;
    return countUntil(ns) - std::min(behind, countUntil(ns));
}

std::uint64_t NameSearch::countUntil(std::int64_t ns) const
{
    std::uint64_t found = 0;
    for (std::size_t track = 0; track < m_counted.size() && track < m_trace.tracks().size(); ++track) {
        const SpanTrack &spans = m_trace.tracks()[track];
        const Counted &counted = m_counted[track];
        std::uint64_t end = spans.range(ns, ns + 1).second;
        while (end > spans.firstIndex() && spans.at(end - 1).startNs > ns)
            --end;
        end = std::min(end, counted.next);
        if (end <= counted.from)
            continue;
        const std::uint64_t whole = (end - counted.from) / kBlock;
        for (std::uint64_t block = 0; block < whole; ++block)
            found += counted.blocks[static_cast<std::size_t>(block)];
        found += countBlock(track, counted.from + whole * kBlock, end, [](std::uint64_t, const TraceSpan &) {});
    }
    return found;
}

} // namespace jetscope
