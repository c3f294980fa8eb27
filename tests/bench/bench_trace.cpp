// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/tracecost.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace jetscope;

namespace {

constexpr int kRounds = 15;

void printQueries(const Trace &trace, const Trace &small)
{
    double worst = 0;
    double worstOfSmall = 0;
    double ratio = 0;
    const double smallNs = bench::zoomSteps(small).front();
    for (const double length : bench::zoomSteps(trace)) {
        const double ms = bench::measureQuery(trace, length, kRounds);
        worst = std::max(worst, ms);
        std::printf("  %10.3f s  %6.3f ms", length / 1e9, ms);
        if (length <= smallNs) {
            const double ofSmall = bench::measureQuery(small, length, kRounds);
            worstOfSmall = std::max(worstOfSmall, ofSmall);
            ratio = std::max(ratio, ms / ofSmall);
            std::printf(", %6.3f ms with 10,000 spans", ofSmall);
        }
        std::printf("\n");
    }
    std::printf("same window      %6.2f times 10,000 spans at most (goal 2 at most)\n", ratio);
    std::printf("worst            %6.3f ms, %.3f ms with 10,000 spans, which fill no column\n", worst, worstOfSmall);
}

} // namespace

/// bench_trace [SPANS]: the cost of appending, storing and querying spans; 10 million by default.
int main(int argc, char **argv)
{
    const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const std::vector<bench::LaneSpan> spans = bench::randomSpans(count);

    const std::uint64_t before = bench::residentBytes();
    const Trace trace = bench::traceOf(spans);
    const auto resident = static_cast<double>(bench::residentBytes() - before);
    const auto each = static_cast<double>(count);
    std::printf("bytes a span     %6.2f told, %.2f resident (goal 28 at most)\n",
                static_cast<double>(trace.memoryBytes()) / each, resident / each);

    const bench::AppendCost cost = bench::measureAppend(spans, 5);
    std::printf("append           %6.2f ns a vector, %.2f ns a track, %.2f ns a trace\n", cost.vectorNs, cost.trackNs,
                cost.traceNs);
    std::printf("ratio            %6.2f a track, %.2f a trace (goal 3 at most)\n", cost.trackNs / cost.vectorNs,
                cost.traceNs / cost.vectorNs);

    std::printf("query, %d lanes, 1920 columns, by the length of the window\n", bench::kLanes);
    printQueries(trace, bench::traceOf(bench::randomSpans(10'000)));
    return 0;
}
