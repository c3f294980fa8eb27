// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/largetrace.h"
#include "ui/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/traceselection.h"

#include <QApplication>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

using namespace jetscope;

namespace {

constexpr int kRounds = 15;
constexpr int kLaneWidth = 1920;

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Of this thread, so that what else the machine does counts as little as it can.
double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Milliseconds of a full paint of the viewport after `prepare`.
template <typename Prepare>
double paintMs(TimelineView &view, Prepare prepare)
{
    QImage target(view.viewport()->size(), QImage::Format_RGB32);
    std::vector<double> times;
    for (int i = 0; i < kRounds; ++i) {
        prepare(i);
        const double start = threadMs();
        view.viewport()->render(&target);
        times.push_back(threadMs() - start);
    }
    return median(times);
}

struct Row {
    const char *name;
    double part; ///< Of the whole trace.
};
constexpr Row kRows[] = {{"everything", 1}, {"30 %", 0.3},        {"10 %", 0.1},      {"3 %", 0.03},    {"1 %", 0.01},
                         {"0.1 %", 0.001},  {"100 frames", -100}, {"10 frames", -10}, {"one frame", -1}};

Interval windowOf(const Trace &trace, double part)
{
    const std::int64_t oldest = trace.oldestNs();
    const std::int64_t newest = trace.newestNs();
    const auto length = part > 0 ? static_cast<std::int64_t>(static_cast<double>(newest - oldest) * part)
                                 : static_cast<std::int64_t>(-part * 17e6);
    // Around a third, where no pause is nearer than elsewhere.
    const std::int64_t start = oldest + (newest - oldest - length) / 3;
    return {start, start + length};
}

void measure(std::uint64_t spans)
{
    const Trace trace = largeTrace(spans);
    TraceSelection selection(trace);
    TimelineView view(trace, selection);
    view.resize(kLaneWidth + TimelineMetrics().labelWidth, 1000);
    view.QWidget::show();
    view.restart(false);
    std::printf("\n%llu spans, %.1f bytes each\n", static_cast<unsigned long long>(trace.spanCount()),
                static_cast<double>(trace.memoryBytes()) / static_cast<double>(trace.spanCount()));
    std::printf("%-12s %12s %12s\n", "in view", "zoomed, ms", "panned, ms");
    for (const Row &row : kRows) {
        const Interval window = windowOf(trace, row.part);
        // Another scale each time, so that nothing painted before fits.
        const double zoomed = paintMs(view, [&](int i) {
            view.show({window.startNs, window.endNs + (i + 1) * (window.endNs - window.startNs) / 1000});
        });
        view.prefetchAll();
        const double panned = paintMs(view, [&](int i) {
            QWheelEvent wheel({900, 300}, {900, 300}, {}, {i % 2 ? -240 : 240, 0}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(view.viewport(), &wheel);
        });
        std::printf("%-12s %12.2f %12.2f\n", row.name, zoomed, panned);
    }
}

} // namespace

/// What the timeline costs at 1,920 pixels of 20 lanes: query and paint after a zoom, and a pan, as medians.
int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, darkTheme());
    for (const std::uint64_t spans : {std::uint64_t(10'000), std::uint64_t(1'000'000), std::uint64_t(10'000'000)})
        measure(spans);
    return 0;
}
