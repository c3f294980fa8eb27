// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Times the GPU's filters relative to a device copy of the bytes that they must move; see README.md beside this file.
#include "gpu/device/backends.h"
#include "tests/bench/gpubench.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace jetscope;

namespace {

struct Case {
    PixelFormat format;
    std::vector<Filter> filters;
    bool withResult;
    double goal; ///< Relative to device copies of the same bytes.
};

std::vector<Case> cases()
{
    using enum Filter;
    std::vector<Case> all;
    for (const PixelFormat format :
         {PixelFormat::Rgba8, PixelFormat::Bgr8, PixelFormat::Nv12, PixelFormat::Yuyv, PixelFormat::Grey8})
        all.push_back({format, {}, false, 1.3});
    for (const Filter filter : {Gaussian5, Sobel, Threshold, Sharpen, Invert})
        all.push_back({PixelFormat::Rgba8, {filter}, false, 1.3});
    all.push_back({PixelFormat::Rgba8, {Gaussian15}, false, 3});
    all.push_back({PixelFormat::Nv12, {Gaussian5, Sobel}, false, 1.5});
    all.push_back({PixelFormat::Rgba8, {Gaussian5, Sobel}, false, 1.5});
    all.push_back({PixelFormat::Nv12, {Gaussian5, Sobel}, true, 1.5});
    all.push_back({PixelFormat::Nv12, {Gaussian15}, true, 3});
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    const std::string id = argc > 1 ? argv[1] : "cuda:0";
    const int batches = argc > 2 ? std::max(1, std::atoi(argv[2])) : 41;
    const std::unique_ptr<Device> device = need(openDevice(id, nullptr));
    GpuBench bench(*device, batches);
    std::printf("%s, %dx%d, %d batches of %d launches over %d buffers; microseconds a launch\n",
                device->facts().name.c_str(), GpuBench::kWidth, GpuBench::kHeight, batches, GpuBench::kLaunchesPerBatch,
                GpuBench::kSets);
    std::printf("%-30s %7s %15s %7s %6s %5s\n", "", "median", "p10 to p90", "copy", "ratio", "goal");
    for (const Case &test : cases()) {
        const ImageLayout layout = makeImageLayout(test.format, GpuBench::kWidth, GpuBench::kHeight);
        const GpuTiming copy = bench.time({bench.copy(GpuBench::movedBytes(test.format, test.withResult) / 2)})[0];
        const GpuTiming ours = bench.time({bench.chain(layout, test.filters, test.withResult)})[0];
        const double ratio = ours.medianUs / copy.medianUs;
        std::printf("%-30s %7.1f %7.1f %7.1f %7.1f %6.2f %5.1f  %s\n",
                    caseName(test.format, test.filters, test.withResult).c_str(), ours.medianUs, ours.lowUs,
                    ours.highUs, copy.medianUs, ratio, test.goal, ratio <= test.goal ? "met" : "missed");
    }
    return 0;
}
