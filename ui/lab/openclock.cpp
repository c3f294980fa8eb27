// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/openclock.h"

#include "ui/lab/clockview.h"
#include "ui/session/leavenow.h"
#include "ui/session/worker.h"

#include <QApplication>
#include <QScreen>

namespace jetscope {

int openClock(int &argc, char **argv, const ClockWork &work)
{
    QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("jetscope"));
    const auto log = std::make_shared<ShownLog>();
    const auto left = std::make_shared<std::atomic<bool>>(false);
    ClockView clock(log);
    QObject::connect(&clock, &ClockView::left, &clock, [left] { *left = true; });
    QApplication::setQuitOnLastWindowClosed(false); // The work ends it.
    clock.coverScreen(QGuiApplication::primaryScreen());
    clock.setRunning(true);
    int code = 0;
    {
        Worker worker("measuring the latency");
        worker.start([work, log, left](const Worker::Reply &reply) {
            const int result = work(log, *left);
            reply.post([result] { QCoreApplication::exit(result); });
        });
        code = QApplication::exec();
        *left = true;
    }
    if (!Worker::leftBehind().empty())
        leaveNow("the measurement did not return in time, so the program ends without it", code);
    return code;
}

} // namespace jetscope
