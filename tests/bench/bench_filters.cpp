// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Times every filter relative to OpenCV's own functions; see README.md beside this file.
#include "tests/bench/filtercases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace jetscope;

namespace {

const RowKernels *kernelsNamed(const char *name)
{
    for (const InstructionSet &set : instructionSets())
        if (std::strcmp(set.name, name) == 0)
            return set.kernels;
    return nullptr;
}

} // namespace

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : ChainExecutor::instructionSet();
    const int batches = argc > 2 ? std::max(1, std::atoi(argv[2])) : 15;
    const RowKernels *kernels = kernelsNamed(name);
    if (kernels == nullptr) {
        std::fprintf(stderr, "usage: bench_filters [INSTRUCTION-SET [BATCHES]]; this CPU has");
        for (const InstructionSet &set : instructionSets())
            std::fprintf(stderr, " %s", set.name);
        std::fprintf(stderr, ".\n");
        return 2;
    }
    std::printf("%s against OpenCV %s, 1920x1080, one thread, medians of %d batches\n", name, CV_VERSION, batches);
    std::printf("%-34s %8s %8s %6s %5s\n", "", "ours ms", "OpenCV", "ratio", "goal");
    for (const FilterCase &test : filterCases()) {
        const FilterTiming timing = timeFilter(test, *kernels, batches);
        std::printf("%-34s %8.2f %8.2f %6.2f %5.1f  %s%s\n", test.name.c_str(), timing.oursMs, timing.theirsMs,
                    timing.ratio(), test.goal, timing.ratio() <= test.goal ? "met" : "missed",
                    timing.isSameBytes ? "" : ", other bytes");
        std::fflush(stdout);
    }
    return 0;
}
