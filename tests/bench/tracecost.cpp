// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/tracecost.h"

#include "core/time/clock.h"
#include "tests/bench/quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <random>
#include <unistd.h>

namespace jetscope::bench {

namespace {

constexpr double kColumns = 1920;
/// For a camera at 60 frames per second.
constexpr double kFrameNs = 16.7e6;

/// A plain struct of 24 bytes, the size of an unpacked span.
struct PlainSpan {
    std::int64_t startNs;
    std::uint32_t durationNs;
    TraceName name;
    std::uint32_t frame;
    std::uint32_t bytes;
};
static_assert(sizeof(PlainSpan) == 24);

/// Nanoseconds of `work` per element, for `count` elements.
template <class Work>
double timed(std::size_t count, Work work)
{
    const std::int64_t before = nowNs();
    work();
    return static_cast<double>(nowNs() - before) / static_cast<double>(count);
}

Trace emptyTrace(std::size_t spans)
{
    Trace trace(spans + Trace::kSegmentSpans);
    std::vector<LaneInfo> lanes;
    for (int lane = 0; lane < kLanes; ++lane)
        lanes.push_back({static_cast<LaneId>(lane), LaneRole::DeviceStream, "lane", {}});
    trace.setLanes(lanes);
    for (TraceName name = 0; name < kNames; ++name)
        trace.names().intern("name " + std::to_string(name), Category::Kernel);
    return trace;
}

/// Realistic figures of a frame: all different, and all known fields set.
FrameFigures figuresOf(std::uint32_t frame, Interval period)
{
    const std::int64_t ns = period.endNs - period.startNs;
    const std::int64_t part = ns / 16 + frame % 7;
    return {{part / 2, part / 3, part / 4, part / 5, 3'686'400}, frame,     period.startNs,
            {ns, 9 * part, 8 * part, 4 * part, ns - 13 * part},  20 * part, 30 * part};
}

/// Adds frames of equal length, from the first span to the last.
void addFrames(Trace &trace, std::size_t spans)
{
    const std::size_t frames = spans / kSpansPerFrame;
    const std::int64_t oldest = trace.oldestNs();
    const std::int64_t periodNs = (trace.newestNs() - oldest) / static_cast<std::int64_t>(frames);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const std::int64_t start = oldest + static_cast<std::int64_t>(frame) * periodNs;
        const FrameFigures figures = figuresOf(static_cast<std::uint32_t>(frame), {start, start + periodNs});
        trace.add(std::span(&figures, 1));
    }
}

} // namespace

std::vector<LaneSpan> randomSpans(std::uint64_t count)
{
    std::mt19937_64 random(1);
    const auto below = [&random](std::uint64_t most) { return static_cast<std::int64_t>(random() % most); };
    std::array<std::int64_t, kLanes> at{};
    std::vector<LaneSpan> spans;
    spans.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto lane = static_cast<LaneId>(random() % kLanes);
        TraceSpan span;
        span.startNs = at[lane] + below(200'000) + (below(100'000) == 0 ? 2'000'000'000 : 0);
        span.durationNs = below(1'000'000);
        span.frame = static_cast<std::uint32_t>(i / kSpansPerFrame);
        span.name = static_cast<TraceName>(random() % kNames);
        at[lane] = span.endNs();
        spans.push_back({lane, span});
    }
    return spans;
}

Trace traceOf(const std::vector<LaneSpan> &spans)
{
    Trace trace = emptyTrace(spans.size());
    for (const LaneSpan &one : spans)
        trace.add(one.lane, 0, one.span);
    addFrames(trace, spans.size());
    return trace;
}

AppendCost measureAppend(const std::vector<LaneSpan> &spans, int rounds)
{
    std::vector<double> vectorNs;
    std::vector<double> trackNs;
    std::vector<double> traceNs;
    for (int round = 0; round < rounds; ++round) {
        std::vector<PlainSpan> plain;
        vectorNs.push_back(timed(spans.size(), [&] {
            for (const LaneSpan &one : spans)
                plain.push_back({one.span.startNs, static_cast<std::uint32_t>(one.span.durationNs), one.span.name,
                                 one.span.frame, 0});
        }));
        plain = {};
        // One lane: each span starts where the previous one ends.
        SpanTrack track(0, 0);
        std::int64_t at = 0;
        trackNs.push_back(timed(spans.size(), [&] {
            for (const LaneSpan &one : spans) {
                TraceSpan span = one.span;
                span.startNs = at;
                at += span.durationNs;
                track.append(span);
            }
        }));
        track = SpanTrack(0, 0);
        Trace trace = emptyTrace(spans.size());
        traceNs.push_back(timed(spans.size(), [&] {
            for (const LaneSpan &one : spans)
                trace.add(one.lane, 0, one.span);
        }));
    }
    return {median(vectorNs), median(trackNs), median(traceNs)};
}

double measureQuery(const Trace &trace, double lengthNs, int rounds)
{
    const auto whole = static_cast<double>(trace.newestNs() - trace.oldestNs());
    ColumnWindow window;
    window.startNs = trace.oldestNs() + static_cast<std::int64_t>((whole - lengthNs) / 2);
    window.nsPerColumn = lengthNs / kColumns;
    window.count = static_cast<int>(kColumns);
    TrackPicture picture;
    std::vector<double> ms;
    for (int round = 0; round < rounds; ++round)
        ms.push_back(timed(1,
                           [&] {
                               for (const SpanTrack &track : trace.tracks())
                                   track.query(window, picture);
                           })
                     / 1e6);
    return median(ms);
}

std::vector<double> zoomSteps(const Trace &trace)
{
    std::vector<double> lengths;
    for (auto length = static_cast<double>(trace.newestNs() - trace.oldestNs()); length > kFrameNs;
         length /= std::sqrt(2.0))
        lengths.push_back(length);
    lengths.push_back(kFrameNs);
    return lengths;
}

std::uint64_t residentBytes()
{
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace jetscope::bench
