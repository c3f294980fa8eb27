// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/time/clock.h"
#include "tests/bench/quantile.h"
#include "ui/style/theme.h"
#include "ui/window/openwindow.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace jetscope::testing {

/// The application of a bench that opens the window. Where there can be no window, says why and ends the program.
inline std::unique_ptr<QApplication> windowApplication(int &argc, char **argv)
{
    if (const Status prepared = prepareForWindow(); !prepared.ok()) {
        std::fprintf(stderr, "%s\n", prepared.error().message().c_str());
        std::exit(EXIT_FAILURE);
    }
    auto application = std::make_unique<QApplication>(argc, argv);
    applyTheme(*application, darkTheme());
    return application;
}

constexpr std::int64_t kPatienceNs = 2'000'000'000;

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

/// Milliseconds of each step: change, layout, painting and handing the pixels to the X server.
template <class Change>
std::vector<double> timesOf(QWidget &window, QWidget &resized, int steps, Change change)
{
    Painted painted(window, resized);
    std::vector<double> times;
    for (int step = 1; step <= steps; ++step) {
        const std::uint64_t before = painted.count;
        const std::int64_t from = nowNs();
        change(step);
        while (painted.count == before && nowNs() - from < kPatienceNs)
            QApplication::processEvents(QEventLoop::AllEvents, 5);
        times.push_back(static_cast<double>(nowNs() - from) / 1e6);
    }
    return times;
}

inline void print(const char *what, std::vector<double> times, double referenceMs)
{
    double sum = 0;
    for (const double time : times)
        sum += time;
    std::sort(times.begin(), times.end());
    std::printf("%-34s %6.1f frames/s, median %6.2f ms, worst %6.2f ms, %5.2f times an empty window\n", what,
                1e3 * static_cast<double>(times.size()) / sum, median(times), times.back(),
                median(times) / referenceMs);
}

} // namespace jetscope::testing
