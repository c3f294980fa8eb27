// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The cost of following the critical path: over a trace of a million spans, and live per frame; see README.md beside
// this file.
#include "core/path/pathfollower.h"
#include "core/time/clock.h"
#include "core/trace/spanorder.h"
#include "tests/support/pathload.h"

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace jetscope;

namespace {

constexpr int kRounds = 5;

template <class Work>
double bestMs(Work work)
{
    double best = 1e12;
    for (int round = 0; round < kRounds; ++round) {
        const std::int64_t from = nowNs();
        work();
        best = std::min(best, static_cast<double>(nowNs() - from) / 1e6);
    }
    return best;
}

} // namespace

int main()
{
    const PathLoad load = pathLoad(1'000'000);
    Trace trace;
    trace.setLanes(load.lanes);
    trace.add(load.spans);
    trace.add(load.figures);

    std::int64_t busyNs = 0;
    const double reading = bestMs([&] {
        eachSpanInOrder(trace, [&](const SpanTrack &, const TraceSpan &span) {
            busyNs += span.durationNs;
            return true;
        });
    });
    std::vector<PathPiece> pieces;
    const double following = bestMs([&] {
        pieces.clear();
        TracePaths(trace).follow(trace.frames().firstIndex(), trace.frames().endIndex(), pieces);
    });
    std::vector<PathGain> gains;
    const double withGains = bestMs([&] {
        pieces.clear();
        gains.clear();
        TracePaths(trace).follow(trace.frames().firstIndex(), trace.frames().endIndex(), pieces, &gains);
    });
    const double live = bestMs([&] { followLive(load); });
    const auto frames = static_cast<double>(load.figures.size());
    std::printf("%zu spans, %zu frames, %zu pieces (%lld)\n", load.spans.size(), load.figures.size(), pieces.size(),
                static_cast<long long>(busyNs & 1));
    std::printf("reading all spans in order   %7.1f ms\n", reading);
    std::printf("paths of a capture           %7.1f ms, %.1f x reading\n", following, following / reading);
    std::printf("  with what could be gained  %7.1f ms\n", withGains);
    std::printf("live, with gains             %7.2f us a frame, %.2f %% of a core at 60 frames/s\n",
                live / frames * 1e3, live / frames * 60 / 10);
}
