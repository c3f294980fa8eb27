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
constexpr QSize kSmallest{1100, 700};
constexpr QSize kRange{500, 300};
constexpr int kMinDock = 300; ///< Heights.
constexpr int kDockRange = 200;

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

} // namespace

/// bench_resize [SPANS]
int main(int argc, char **argv)
{
    const auto application = testing::windowApplication(argc, argv);
    const std::uint64_t spans = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;

    QMainWindow empty;
    empty.setCentralWidget(new QWidget);
    empty.show();
    const std::vector<double> reference =
        testing::timesOf(empty, empty, kSteps, [&](int step) { empty.resize(sizeOf(step)); });
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
    testing::print("empty window", reference, referenceMs);
    auto *dock = window.findChild<QDockWidget *>(QStringLiteral("tabsDock"));
    for (int tab = 0; tab < window.tabs()->count(); ++tab) {
        window.tabs()->setCurrentIndex(tab);
        QApplication::processEvents();
        const QByteArray name = window.tabs()->tabText(tab).toUtf8();
        const auto resize = [&](int step) { window.resize(sizeOf(step)); };
        testing::print((name + ": window resized").constData(), testing::timesOf(window, window, kSteps, resize),
                       referenceMs);
        window.resize(kSmallest + kRange);
        const auto drag = [&](int step) {
            window.live().resizeDocks({dock}, {kMinDock + qRound(kDockRange * partOf(step))}, Qt::Vertical);
        };
        drag(0);
        QApplication::processEvents();
        testing::print((name + ": dock dragged").constData(), testing::timesOf(window, *dock, kSteps, drag),
                       referenceMs);
    }
    return EXIT_SUCCESS;
}
