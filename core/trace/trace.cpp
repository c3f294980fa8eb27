// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace.h"

#include "core/trace/search.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace jetscope {

namespace {

/// Files of others may have counters without a name, which could be neither shown nor asked for.
CounterInfo namedAfterId(CounterInfo info)
{
    info.name = "counter " + std::to_string(info.id);
    return info;
}

/// Roles are declared in display order, along the way of a frame; lanes without a description come last.
int rankOf(const LaneInfo *lane)
{
    return lane ? static_cast<int>(lane->role) : static_cast<int>(LaneRole::Tool) + 1;
}

/// Index of the first span that does not end before `ns`.
std::uint64_t firstNotBefore(const SpanTrack &track, std::int64_t ns)
{
    return track.range(ns, ns).first;
}

} // namespace

Trace::Trace(std::uint64_t mostSpans) : m_mostSpans(std::max(mostSpans, 2 * kSegmentSpans)) {}

Trace::Trace(const Trace &other, Interval edges)
    : m_origin(other.m_origin),
      m_facts(other.m_facts),
      m_mostSpans(other.m_mostSpans),
      m_names(other.m_names.forReading()),
      m_lanes(other.m_lanes),
      m_tracks(other.m_tracks),
      m_counters(other.m_counters),
      m_frames(other.m_frames),
      m_frameNumbers(other.m_frameNumbers),
      m_edges(other.m_edges.copyWithin(edges)),
      m_newestNs(other.m_newestNs),
      m_newestOtherNs(other.m_newestOtherNs),
      m_spans(other.spanCount()),
      m_late(other.m_late),
      m_framesLeftOut(other.m_framesLeftOut),
      m_samplesLeftOut(other.m_samplesLeftOut),
      m_dropped(other.m_dropped),
      m_shape(other.m_shape),
      m_version(other.m_version)
{
}

std::shared_ptr<const Trace> Trace::snapshot(Interval edges) const
{
    return std::shared_ptr<const Trace>(new Trace(*this, edges));
}

void Trace::setMostSpans(std::uint64_t mostSpans)
{
    m_mostSpans = std::max(mostSpans, 2 * kSegmentSpans);
    while (m_spans > m_mostSpans)
        dropOldest();
}

void Trace::setLanes(std::vector<LaneInfo> lanes)
{
    if (lanes.size() == m_lanes.size())
        return;
    m_lanes = std::move(lanes);
    std::sort(m_tracks.begin(), m_tracks.end(), [this](const SpanTrack &a, const SpanTrack &b) {
        return std::tuple(rankOf(lane(a.lane())), a.lane(), a.depth())
            < std::tuple(rankOf(lane(b.lane())), b.lane(), b.depth());
    });
    indexTracks();
}

const LaneInfo *Trace::lane(LaneId id) const
{
    if (id < m_lanes.size() && m_lanes[id].id == id)
        return &m_lanes[id];
    const auto found =
        std::find_if(m_lanes.begin(), m_lanes.end(), [id](const LaneInfo &info) { return info.id == id; });
    return found == m_lanes.end() ? nullptr : &*found;
}

SpanTrack *Trace::trackFor(LaneId id, std::uint8_t depth)
{
    if (id < m_trackOf.size() && depth < m_trackOf[id].size() && m_trackOf[id][depth] != 0)
        return &m_tracks[m_trackOf[id][depth] - 1];
    if (m_tracks.size() >= kMaxTracks)
        return nullptr;
    const auto key = std::tuple(rankOf(lane(id)), id, depth);
    const auto place = std::partition_point(m_tracks.begin(), m_tracks.end(), [&](const SpanTrack &track) {
        return std::tuple(rankOf(lane(track.lane())), track.lane(), track.depth()) < key;
    });
    const auto added = m_tracks.insert(place, SpanTrack(id, depth));
    indexTracks();
    return &*added;
}

void Trace::indexTracks()
{
    for (std::size_t i = 0; i < m_tracks.size(); ++i) {
        const SpanTrack &track = m_tracks[i];
        if (track.lane() >= m_trackOf.size())
            m_trackOf.resize(track.lane() + std::size_t{1});
        std::vector<std::uint32_t> &depths = m_trackOf[track.lane()];
        if (track.depth() >= depths.size())
            depths.resize(track.depth() + std::size_t{1});
        depths[track.depth()] = static_cast<std::uint32_t>(i + 1);
    }
    ++m_shape;
    ++m_version;
}

void Trace::setCounters(const std::vector<CounterInfo> &counters)
{
    for (const CounterInfo &info : counters) {
        if (info.id >= m_counterOf.size())
            m_counterOf.resize(info.id + std::size_t{1});
        if (m_counterOf[info.id] != 0)
            continue;
        m_counters.emplace_back(info.name.empty() ? namedAfterId(info) : info);
        m_counterOf[info.id] = static_cast<std::uint32_t>(m_counters.size());
        ++m_shape;
        ++m_version;
    }
}

bool Trace::add(LaneId lane, std::uint8_t depth, const TraceSpan &span)
{
    ++m_version;
    SpanTrack *const track = span.name < m_names.size() ? trackFor(lane, depth) : nullptr;
    if (!track || !track->append(span)) {
        ++m_late;
        return false;
    }
    m_newestNs = std::max(m_newestNs, span.endNs());
    if (++m_spans > m_mostSpans)
        dropOldest();
    return true;
}

void Trace::add(std::span<const Span> spans)
{
    for (const Span &span : spans)
        add(span.lane, span.depth,
            TraceSpan{span.startNs, span.durationNs, span.bytes, span.frame, m_names.fromProcess(span.name)});
}

void Trace::insert(std::span<const Span> late)
{
    std::map<std::pair<LaneId, std::uint8_t>, std::vector<TraceSpan>> byTrack;
    const std::int64_t oldest = m_dropped > 0 ? oldestNs() : -kMaxTraceNs;
    for (const Span &span : late)
        if (span.startNs >= oldest) // Else what is older was dropped, and it would be next.
            byTrack[{span.lane, span.depth}].push_back(
                {span.startNs, span.durationNs, span.bytes, span.frame, m_names.fromProcess(span.name)});
    for (auto &[place, spans] : byTrack) {
        std::ranges::stable_sort(spans, {}, &TraceSpan::startNs);
        SpanTrack *const track = trackFor(place.first, place.second);
        const std::uint64_t added = track ? track->insert(spans) : 0;
        m_spans += added;
        m_late += spans.size() - added;
        if (track && !track->empty())
            m_newestNs = std::max(m_newestNs, track->at(track->endIndex() - 1).endNs());
    }
    while (m_spans > m_mostSpans)
        dropOldest();
    ++m_shape;
    ++m_version;
}

void Trace::setMissing(Intervals times)
{
    if (times == m_missing)
        return;
    m_missing = std::move(times);
    ++m_version;
}

void Trace::add(std::span<const FrameFigures> figures)
{
    if (figures.empty())
        return; // Nothing has changed, so no view needs a repaint.
    for (const FrameFigures &frame : figures) {
        if (!frame.traced)
            continue; // It has no figures; a mark shows it.
        if (m_frames.append(frame))
            m_newestNs = std::max(m_newestNs, frame.startNs + frame.periodNs());
        else
            ++m_framesLeftOut;
    }
    ++m_version;
}

void Trace::add(std::span<const FrameNumber> numbers)
{
    for (const FrameNumber &number : numbers)
        if (m_frameNumbers.add(number))
            ++m_version;
}

void Trace::add(std::span<const CounterSample> samples)
{
    if (samples.empty())
        return;
    for (const CounterSample &sample : samples) {
        const std::uint32_t place = sample.counter < m_counterOf.size() ? m_counterOf[sample.counter] : 0;
        if (place == 0)
            continue;
        if (m_counters[place - 1].append(sample.timeNs, sample.value))
            m_newestOtherNs = std::max(m_newestOtherNs, sample.timeNs);
        else
            ++m_samplesLeftOut;
    }
    ++m_version;
}

void Trace::add(std::span<const SpanEdge> edges)
{
    if (edges.empty())
        return;
    m_edges.add(edges);
    ++m_version;
}

void Trace::add(TraceMark mark)
{
    if (!isTraceTime(mark.timeNs))
        return;
    m_newestOtherNs = std::max(m_newestOtherNs, mark.timeNs);
    m_marks.add(std::move(mark));
    ++m_version;
}

void Trace::add(Thumbnail thumbnail)
{
    m_thumbnails.add(std::move(thumbnail));
    ++m_version;
}

void Trace::setDistant(std::shared_ptr<DistantSpans> spans, const DistantWhole &whole)
{
    m_distant = std::move(spans);
    m_whole = whole;
    ++m_version;
}

void Trace::setExtremes(std::size_t counter, std::pair<double, double> extremes)
{
    m_counters[counter].setExtremes(extremes);
    ++m_version;
}

void Trace::replaceFrames(std::span<const FrameFigures> figures, std::span<const FrameNumber> numbers)
{
    m_frames = {};
    m_frameNumbers = {};
    add(figures);
    add(numbers);
    ++m_version;
}

/// Files have them as they were written, perhaps by hand.
void Trace::setNotes(std::vector<TraceNote> notes)
{
    std::stable_sort(notes.begin(), notes.end(),
                     [](const TraceNote &a, const TraceNote &b) { return a.startNs < b.startNs; });
    m_notes = std::move(notes);
}

std::uint64_t Trace::spansBefore(std::int64_t ns) const
{
    std::uint64_t count = 0;
    for (const SpanTrack &track : m_tracks)
        count += firstNotBefore(track, ns) - track.firstIndex();
    return count;
}

void Trace::dropOldest()
{
    // The earliest time before which a segment of spans has ended. Further spans may end at exactly this time.
    const std::int64_t oldest = oldestNs();
    const auto length = static_cast<std::uint64_t>(m_newestNs - oldest) + 1;
    const std::uint64_t offset = partitionIndex(0, length, [&](std::uint64_t ns) {
        return spansBefore(oldest + static_cast<std::int64_t>(ns)) < kSegmentSpans;
    });
    const std::int64_t cut = oldest + static_cast<std::int64_t>(offset);
    std::uint64_t left = kSegmentSpans - spansBefore(cut - 1);
    for (SpanTrack &track : m_tracks) {
        const std::uint64_t before = firstNotBefore(track, cut - 1);
        const std::uint64_t within = std::min(left, firstNotBefore(track, cut) - before);
        track.dropBefore(before + within);
        left -= within;
    }
    m_spans -= kSegmentSpans;
    m_dropped += kSegmentSpans;
    m_frames.dropBefore(m_frames.range(cut, cut).first);
    if (!m_frames.empty())
        m_frameNumbers.dropBefore(m_frames.at(m_frames.firstIndex()).frame);
    for (CounterTrack &counter : m_counters)
        counter.dropBefore(cut);
    m_marks.dropBefore(cut);
    m_edges.dropBefore(cut);
    m_thumbnails.dropBefore(cut);
    ++m_version;
}

void Trace::setFact(const TraceFact &fact)
{
    const auto same =
        std::find_if(m_facts.begin(), m_facts.end(), [&](const TraceFact &each) { return each.first == fact.first; });
    if (same != m_facts.end())
        same->second = fact.second;
    else if (m_facts.size() < kMaxFacts)
        m_facts.push_back(fact);
}

std::optional<std::int64_t> Trace::unixOffsetNs() const
{
    if (m_origin.wallClockOffsetNs != 0)
        return m_origin.wallClockOffsetNs;
    return !empty() && isUnixTime(oldestNs()) ? std::optional<std::int64_t>(0) : std::nullopt;
}

std::int64_t Trace::oldestNs() const
{
    if (m_distant)
        return m_whole.oldestNs;
    std::int64_t oldest = newestNs();
    for (const SpanTrack &track : m_tracks)
        if (!track.empty())
            oldest = std::min(oldest, track.at(track.firstIndex()).startNs);
    if (!m_frames.empty())
        oldest = std::min(oldest, m_frames.at(m_frames.firstIndex()).startNs);
    if (m_newestNs != kNever)
        return oldest;
    for (const CounterTrack &counter : m_counters)
        if (counter.firstIndex() < counter.endIndex())
            oldest = std::min(oldest, counter.at(counter.firstIndex()).first);
    return m_marks.all().empty() ? oldest : std::min(oldest, m_marks.all().front().timeNs);
}

std::int64_t Trace::newestNs() const
{
    if (m_distant)
        return m_whole.newestNs;
    const std::int64_t newest = m_newestNs != kNever ? m_newestNs : m_newestOtherNs;
    return newest != kNever ? newest : 0;
}

std::uint64_t Trace::memoryBytes() const
{
    std::uint64_t bytes = m_names.memoryBytes() + m_frames.memoryBytes() + m_thumbnails.memoryBytes()
        + m_edges.memoryBytes() + m_frameNumbers.memoryBytes();
    bytes += m_marks.all().size() * sizeof(TraceMark);
    for (const SpanTrack &track : m_tracks)
        bytes += sizeof(track) + track.memoryBytes();
    for (const CounterTrack &counter : m_counters)
        bytes += sizeof(counter) + counter.memoryBytes();
    return bytes;
}

} // namespace jetscope
