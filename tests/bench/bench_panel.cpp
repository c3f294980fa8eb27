// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/flametree.h"
#include "core/path/gpuidle.h"
#include "core/path/threadtimes.h"
#include "core/path/toptable.h"
#include "tests/support/largetrace.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace jetscope;

namespace {

template <class Work>
double bestMs(Work work)
{
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best =
            std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

} // namespace

/// bench_panel [SPANS]: what the panel of a trace computes of the whole trace; 10 million spans by default.
int main(int argc, char **argv)
{
    const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const Trace trace = largeTrace(count);
    const Interval whole{trace.oldestNs(), trace.newestNs() + 1};
    NoProgress progress;
    std::size_t results = 0;
    std::printf("%llu spans\n", static_cast<unsigned long long>(trace.spanCount()));
    std::printf("snapshot     %8.2f ms (on the thread of the trace)\n",
                bestMs([&] { results += trace.snapshot()->spanCount(); }));
    std::printf("top          %8.2f ms (goal 300 at most)\n",
                bestMs([&] { results += topTable(trace, whole, progress)->rows.size(); }));
    const auto flames = flameTree(trace, whole, FlameLanes::Cpu, progress);
    std::printf("flame, CPU   %8.2f ms (goal 500 at most, with the GPU's)\n",
                bestMs([&] { results += flameTree(trace, whole, FlameLanes::Cpu, progress)->nodes().size(); }));
    std::printf("flame, GPU   %8.2f ms\n",
                bestMs([&] { results += flameTree(trace, whole, FlameLanes::Gpu, progress)->nodes().size(); }));
    std::printf("reverse      %8.2f ms, %zu nodes\n", bestMs([&] { results += flames->reversed().nodes().size(); }),
                flames->nodes().size());
    std::printf("GPU idle     %8.2f ms\n",
                bestMs([&] { results += gpuTimes(trace, whole, progress)->front().idle.size(); }));
    std::printf("threads      %8.2f ms\n", bestMs([&] { results += threadTimes(trace, whole, 8, progress)->size(); }));
    return results == 0 ? 1 : 0;
}
