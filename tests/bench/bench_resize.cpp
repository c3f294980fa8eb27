// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Frames a second while the window is resized and a dock is dragged; see README.md beside this file.
#include "core/time/clock.h"
#include "tests/bench/quantile.h"
#include "tests/bench/windowbench.h"
#include "tests/support/largetrace.h"
#include "ui/session/glshare.h"
#include "ui/session/settings.h"
#include "ui/window/liveworkspace.h"
#include "ui/window/mainwindow.h"
#include "ui/window/openwindow.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QTabWidget>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

using namespace jetscope;

namespace {

constexpr int kSteps = 100;
constexpr std::int64_t kPatienceNs = 2'000'000'000;
constexpr QSize kSmallest{1100, 700};
constexpr QSize kRange{500, 300};
constexpr int kMinDock = 300; ///< Heights.
constexpr int kDockRange = 200;

/// Counts how often the window has painted a new size of one of its parts, or of itself.
class Painted : public QObject {
public:
    Painted(QWidget &window, QWidget &resized) : m_window(window), m_resized(resized)
    {
        window.installEventFilter(this);
        resized.installEventFilter(this);
    }
    std::uint64_t count = 0;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        m_isNew |= watched == &m_resized && event->type() == QEvent::Resize;
        if (watched != &m_window || event->type() != QEvent::UpdateRequest || !m_isNew)
            return false;
        m_isNew = false;
        m_window.removeEventFilter(this); // Or this would be called again.
        QCoreApplication::sendEvent(&m_window, event);
        m_window.installEventFilter(this);
        ++count;
        return true;
    }

private:
    QWidget &m_window;
    QWidget &m_resized;
    bool m_isNew = false;
};

/// From 0 to 1 and back, always another value than the one before.
double partOf(int step)
{
    const int half = kSteps / 2;
    return static_cast<double>(step <= half ? step : kSteps - step) / half;
}

QSize sizeOf(int step)
{
    return kSmallest + kRange * partOf(step);
}

/// Milliseconds of each step: change, layout, painting and handing the pixels to the X server.
template <class Change>
std::vector<double> timesOf(QWidget &window, QWidget &resized, Change change)
{
    Painted painted(window, resized);
    std::vector<double> times;
    for (int step = 1; step <= kSteps; ++step) {
        const std::uint64_t before = painted.count;
        const std::int64_t from = nowNs();
        change(step);
        while (painted.count == before && nowNs() - from < kPatienceNs)
            QApplication::processEvents(QEventLoop::AllEvents, 5);
        times.push_back(static_cast<double>(nowNs() - from) / 1e6);
    }
    return times;
}

void print(const char *what, std::vector<double> times, double referenceMs)
{
    double sum = 0;
    for (const double time : times)
        sum += time;
    std::sort(times.begin(), times.end());
    std::printf("%-34s %6.1f frames/s, median %6.2f ms, worst %6.2f ms, %5.2f times an empty window\n", what,
                1e3 * static_cast<double>(times.size()) / sum, median(times), times.back(),
                median(times) / referenceMs);
}

} // namespace

/// bench_resize [SPANS]
int main(int argc, char **argv)
{
    const auto application = testing::windowApplication(argc, argv);
    const std::uint64_t spans = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;

    QMainWindow empty;
    empty.setCentralWidget(new QWidget);
    empty.show();
    const std::vector<double> reference = timesOf(empty, empty, [&](int step) { empty.resize(sizeOf(step)); });
    empty.hide();

    auto display = std::make_shared<PipelineDisplay>(findGlShare());
    WindowParts parts;
    parts.host = localHost(display);
    parts.openSource = sourceOpener();
    parts.display = [display] { return display->opened(); };
    parts.video.share = display->share();
    parts.video.openReadback = readbackOpener(display);
    Settings settings(Settings::Use::Ignore);
    MainWindow window(std::move(parts), {}, settings);
    window.live().session().showTrace(largeTrace(spans), Session::TraceSummary());
    window.resize(kSmallest);
    window.show();
    while (QApplication::activeWindow() == nullptr && !window.isVisible())
        QApplication::processEvents();

    const double referenceMs = median(reference);
    print("empty window", reference, referenceMs);
    auto *dock = window.findChild<QDockWidget *>(QStringLiteral("tabsDock"));
    for (int tab = 0; tab < window.tabs()->count(); ++tab) {
        window.tabs()->setCurrentIndex(tab);
        QApplication::processEvents();
        const QByteArray name = window.tabs()->tabText(tab).toUtf8();
        const auto resize = [&](int step) { window.resize(sizeOf(step)); };
        print((name + ": window resized").constData(), timesOf(window, window, resize), referenceMs);
        window.resize(kSmallest + kRange);
        const auto drag = [&](int step) {
            window.live().resizeDocks({dock}, {kMinDock + qRound(kDockRange * partOf(step))}, Qt::Vertical);
        };
        drag(0);
        QApplication::processEvents();
        print((name + ": dock dragged").constData(), timesOf(window, *dock, drag), referenceMs);
    }
    return EXIT_SUCCESS;
}
