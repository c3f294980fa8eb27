// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/quantile.h"
#include "tests/support/largetrace.h"
#include "ui/session/traceselection.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"

#include <QApplication>
#include <QWheelEvent>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

using namespace jetscope;

namespace {

constexpr int kLaneWidth = 1920;

/// CPU time of this thread, to limit the influence of other load.
double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Row {
    const char *name;
    double part; ///< Part of the whole trace; if negative, a number of frames.
};
constexpr Row kRows[] = {{"everything", 1}, {"30 %", 0.3},        {"10 %", 0.1},      {"3 %", 0.03},    {"1 %", 0.01},
                         {"0.1 %", 0.001},  {"100 frames", -100}, {"10 frames", -10}, {"one frame", -1}};

Interval windowOf(const Trace &trace, double part)
{
    const std::int64_t oldest = trace.oldestNs();
    const std::int64_t newest = trace.newestNs();
    const auto length = part > 0 ? static_cast<std::int64_t>(static_cast<double>(newest - oldest) * part)
                                 : static_cast<std::int64_t>(-part * 17e6);
    // Around a third, where the distance to pauses is average.
    const std::int64_t start = oldest + (newest - oldest - length) / 3;
    return {start, start + length};
}

/// A trace and the view of it.
class Shown {
public:
    explicit Shown(std::uint64_t spans) : m_trace(largeTrace(spans)), m_selection(m_trace), m_view(m_trace, m_selection)
    {
        m_view.resize(kLaneWidth + TimelineMetrics().labelWidth, 1000);
        m_view.QWidget::show();
        m_view.restart(false);
        m_target = QImage(m_view.viewport()->size(), QImage::Format_RGB32);
    }

    const Trace &trace() const { return m_trace; }

    /// Changes the scale each time, so that no previous painting can be reused.
    void zoom(const Row &row, int step)
    {
        const Interval window = windowOf(m_trace, row.part);
        m_view.show({window.startNs, window.endNs + (step % 16 + 1) * (window.endNs - window.startNs) / 1000});
    }
    /// Moves back and forth within range.
    void pan(int step)
    {
        m_view.prefetchAll();
        QWheelEvent wheel({900, 300}, {900, 300}, {}, {step % 2 ? -240 : 240, 0}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_view.viewport(), &wheel);
    }
    /// Milliseconds of a full paint of the viewport, without the widgets on it, which the window does not paint anew.
    double paintMs()
    {
        const double start = threadMs();
        m_view.viewport()->render(&m_target, {}, {}, QWidget::DrawWindowBackground);
        return threadMs() - start;
    }

private:
    Trace m_trace;
    TraceSelection m_selection;
    TimelineView m_view;
    QImage m_target;
};

/// The figures of one step for every trace, from rounds that alternate between traces.
struct Figures {
    std::vector<double> ms;
    std::vector<double> ratios; ///< Relative to the first trace in the same round.
};

/// `prepare(shown, step)` runs before each paint. Only every second paint counts: the first one refills the caches
/// after the other traces.
template <typename Prepare>
Figures measure(const std::vector<std::unique_ptr<Shown>> &traces, int rounds, Prepare prepare)
{
    std::vector<std::vector<double>> ms(traces.size());
    std::vector<std::vector<double>> ratios(traces.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < traces.size(); ++i) {
            prepare(*traces[i], 2 * round);
            traces[i]->paintMs();
            prepare(*traces[i], 2 * round + 1);
            ms[i].push_back(traces[i]->paintMs());
            ratios[i].push_back(ms[i].back() / ms[0].back());
        }
    Figures figures;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        figures.ms.push_back(median(ms[i]));
        figures.ratios.push_back(median(ratios[i]));
    }
    return figures;
}

void print(const char *what, const Figures &figures)
{
    std::printf("  %s", what);
    for (std::size_t i = 0; i < figures.ms.size(); ++i)
        std::printf(" %5.2f (%4.2f)", figures.ms[i], figures.ratios[i]);
}

} // namespace

/// bench_timeline [ROUNDS [ROW]]: the cost of the timeline at 1,920 pixels and 20 lanes: query and paint after a zoom,
/// and a pan. Medians in milliseconds and, in brackets, medians of the ratios to 10,000 spans in the same round. By
/// default 41 rounds and all rows; rows count from 0.
int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, darkTheme());
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 41;
    std::vector<std::unique_ptr<Shown>> traces;
    for (const std::uint64_t spans : {std::uint64_t(10'000), std::uint64_t(1'000'000), std::uint64_t(10'000'000)}) {
        traces.push_back(std::make_unique<Shown>(spans));
        const Trace &trace = traces.back()->trace();
        std::printf("%llu spans, %.1f bytes each\n", static_cast<unsigned long long>(trace.spanCount()),
                    static_cast<double>(trace.memoryBytes()) / static_cast<double>(trace.spanCount()));
    }
    double worst = 0;
    for (const Row &row : kRows) {
        if (argc > 2 && std::atoi(argv[2]) != &row - kRows)
            continue;
        const Figures zoomed = measure(traces, rounds, [&row](Shown &shown, int step) { shown.zoom(row, step); });
        const Figures panned = measure(traces, rounds, [](Shown &shown, int step) { shown.pan(step); });
        std::printf("%-12s", row.name);
        print("zoomed", zoomed);
        print("panned", panned);
        std::printf("\n");
        worst = std::max(worst, *std::max_element(zoomed.ratios.begin(), zoomed.ratios.end()));
    }
    std::printf("%.2f times 10,000 spans at most\n", worst);
    return 0;
}
