// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/startserve.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>

// bench_remotesoak PROGRAM LINKPROXY [SECONDS [CUT-SECONDS]] : `PROGRAM serve` and a laptop over a link of 2 Mbit/s and
// 40 ms that is cut again and again. Fails if a frame or an update is missing, or memory grows on either end.

using namespace jetscope;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

double residentMb(std::int64_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
    double all = 0;
    double resident = 0;
    file >> all >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

[[noreturn]] void fail(const std::string &text)
{
    std::fprintf(stderr, "%s\n", text.c_str());
    std::_Exit(1);
}

struct Seen {
    std::uint64_t frames = 0;
    std::uint64_t spans = 0;
    std::uint64_t gaps = 0;
    std::uint32_t last = 0;

    void take(const PipelineUpdate &update)
    {
        for (const FrameFigures &frame : update.figures) {
            gaps += frames > 0 && frame.frame != last + 1 ? 1 : 0;
            last = frame.frame;
            ++frames;
        }
        spans += update.spans.size();
        gaps += update.spansLost;
    }
};

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3)
        fail("bench_remotesoak PROGRAM LINKPROXY [SECONDS [CUT-SECONDS]]");
    const std::chrono::seconds length(argc > 3 ? std::atoi(argv[3]) : 1800);
    const int cutEvery = argc > 4 ? std::atoi(argv[4]) : 60;
    const std::string command = std::string("exec \"") + argv[2] + "\" --delay 20 --bits 2000000 --cut-ms "
        + std::to_string(cutEvery * 1000) + " -- \"" + argv[1] + "\" serve --alone 60";
    auto host = RemoteHost::connect([&] { return testing::startCommand(command); });
    if (!host.ok())
        fail(host.error().message());
    SessionRequest request;
    request.source = "synthetic:?size=1280x720&fps=60";
    request.deviceId = "soft:orin";
    auto control = host.value()->open(request);
    if (!control.ok())
        fail(control.error().message());
    const std::int64_t server = host.value()->state().board.pid;
    Seen seen;
    std::uint64_t notSent = 0;
    double hereMb = 0;
    double thereMb = 0;
    for (const auto start = Clock::now(); Clock::now() - start < length;) {
        std::this_thread::sleep_for(33ms);
        seen.take(control.value()->drainUpdates());
        for (const std::uint64_t each : host.value()->state().notSent.messages)
            notSent = std::max(notSent, each);
        if (hereMb == 0 && Clock::now() - start > length / 4) {
            hereMb = residentMb(getpid());
            thereMb = residentMb(server);
        }
    }
    const RemoteState state = host.value()->state();
    const double hereNowMb = residentMb(getpid());
    const double thereNowMb = residentMb(server);
    std::printf(
        "%llu frames, %llu spans, %u cuts; missing: %llu frames, %llu updates; not sent at most %llu messages\n",
        static_cast<unsigned long long>(seen.frames), static_cast<unsigned long long>(seen.spans), state.cuts,
        static_cast<unsigned long long>(seen.gaps), static_cast<unsigned long long>(state.missedUpdates),
        static_cast<unsigned long long>(notSent));
    std::printf("memory after a quarter and at the end: laptop %.1f and %.1f MB, board %.1f and %.1f MB\n", hereMb,
                hereNowMb, thereMb, thereNowMb);
    control.value().reset();
    // The board keeps up to 32 MiB of the past, which may not be full after a quarter.
    const bool isFlat = hereNowMb < hereMb * 1.2 + 4 && thereNowMb < thereMb * 1.2 + 40;
    return seen.gaps == 0 && state.missedUpdates == 0 && state.cuts > 0 && isFlat ? 0 : 1;
}
