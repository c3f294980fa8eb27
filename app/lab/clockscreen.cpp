// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/lab/clockscreen.h"

#include "app/commandline/console.h"
#include "core/lab/clockpattern.h"
#include "core/time/clock.h"
#include "gpu/lab/x11screen.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace jetscope {

namespace {

/// A time for each refresh of the screen, until the work is done or the user has enough.
Status showTimes(X11Screen &screen, ShownLog &log, const std::atomic<bool> &isDone)
{
    const auto period = std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 / clockRate(screen.rate())));
    for (auto next = std::chrono::steady_clock::now(); !isDone; std::this_thread::sleep_until(next)) {
        const int ms = clockMsAt(nowNs());
        const Result<bool> shown = screen.show(ms);
        if (!shown.ok())
            return shown.error();
        if (!shown.value())
            break;
        log.add(ms, nowNs());
        next = std::max(next + period, std::chrono::steady_clock::now());
    }
    return {};
}

int showOnX11(const ClockWork &work)
{
    Result<std::unique_ptr<X11Screen>> screen = X11Screen::open();
    if (!screen.ok())
        return complain(screen.error(), Failed);
    const auto log = std::make_shared<ShownLog>();
    std::atomic<bool> left = false;
    std::atomic<bool> isDone = false;
    int code = 0;
    std::thread worker([&] {
        code = work(log, left);
        isDone = true;
    });
    const Status shown = showTimes(*screen.value(), *log, isDone);
    screen.value().reset();
    log->end(nowNs());
    left = true;
    worker.join();
    return shown.ok() ? code : complain(shown.error(), Failed);
}

} // namespace

int showClockAnywhere(int argc, char **argv, const ClockWork &work)
{
    return windowCapability().available ? showClock(argc, argv, work) : showOnX11(work);
}

} // namespace jetscope
