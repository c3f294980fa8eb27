// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clock.h"
#include "tests/bench/quantile.h"
#include "tests/support/startserve.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

// bench_remote PROGRAM [DEVICE [TURNS]] : `PROGRAM serve` and a laptop on the same machine, 1280x720 at 60 frames a
// second: the start on a warm board, what the link carries, how old a span is when it comes, and by turns what watching
// costs the pipeline. Uses $HOME/.cache for the server.

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

/// Frames a second over five seconds; the ages of spans are added while it is watched.
double rate(PipelineControl &control, const RemoteHost &host, Laptop &laptop, bool watched, std::vector<double> &agesMs)
{
    const std::uint64_t before = control.status().frames;
    const std::int64_t startNs = nowNs();
    laptop.away = !watched;
    if (!watched)
        ::kill(laptop.proxy, SIGKILL);
    while (nowNs() - startNs < 5'000'000'000) {
        std::this_thread::sleep_for(2ms);
        const std::int64_t now = nowNs();
        const PipelineUpdate update = control.drainUpdates();
        if (watched && !update.spans.empty())
            agesMs.push_back(seconds(now - update.spans.back().endNs()) * 1e3);
    }
    laptop.away = false;
    while (!host.state().isConnected)
        std::this_thread::sleep_for(2ms);
    std::this_thread::sleep_for(300ms); // Until it has what it missed, and the counts.
    control.drainUpdates();
    return static_cast<double>(control.status().frames - before) / seconds(nowNs() - startNs);
}

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
    std::vector<double> ages;
    std::vector<double> ratios;
    for (int turn = 0; turn < turns; ++turn) {
        const bool first = turn % 2 == 0;
        const double a = rate(*control, *host, laptop, first, ages);
        if (turn == 0)
            std::printf("link: %.0f kbit/s\n",
                        static_cast<double>(host->state().bytesRead - bytes) * 8e-3 / seconds(nowNs() - bytesNs));
        const double b = rate(*control, *host, laptop, !first, ages);
        ratios.push_back(first ? b / a : a / b);
        std::printf("watched %.1f, not watched %.1f frames/s\n", first ? a : b, first ? b : a);
    }
    std::printf("frame time watched / not watched: median %.4f\n", quantile(ratios, 0.5));
    std::printf("age of spans when they come: median %.1f ms, 95 %% %.1f ms\n", quantile(ages, 0.5),
                quantile(ages, 0.95));
    return 0;
}
