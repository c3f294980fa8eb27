// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A large capture in the window: its first picture, the whole trace above the timeline, the workspaces by turns, and
// resizing; see README.md beside this file.
#include "core/progress.h"
#include "core/tracefile/savetrace.h"
#include "tests/bench/windowbench.h"
#include "tests/support/largetrace.h"
#include "ui/session/glshare.h"
#include "ui/session/settings.h"
#include "ui/timeline/overviewstrip.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/mainwindow.h"
#include "ui/window/traceworkspace.h"

#include <QTemporaryDir>

#include <ctime>

using namespace jetscope;

namespace {

constexpr int kResizes = 100;
constexpr int kTurns = 30;
constexpr int kOpenings = 2;
constexpr std::int64_t kMostNs = 40'000'000'000;

double msSince(std::int64_t ns)
{
    return static_cast<double>(nowNs() - ns) / 1e6;
}

/// False if it takes too long.
template <class Done>
bool waitFor(Done done)
{
    const std::int64_t from = nowNs();
    while (!done() && nowNs() - from < kMostNs)
        QApplication::processEvents(QEventLoop::AllEvents, 2);
    return done();
}

/// Notes when the window has handed a picture to the X server.
class Pictures : public QObject {
public:
    explicit Pictures(QWidget &window) : m_window(window) { window.installEventFilter(this); }
    std::uint64_t count = 0;

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() != QEvent::UpdateRequest)
            return false;
        m_window.removeEventFilter(this); // Or this would be called again.
        QCoreApplication::sendEvent(&m_window, event);
        m_window.installEventFilter(this);
        ++count;
        return true;
    }

private:
    QWidget &m_window;
};

void printTimes(const char *what, std::vector<double> ms, double goal)
{
    std::sort(ms.begin(), ms.end());
    std::printf("%-32s best %7.2f ms, median %7.2f ms, worst %7.2f ms (goal %g at most)\n", what, ms.front(),
                median(ms), ms.back(), goal);
}

void measureOpening(MainWindow &window, const QString &path)
{
    Pictures pictures(window);
    const Session &session = window.trace().session();
    bool whole = false;
    QObject::connect(&window.trace().opener(), &TraceOpener::shown, &pictures, [&whole] { whole = true; });
    for (int turn = 0; turn < kOpenings; ++turn) {
        const std::int64_t from = nowNs();
        const std::uint64_t last = session.trace().spanCount();
        whole = false;
        window.trace().opener().open(path);
        (void)waitFor([&] { return session.trace().spanCount() > 0 && session.trace().spanCount() != last; });
        const double shownMs = msSince(from);
        const std::uint64_t before = pictures.count;
        (void)waitFor([&] { return pictures.count > before; });
        std::printf("%-32s %7.0f ms, of them read %.0f ms (goal 200 at most)\n", "open to the first picture",
                    msSince(from), shownMs);
        (void)waitFor([&] { return whole; });
        std::printf("%-32s %7.0f ms, %llu spans\n", "open to the whole", msSince(from),
                    static_cast<unsigned long long>(session.trace().spanCount()));
    }
}

void measureOverview(MainWindow &window)
{
    OverviewStrip *strip = window.trace().timeline()->overview();
    if (!strip || !waitFor([&] { return strip->isDone() && !strip->overview().empty(); }))
        return (void)std::printf("there is no overview\n");
    std::vector<double> ms;
    QImage target(strip->size(), QImage::Format_RGB32);
    for (int turn = 0; turn < kTurns; ++turn) {
        QEvent anew(QEvent::StyleChange); // Paints everything again.
        QApplication::sendEvent(strip, &anew);
        timespec from{};
        timespec to{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        strip->QWidget::render(&target);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        ms.push_back(static_cast<double>(to.tv_sec - from.tv_sec) * 1e3
                     + static_cast<double>(to.tv_nsec - from.tv_nsec) / 1e6);
    }
    printTimes("overview, painted", ms, 4);
}

void measureSwitches(MainWindow &window)
{
    using Space = MainWindow::Space;
    Pictures pictures(window);
    const std::pair<const char *, Space> turns[] = {
        {"to Live", Space::Live}, {"to Trace", Space::Trace}, {"to Board", Space::Board}};
    std::vector<std::vector<double>> ms(std::size(turns));
    for (int turn = 0; turn < kTurns; ++turn)
        for (std::size_t i = 0; i < std::size(turns); ++i) {
            const std::int64_t from = nowNs();
            const std::uint64_t before = pictures.count;
            window.showSpace(turns[i].second);
            (void)waitFor([&] { return pictures.count > before; });
            ms[i].push_back(msSince(from));
        }
    for (std::size_t i = 0; i < std::size(turns); ++i)
        printTimes(turns[i].first, ms[i], 100);
    window.showSpace(Space::Trace);
}

void measureResizing(MainWindow &window)
{
    const auto resize = [&](int step) { window.resize(1100 + 5 * (step % 100), 700 + 3 * (step % 100)); };
    printTimes("Trace, resized", testing::timesOf(window, window, kResizes, resize), 33);
}

} // namespace

/// bench_spaces [SPANS]: 10 million by default.
int main(int argc, char **argv)
{
    const auto application = testing::windowApplication(argc, argv);
    const std::uint64_t spans = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("large.jetscope"));
    NoProgress progress;
    if (const Status saved = saveTrace(largeTrace(spans), path.toStdString(), progress); !saved.ok()) {
        std::fprintf(stderr, "%s\n", saved.error().message().c_str());
        return EXIT_FAILURE;
    }
    auto display = std::make_shared<PipelineDisplay>(findGlShare());
    WindowParts parts;
    parts.host = localHost(display);
    parts.openSource = sourceOpener();
    parts.display = [display] { return display->opened(); };
    parts.video.share = display->share();
    parts.video.openReadback = readbackOpener(display);
    Settings settings(Settings::Use::Ignore);
    MainWindow window(std::move(parts), {}, settings);
    window.resize(1600, 1000);
    Pictures first(window);
    window.show();
    window.showSpace(MainWindow::Space::Trace);
    (void)waitFor([&] { return first.count > 0; });
    measureOpening(window, path);
    measureOverview(window);
    measureSwitches(window);
    measureResizing(window);
    return EXIT_SUCCESS;
}
