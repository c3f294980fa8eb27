// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/traceslice.h"

#include <algorithm>
#include <vector>

namespace jetscope {

namespace {

void copyNames(const TraceNames &from, TraceNames &to)
{
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto name = static_cast<TraceName>(i); // Added in the same order, so the ids stay the same.
        to.intern(from.at(name));
    }
}

void copySpans(const Trace &from, Interval time, Trace &to)
{
    for (const SpanTrack &track : from.tracks()) {
        const std::uint64_t end = track.firstFrom(time.endNs);
        for (std::uint64_t i = track.firstFrom(time.startNs); i < end; ++i)
            to.add(track.lane(), track.depth(), track.at(i));
    }
}

void copyCounters(const Trace &from, Interval time, Trace &to)
{
    std::vector<CounterInfo> infos;
    for (const CounterTrack &track : from.counters())
        infos.push_back(track.info());
    to.setCounters(infos);
    std::vector<CounterSample> samples;
    for (const CounterTrack &track : from.counters()) {
        const CounterId id = track.info().id;
        if (const auto value = track.valueAt(time.startNs))
            samples.push_back({time.startNs, *value, id});
        std::uint64_t i = track.endIndex(); // The frames to copy are mostly the newest.
        while (i > track.firstIndex() && track.at(i - 1).first > time.startNs)
            --i;
        for (; i < track.endIndex() && track.at(i).first < time.endNs; ++i)
            samples.push_back({track.at(i).first, track.at(i).second, id});
    }
    to.add(samples);
}

void copyMarks(const Trace &from, Interval time, std::uint32_t firstFrame, Trace &to)
{
    const auto [first, last] = from.marks().range(time.startNs, time.endNs);
    for (std::size_t i = first; i < last; ++i) {
        const TraceMark &mark = from.marks().all()[i];
        const bool begins = mark.kind == TraceMark::Kind::Switch && mark.frame <= firstFrame;
        if (!begins)
            to.add(mark);
    }
}

} // namespace

std::pair<std::uint64_t, std::uint64_t> newestFrames(const FrameTable &frames, std::uint32_t key, std::uint64_t most)
{
    std::uint64_t first = frames.firstIndex();
    for (std::uint64_t last = frames.endIndex(); first < last;) {
        const std::uint64_t middle = first + (last - first) / 2;
        if (frames.at(middle).frame < key)
            first = middle + 1;
        else
            last = middle;
    }
    const std::uint64_t end = frames.endIndex();
    return {std::max(first, end - std::min(most, end)), end};
}

Trace copyFrames(const Trace &trace, std::uint64_t first, std::uint64_t last)
{
    Trace copy(trace.mostSpans());
    copy.setOrigin(trace.origin());
    for (const TraceFact &fact : trace.facts())
        copy.setFact(fact);
    copy.setLanes(trace.lanes());
    const FrameTable &frames = trace.frames();
    first = std::max(first, frames.firstIndex());
    last = std::min(last, frames.endIndex());
    if (first >= last)
        return copy;
    const FrameFigures newest = frames.at(last - 1);
    const Interval time{frames.at(first).startNs, newest.startNs + newest.periodNs()};
    copyNames(trace.names(), copy.names());
    copySpans(trace, time, copy);
    std::vector<FrameFigures> figures;
    std::vector<FrameNumber> numbers;
    for (std::uint64_t i = first; i < last; ++i) {
        figures.push_back(frames.at(i));
        numbers.push_back({figures.back().frame, trace.frameNumber(figures.back().frame)});
    }
    copy.add(figures);
    copy.add(numbers);
    copyCounters(trace, time, copy);
    copyMarks(trace, time, figures.front().frame, copy);
    copy.add(trace.edges(time));
    return copy;
}

} // namespace jetscope
