// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The cost of following live for the pipeline and for the UI thread; see README.md beside this file.
#include "core/time/clock.h"
#include "tests/bench/quantile.h"
#include "tests/bench/windowbench.h"
#include "ui/session/glshare.h"
#include "ui/session/settings.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/mainwindow.h"
#include "ui/window/openwindow.h"

#include <QApplication>
#include <QEventLoop>
#include <QTabWidget>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

using namespace jetscope;

namespace {

constexpr int kSettleMs = 700;
constexpr int kMeasureMs = 5000;
constexpr int kPatienceMs = 20'000;
constexpr std::uint64_t kFirstFrames = 60;

double cpuMs(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void run(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

/// Milliseconds per frame.
struct Cost {
    double period = 0;
    double uiThread = 0; ///< CPU time.
    double process = 0;  ///< CPU time of all threads.
};

Cost measure(MainWindow &window, QWidget *tab)
{
    window.tabs()->setCurrentWidget(tab);
    window.timeline()->follow();
    run(kSettleMs);
    const FrameTable &frames = window.session().trace().frames();
    window.session().poll();
    const std::uint64_t first = frames.endIndex();
    const double uiThread = cpuMs(CLOCK_THREAD_CPUTIME_ID);
    const double process = cpuMs(CLOCK_PROCESS_CPUTIME_ID);
    run(kMeasureMs);
    window.session().poll();
    const double uiThreadAfter = cpuMs(CLOCK_THREAD_CPUTIME_ID);
    const double processAfter = cpuMs(CLOCK_PROCESS_CPUTIME_ID);
    const FrameSum sum = frames.sum(first, frames.endIndex());
    const auto count = static_cast<double>(std::max<std::uint64_t>(sum.frames, 1));
    return {static_cast<double>(sum.overlap.periodNs) / 1e6 / count, (uiThreadAfter - uiThread) / count,
            (processAfter - process) / count};
}

/// The timeline hidden, and the extra cost of showing it.
struct Series {
    const char *name;
    double Cost::*figure;
    std::vector<double> hidden;
    std::vector<double> added;

    void add(const Cost &without, const Cost &with)
    {
        hidden.push_back(without.*figure);
        added.push_back(with.*figure - without.*figure);
    }
    void print(double periodMs) const
    {
        const auto [least, most] = std::minmax_element(added.begin(), added.end());
        std::printf("%-22s %8.3f ms a frame, the timeline adds %7.3f (%.3f to %.3f): %5.2f %% of the period\n", name,
                    median(hidden), median(added), *least, *most, 100 * median(added) / periodMs);
    }
};

WindowParts realParts()
{
    auto display = std::make_shared<PipelineDisplay>(findGlShare());
    WindowParts parts;
    parts.host = localHost(display);
    parts.openSource = sourceOpener();
    parts.display = [display] { return display->opened(); };
    parts.video.share = display->share();
    parts.video.openReadback = readbackOpener(display);
    return parts;
}

/// Whether frames arrive soon.
bool waitForFrames(MainWindow &window)
{
    const std::int64_t deadline = nowNs() + std::int64_t{kPatienceMs} * 1'000'000;
    while (window.session().trace().frames().endIndex() < kFirstFrames) {
        if (window.session().phase() == Session::Phase::Failed || nowNs() > deadline) {
            std::fprintf(stderr, "no frames: %s\n", window.session().failure().text.c_str());
            return false;
        }
        run(100);
    }
    return true;
}

} // namespace

/// bench_follow [SOURCE [ROUNDS]]: compares the tabs Timeline and Device in alternating rounds.
int main(int argc, char **argv)
{
    const auto application = testing::windowApplication(argc, argv);
    SessionRequest request;
    if (argc > 1)
        request.source = argv[1];
    const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 7;
    Settings settings(Settings::Use::Ignore);
    MainWindow window(realParts(), request, settings);
    window.resize(1600, 1000);
    window.session().open();
    window.show();
    if (!waitForFrames(window))
        return EXIT_FAILURE;
    Series series[] = {{"period of the pipeline", &Cost::period, {}, {}},
                       {"CPU of the UI thread", &Cost::uiThread, {}, {}},
                       {"CPU of the process", &Cost::process, {}, {}}};
    QWidget *const device = window.tabs()->widget(window.tabs()->count() - 1);
    for (int round = 0; round < rounds; ++round) {
        const Cost hidden = measure(window, device);
        const Cost shown = measure(window, window.timeline());
        for (Series &one : series)
            one.add(hidden, shown);
    }
    std::printf("%s\n", request.source.c_str());
    for (const Series &one : series)
        one.print(median(series[0].hidden));
    window.close();
    return EXIT_SUCCESS;
}
