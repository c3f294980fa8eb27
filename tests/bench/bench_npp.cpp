// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Times the GPU's filters relative to NVIDIA Performance Primitives; see README.md beside this file.
#include "gpu/cuda/cudastream.h"
#include "gpu/device/backends.h"
#include "tests/bench/gpubench.h"
#include "tests/bench/nppcases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

using namespace jetscope;

namespace {

constexpr std::byte kPoison{0xa5};

/// The difference between NPP's picture and ours, over the red, green and blue bytes of all pixels inside the margin.
struct Difference {
    double mean = std::numeric_limits<double>::max();
    int largest = 0;
    int answer = 0;                             ///< An NppStatus.
    YuvColour colour = YuvColour::Bt601Limited; ///< The YUV encoding that is nearest to NPP's picture.
};

/// Runs both sides once on a picture of flat tiles and copies their outputs to the CPU.
class Comparison {
public:
    Comparison(Device &device, GpuBench &bench)
        : m_device(device), m_bench(bench), m_host(need(device.allocate(Allocation::Pinned, GpuBench::rgbaBytes())))
    {
    }

    Difference of(const NppCase &test)
    {
        drawTiles(test.format);
        int answer = 0;
        const std::vector<std::byte> theirs =
            written([&](std::size_t set) { answer = test.run(m_bench.input(set), m_bench.output(set)); });
        Difference nearest;
        for (const YuvColour colour :
             {YuvColour::Bt601Limited, YuvColour::Bt601Full, YuvColour::Bt709Limited, YuvColour::Bt709Full}) {
            const ImageLayout layout = makeImageLayout(test.format, GpuBench::kWidth, GpuBench::kHeight, colour);
            Difference difference = between(written(m_bench.chain(layout, test.filters, false)), theirs, test.order);
            difference.colour = colour;
            if (difference.mean < nearest.mean)
                nearest = difference;
            if (!isYuv(test.format))
                break;
        }
        nearest.answer = answer;
        return nearest;
    }

private:
    /// Tiles that filters keep apart, with a little noise.
    void drawTiles(PixelFormat format)
    {
        constexpr std::size_t kTile = 24;
        const ImageLayout layout = makeImageLayout(format, GpuBench::kWidth, GpuBench::kHeight);
        const std::size_t pixel = format == PixelFormat::Nv12 ? 1 : layout.planes[0].rowBytes / GpuBench::kWidth;
        std::minstd_rand noise(1);
        for (std::size_t i = 0; i < layout.bytes; ++i) {
            const std::size_t x = i % layout.planes[0].pitch;
            const std::size_t tile = i / layout.planes[0].pitch / kTile * 977 + x / pixel / kTile * 31 + x % pixel * 7;
            m_host->host()[i] = static_cast<std::byte>(4 + tile * 2654435761u / 65536 % 244 + noise() / 256 % 5);
        }
        need(m_device.copyAsync(m_bench.inputRange(0, layout.bytes), {m_host.get(), 0, layout.bytes},
                                CopyKind::HostToDevice, m_bench.stream()));
        need(m_device.synchronize(m_bench.stream()));
    }

    std::vector<std::byte> written(const GpuBench::Work &work)
    {
        const std::size_t bytes = GpuBench::rgbaBytes();
        std::memset(m_host->host(), static_cast<int>(kPoison), bytes);
        need(m_device.copyAsync(m_bench.outputRange(0, bytes), {m_host.get(), 0, bytes}, CopyKind::HostToDevice,
                                m_bench.stream()));
        work(0);
        need(m_device.copyAsync({m_host.get(), 0, bytes}, m_bench.outputRange(0, bytes), CopyKind::DeviceToHost,
                                m_bench.stream()));
        need(m_device.synchronize(m_bench.stream()));
        return {m_host->host(), m_host->host() + bytes};
    }

    static Difference between(const std::vector<std::byte> &ours, const std::vector<std::byte> &theirs,
                              const PixelOrder &order)
    {
        Difference difference;
        double sum = 0;
        double count = 0;
        for (std::size_t y = kNppMargin; y < GpuBench::kHeight - kNppMargin; ++y)
            for (std::size_t x = kNppMargin; x < GpuBench::kWidth - kNppMargin; ++x)
                for (std::size_t channel = 0; channel < 3; ++channel, ++count) {
                    const std::size_t pixel = y * GpuBench::kWidth + x;
                    const int apart = std::abs(static_cast<int>(ours[pixel * 4 + channel])
                                               - static_cast<int>(theirs[pixel * order.bytes + order.rgb[channel]]));
                    sum += apart;
                    difference.largest = std::max(difference.largest, apart);
                }
        difference.mean = sum / count;
        return difference;
    }

    Device &m_device;
    GpuBench &m_bench;
    const std::unique_ptr<Buffer> m_host;
};

/// Why a time of NPP is invalid; empty if it is valid. No filter can be faster than writing its picture.
std::string faultOf(const NppCase &test, const Difference &difference, double theirsUs, double copyUs)
{
    if (difference.answer < 0)
        return "REFUSED with " + std::to_string(difference.answer);
    if (difference.mean > test.tolerance)
        return "WRONG PICTURE";
    return theirsUs < copyUs / 2 ? "TOO SOON" : "";
}

/// Prints a case; returns whether its figures are valid.
bool measure(const NppCase &test, GpuBench &bench, Comparison &comparison)
{
    const Difference difference = comparison.of(test);
    const ImageLayout layout = makeImageLayout(test.format, GpuBench::kWidth, GpuBench::kHeight);
    const auto npp = [&](std::size_t set) { static_cast<void>(test.run(bench.input(set), bench.output(set))); };
    const std::vector<GpuTiming> timings = bench.time(
        {bench.chain(layout, test.filters, false), npp, bench.copy(GpuBench::movedBytes(test.format, false) / 2)});
    const double ours = timings[0].medianUs;
    const double theirs = timings[1].medianUs;
    const double copy = timings[2].medianUs;
    const std::string fault = faultOf(test, difference, theirs, copy);
    std::printf("%-22s %7.1f %7.1f %6.2f %6.1f  %6.2f %4d  %s\n", caseName(test.format, test.filters, false).c_str(),
                ours, theirs, ours / theirs, copy, difference.mean, difference.largest,
                !fault.empty()      ? fault.c_str()
                    : ours < theirs ? "faster"
                                    : "slower");
    std::string remark = test.calls + (test.difference.empty() ? "" : ": " + test.difference);
    if (isYuv(test.format))
        remark += ", nearest to " + std::string(yuvColourName(difference.colour));
    std::printf("    %s\n", remark.c_str());
    std::fflush(stdout);
    return fault.empty();
}

} // namespace

int main(int argc, char **argv)
{
    const std::string id = argc > 1 ? argv[1] : "cuda:0";
    const int batches = argc > 2 ? std::max(1, std::atoi(argv[2])) : 41;
    const Result<npp::Functions> functions = npp::load();
    if (!functions.ok()) {
        std::fprintf(stderr, "%s\n", functions.error().message().c_str());
        return 2;
    }
    if (id.rfind("cuda:", 0) != 0) {
        std::fprintf(stderr, "usage: bench_npp [cuda:N [BATCHES]]\n");
        return 2;
    }
    const std::unique_ptr<Device> device = need(openDevice(id, nullptr));
    GpuBench bench(*device, batches);
    const cudaStream_t stream = static_cast<CudaStream &>(bench.stream()).native();
    const NppFilters filters(*device, bench.stream(), GpuBench::kWidth, GpuBench::kHeight, functions.value(),
                             need(npp::contextOf(stream)));
    Comparison comparison(*device, bench);
    std::printf("%s, NPP %s, %dx%d, medians of %d batches of %d launches over %d buffers; microseconds a launch\n",
                device->facts().name.c_str(), functions.value().version.c_str(), GpuBench::kWidth, GpuBench::kHeight,
                batches, GpuBench::kLaunchesPerBatch, GpuBench::kSets);
    std::printf("%-22s %7s %7s %6s %6s  %6s %4s\n", "", "ours", "NPP", "ratio", "copy", "mean", "max");
    bool isGood = true;
    for (const NppCase &test : filters.cases())
        isGood = measure(test, bench, comparison) && isGood;
    return isGood ? 0 : 1;
}
