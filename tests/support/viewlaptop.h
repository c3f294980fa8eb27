// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/remoteview.h"
#include "tests/support/scriptedboard.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace jetscope::testing {

/// A laptop that looks at a capture.
class ViewLaptop {
public:
    ViewLaptop(ScriptedBoard &board, const std::string &path)
    {
        auto connected = RemoteHost::connect(board.dialer());
        if (!connected.ok())
            return;
        host = connected.value();
        view = host->openView("orin-lab-3", path, [] {});
    }

    bool waitForTrace()
    {
        return QTest::qWaitFor(
            [this] {
                if (!trace)
                    trace = view->takeTrace();
                return trace.has_value();
            },
            20'000);
    }
    /// Shows a window and waits until all of it has come.
    bool look(const WindowWish &wish)
    {
        view->want({wish}, {});
        return QTest::qWaitFor(
            [this] {
                view->takeInto(*trace);
                return view->isWhole();
            },
            10'000);
    }
    /// Asks for figures and waits for the answer.
    std::optional<FigureAnswer> ask(FigureSeat seat, const FigureWish &wish)
    {
        std::optional<FigureAnswer> taken;
        view->ask(seat, wish, [&taken](double, const FigureAnswer *answer) {
            if (answer)
                taken = *answer;
        });
        const bool came = QTest::qWaitFor(
            [&] {
                view->takeInto(*trace);
                return taken.has_value();
            },
            20'000);
        return came ? taken : std::nullopt;
    }
    WindowWish all(ColumnWindow window) const
    {
        WindowWish wish;
        wish.window = window;
        wish.nsPerPixel = window.nsPerColumn;
        for (std::uint32_t track = 0; track < trace->tracks().size(); ++track)
            wish.tracks.push_back(track);
        for (std::uint32_t counter = 0; counter < trace->counters().size(); ++counter)
            wish.counters.push_back(counter);
        return wish;
    }
    ColumnWindow part(double from, double length, int columns) const
    {
        const auto whole = static_cast<double>(trace->newestNs() - trace->oldestNs());
        return {trace->oldestNs() + static_cast<std::int64_t>(from * whole), std::max(1.0, length * whole / columns),
                columns};
    }

    std::shared_ptr<RemoteHost> host;
    std::shared_ptr<RemoteView> view;
    std::optional<Trace> trace;
};

} // namespace jetscope::testing
