// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clock.h"
#include "gpu/remote/remotepictures.h"
#include "tests/bench/quantile.h"
#include "tests/support/startserve.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

// bench_remote PROGRAM [DEVICE [TURNS]] : `PROGRAM serve` and a laptop on the same machine, 1280x720 at 60 frames a
// second: the start on a warm board, what the link carries, how old a span is when it comes, and by turns what watching
// costs the pipeline, with pictures and without. Uses $HOME/.cache for the server.

using namespace jetscope;
using namespace std::chrono_literals;

namespace {

struct Laptop {
    std::string program;
    std::atomic<bool> away{false};
    std::atomic<pid_t> proxy{0};

    Dialer dialer()
    {
        return [this]() -> Result<LinkEnds> {
            if (away)
                return Error{"", 0, "it is not watched now"};
            return testing::startServe(program, "60", &proxy);
        };
    }
};

template <class T>
T valueOf(Result<T> result)
{
    if (!result.ok()) {
        std::fprintf(stderr, "%s\n", result.error().message().c_str());
        std::exit(1); // NOLINT: nothing was started.
    }
    return std::move(result).value();
}

double seconds(std::int64_t ns)
{
    return static_cast<double>(ns) * 1e-9;
}

enum class Watch { Not, News, Pictures };
constexpr std::array kWatches{Watch::Not, Watch::News, Watch::Pictures};

struct Turn {
    Watch watch = Watch::Not;
    std::int64_t fromNs = 0;
    std::int64_t toNs = 0;
};

struct Bench {
    PipelineControl &control;
    const RemoteHost &host;
    Laptop &laptop;
    std::vector<FrameFigures> frames{};
    std::vector<double> agesMs{}; ///< Of spans, while watched.
    int pictures = 0;

    void drain()
    {
        const std::int64_t now = nowNs();
        PipelineUpdate update = control.drainUpdates();
        if (!laptop.away && !update.spans.empty())
            agesMs.push_back(seconds(now - update.spans.back().endNs()) * 1e3);
        frames.insert(frames.end(), update.figures.begin(), update.figures.end());
    }
    /// Five seconds.
    Turn turn(Watch watch)
    {
        laptop.away = watch == Watch::Not;
        if (laptop.away)
            ::kill(laptop.proxy, SIGKILL);
        std::this_thread::sleep_for(300ms);
        Turn turn{watch, nowNs(), 0};
        while (nowNs() - turn.fromNs < 5'000'000'000) {
            std::this_thread::sleep_for(2ms);
            drain();
            if (watch == Watch::Pictures) {
                pictures += control.pictures()->takeReduced() ? 1 : 0;
                control.pictures()->ask();
            }
        }
        turn.toNs = nowNs();
        laptop.away = false;
        while (!host.state().isConnected)
            std::this_thread::sleep_for(2ms);
        std::this_thread::sleep_for(500ms); // Until it has what it missed.
        const std::vector<double> ages = agesMs;
        drain();
        agesMs = ages;
        return turn;
    }
    /// The median time of a frame within a turn.
    double frameMs(const Turn &turn) const
    {
        std::vector<double> times;
        for (const FrameFigures &frame : frames)
            if (frame.frameNs > 0 && frame.startNs >= turn.fromNs && frame.startNs + frame.frameNs <= turn.toNs)
                times.push_back(seconds(frame.frameNs) * 1e3);
        return times.empty() ? 0 : quantile(times, 0.5);
    }
};

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "bench_remote PROGRAM [DEVICE [TURNS]]\n");
        return 2;
    }
    Laptop laptop;
    laptop.program = argv[1];
    const int turns = argc > 3 ? std::atoi(argv[3]) : 4;
    valueOf(RemoteHost::connect(laptop.dialer())); // Warm.
    const std::int64_t startNs = nowNs();
    const auto host = valueOf(RemoteHost::connect(laptop.dialer()));
    SessionRequest request;
    request.source = "synthetic:?size=1280x720&fps=60";
    request.deviceId = argc > 2 ? argv[2] : "soft:orin";
    const auto control = valueOf(host->open(request));
    while (control->drainUpdates().figures.empty())
        std::this_thread::sleep_for(1ms);
    std::printf("start to first frame, warm: %.2f s\n", seconds(nowNs() - startNs));
    const std::uint64_t bytes = host->state().bytesRead;
    const std::int64_t bytesNs = nowNs();
    Bench bench{*control, *host, laptop};
    std::vector<double> news;
    std::vector<double> pictures;
    for (int round = 0; round < turns; ++round) {
        std::array<double, kWatches.size()> frameMs{};
        for (std::size_t i = 0; i < kWatches.size(); ++i) {
            const Turn turn = bench.turn(kWatches[(i + static_cast<std::size_t>(round)) % kWatches.size()]);
            frameMs[static_cast<std::size_t>(turn.watch)] = bench.frameMs(turn);
            if (round == 0 && i == 1)
                std::printf("link: %.0f kbit/s\n",
                            static_cast<double>(host->state().bytesRead - bytes) * 8e-3 / seconds(nowNs() - bytesNs));
        }
        std::printf("frame: not watched %.3f ms, watched %.3f ms, with pictures %.3f ms\n", frameMs[0], frameMs[1],
                    frameMs[2]);
        news.push_back(frameMs[1] / frameMs[0]);
        pictures.push_back(frameMs[2] / frameMs[1]);
    }
    std::printf("frame time watched / not watched: median %.4f\n", quantile(news, 0.5));
    std::printf("frame time with pictures / without, both watched: median %.4f\n", quantile(pictures, 0.5));
    std::printf("pictures: %.1f a second\n", bench.pictures / (5.0 * turns));
    std::printf("age of spans when they come: median %.1f ms, 95 %% %.1f ms\n", quantile(bench.agesMs, 0.5),
                quantile(bench.agesMs, 0.95));
    if (const auto cost = host->state().watchCost; cost && cost->rounds > 0)
        std::printf("the board says: %.4f +-%.4f, %u rounds\n", cost->frameRatio, cost->noise, cost->rounds);
    return 0;
}
