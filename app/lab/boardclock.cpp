// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/lab/boardclock.h"

#include "app/commandline/console.h"
#include "app/lab/boardlines.h"
#include "app/lab/labcommands.h"
#include "app/remote/boardtop.h"
#include "core/lab/sightingline.h"
#include "gpu/lab/latencyfeed.h"
#include "gpu/sources/framesource.h"

#include <algorithm>

namespace jetscope {

namespace {

/// What a board's clock shows, by the clock of this machine.
class BoardTimes {
public:
    void take(std::string_view text, const std::optional<ClockOffset> &clock)
    {
        m_lines.take(text, [&](std::string_view line) {
            const std::optional<ClockUpdate> update = updateIn(line);
            if (!update || !clock)
                return;
            m_boundNs = std::max(m_boundNs, clock->boundNs);
            m_shownNs = std::max(m_shownNs, clock->hereNs(update->shownNs)); // The offset changes a little.
            m_log->add(update->ms, m_shownNs);
        });
    }
    const std::shared_ptr<ShownLog> &log() const { return m_log; }
    std::int64_t knownUntilNs() const { return m_shownNs; }
    double boundMs() const { return static_cast<double>(m_boundNs) / 1e6; }

private:
    std::shared_ptr<ShownLog> m_log = std::make_shared<ShownLog>();
    BoardLines m_lines;
    std::int64_t m_shownNs = 0;
    std::int64_t m_boundNs = 0;
};

} // namespace

int labLatencyOfBoardClock(const Options &options)
{
    const std::string source = options.source.value_or("pattern:");
    if (const Status checked = checkSourceUri(source); !checked.ok())
        return complain(checked.error(), WrongUsage);
    const BoardAddress &board = options.hosts.front();
    const Interrupt interrupt;
    CommandPlan plan;
    for (const char *const word : {"lab", "--sightings", "clock"})
        plan.arguments.push_back({word, -1});
    Result<std::unique_ptr<BoardCommand>> command = startOnBoard(
        board, std::move(plan), interrupt, [&](const BoardCommand::Absence &) { return !interrupt.requested(); });
    if (!command.ok())
        return complain(command.error(), Failed);
    BoardTimes times;
    const auto goOn = [&](LatencyFeed &feed) {
        if (!command.value()->end())
            command.value()->work([&](CommandOutput::Stream stream, std::string_view text) {
                if (stream == CommandOutput::Stream::Output)
                    times.take(text, command.value()->clock());
                else
                    std::fwrite(text.data(), 1, text.size(), stderr);
            });
        feed.knowUntil(times.knownUntilNs());
        return !command.value()->end();
    };
    const auto complete = [&](LatencyReport &report) {
        report.board = board.name();
        report.clockBoundMs = times.boundMs();
        if (report.figures)
            report.figures->boundMs += times.boundMs();
    };
    return measureLatency(options, source, {times.log(), goOn, complete}, interrupt);
}

} // namespace jetscope
