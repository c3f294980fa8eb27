// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clock.h"
#include "core/tracefile/savetrace.h"
#include "tests/bench/quantile.h"
#include "tests/support/largetrace.h"
#include "tests/support/startserve.h"
#include "ui/session/traceselection.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"

#include <QApplication>
#include <QWheelEvent>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

// bench_remoteview PROGRAM LINKPROXY FILE [SPANS [BITS [DELAY_MS]]]: a timeline of 1,920 pixels and 20 lanes of a
// capture that stays on a "board", which is this machine behind a proxy of 2 Mbit/s and 40 ms each way: how long until
// the first picture, and after a pan and a zoom, is whole, and how much the link carried for it. FILE is made if it is
// not there. Uses $HOME/.cache for the server.

using namespace jetscope;

namespace {

constexpr int kLaneWidth = 1920;

double msSince(std::int64_t ns)
{
    return static_cast<double>(nowNs() - ns) / 1e6;
}

template <class T>
T valueOf(Result<T> result)
{
    if (!result.ok()) {
        std::fprintf(stderr, "%s\n", result.error().message().c_str());
        std::exit(1); // NOLINT: nothing was started.
    }
    return std::move(result).value();
}

/// A capture of the board, opened.
struct Opened {
    std::shared_ptr<RemoteView> view;
    Trace trace;
};

Opened open(RemoteHost &host, const std::string &path)
{
    const auto view = host.openView("the board", path, [] {});
    for (;;) {
        if (const RemoteView::News news = view->news(); news.error) {
            std::fprintf(stderr, "%s\n", news.error->text.c_str());
            std::exit(1); // NOLINT: a bench.
        }
        if (std::optional<Trace> trace = view->takeTrace())
            return {view, std::move(*trace)};
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
    }
}

class Shown {
public:
    Shown(RemoteHost &host, const std::string &path)
        : m_host(host), m_opened(open(host, path)), m_selection(m_opened.trace), m_timeline(m_opened.trace, m_selection)
    {
        m_timeline.resize(kLaneWidth + TimelineMetrics().labelWidth, 1000);
        m_timeline.QWidget::show();
        m_timeline.restart(false);
        m_timeline.setAnimated(false);
    }

    TimelineView &timeline() { return m_timeline; }
    /// Milliseconds until all that is shown has come and is painted.
    double untilWhole(std::int64_t sinceNs)
    {
        m_timeline.grab();
        for (;;) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
            if (m_opened.view->takeInto(m_opened.trace))
                m_timeline.refresh();
            if (!m_opened.view->isWhole())
                continue;
            m_timeline.grab();
            return msSince(sinceNs);
        }
    }
    void rest(double ms)
    {
        for (const std::int64_t startNs = nowNs(); msSince(startNs) < ms;) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
            if (m_opened.view->takeInto(m_opened.trace))
                m_timeline.refresh();
        }
    }
    std::uint64_t bytes() const { return m_host.state().bytesRead; }

private:
    RemoteHost &m_host;
    Opened m_opened;
    TraceSelection m_selection;
    TimelineView m_timeline;
};

/// From the end of `step`.
template <class Step>
void measure(const char *what, Shown &shown, double restMs, Step step)
{
    constexpr int kRounds = 21;
    std::vector<double> ms;
    std::vector<double> kilobytes;
    for (int round = 0; round < kRounds; ++round) {
        shown.rest(restMs);
        const std::uint64_t before = shown.bytes();
        step(round);
        ms.push_back(shown.untilWhole(nowNs()));
        kilobytes.push_back(static_cast<double>(shown.bytes() - before) / 1e3);
    }
    std::printf("%-44s median %4.0f ms, 95 %% %4.0f ms, %5.1f kB\n", what, quantile(ms, 0.5), quantile(ms, 0.95),
                quantile(kilobytes, 0.5));
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 4) {
        std::fprintf(stderr, "bench_remoteview PROGRAM LINKPROXY FILE [SPANS [BITS [DELAY_MS]]]\n");
        return 2;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, darkTheme());
    const std::string program = argv[1];
    const std::string path = std::filesystem::absolute(argv[3]).string();
    const std::uint64_t spans = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 10'000'000;
    const std::string bits = argc > 5 ? argv[5] : "2000000";
    const std::string delay = argc > 6 ? argv[6] : "40";
    NoProgress progress;
    if (!std::filesystem::exists(path)) {
        const Status saved = saveTrace(largeTrace(spans), path, progress);
        if (!saved.ok())
            return 1;
    }
    std::printf("%.0f MB\n", static_cast<double>(std::filesystem::file_size(path)) / 1e6);
    const auto direct = valueOf(RemoteHost::connect([&] { return testing::startServe(program, "60"); }));
    std::int64_t startNs = nowNs();
    open(*direct, path);
    std::printf("read by the board, not open before: %.1f s\n", msSince(startNs) / 1e3);

    const std::string far = std::string("exec \"") + argv[2] + "\" --delay " + delay + " --bits " + bits + " -- \""
        + program + "\" serve --alone 60";
    startNs = nowNs();
    const auto host = valueOf(RemoteHost::connect([&] { return testing::startCommand(far); }));
    std::printf("connected: %.0f ms\n", msSince(startNs));
    std::vector<double> first;
    std::uint64_t bytes = 0;
    for (int round = 0; round < 7; ++round) {
        const std::uint64_t before = host->state().bytesRead;
        startNs = nowNs();
        Shown shown(*host, path);
        first.push_back(shown.untilWhole(startNs));
        bytes = host->state().bytesRead - before;
        shown.rest(1500);
    }
    std::printf("first picture, open on the board: median %.0f ms, worst %.0f ms, %.1f kB\n", quantile(first, 0.5),
                quantile(first, 1), static_cast<double>(bytes) / 1e3);
    Shown shown(*host, path);
    shown.untilWhole(nowNs());
    TimelineView &timeline = shown.timeline();
    const Interval whole = timeline.camera().window();
    for (const double part : {0.3, 0.01, 0.0001}) {
        const auto length = static_cast<std::int64_t>(static_cast<double>(whole.endNs - whole.startNs) * part);
        std::printf("%g %% of the capture is in view\n", part * 100);
        const auto jump = [&](int round) {
            const std::int64_t from = whole.startNs + (whole.endNs - whole.startNs) / 25 * (round % 15 + 1);
            timeline.show({from, from + length + round});
        };
        measure("  another place and scale", shown, 100, jump);
        measure("  half a view, nothing prefetched", shown, 0, [&](int round) {
            if (round % 10 == 0)
                jump(round / 2);
            if (round % 10 == 0)
                shown.untilWhole(nowNs());
            timeline.camera().panBy(-kLaneWidth / 2);
        });
        measure("  half a view, one second later", shown, 1000,
                [&](int round) { timeline.camera().panBy(round % 10 < 5 ? -kLaneWidth / 2 : kLaneWidth / 2); });
        measure("  zoomed in twice", shown, 300, [&](int round) {
            if (round % 5 == 0)
                jump(round);
            timeline.camera().zoomAt(kLaneWidth / 2.0, 0.5);
        });
        // Each step makes another scale, and what was asked for the one before is of no use any more.
        measure("  the last of 12 steps of the wheel", shown, 300, [&](int round) {
            jump(round);
            for (int step = 0; step < 12; ++step) {
                timeline.camera().zoomAt(kLaneWidth / 2.0, 1 / 1.2);
                timeline.grab();
                shown.rest(25);
            }
        });
    }
    return 0;
}
