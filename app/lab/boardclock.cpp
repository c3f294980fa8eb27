// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/lab/boardclock.h"

#include "app/commandline/console.h"
#include "app/lab/boardlines.h"
#include "app/lab/labcommands.h"
#include "app/remote/boardtop.h"
#include "core/lab/farclock.h"
#include "core/lab/sightingline.h"
#include "core/time/clock.h"
#include "gpu/lab/latencyfeed.h"
#include "gpu/sources/framesource.h"

#include <array>
#include <poll.h>

namespace jetscope {

namespace {

constexpr int kLookAtBoardMs = 50;
constexpr std::int64_t kLongestStart = 15'000'000'000;
constexpr std::chrono::seconds kLongestClockAlone{60}; ///< It covers a screen that others may want.

/// The clock that a board's screen shows, by the clock of this machine.
class BoardClock {
public:
    explicit BoardClock(std::unique_ptr<BoardCommand> command) : m_command(std::move(command)) {}

    /// Takes what the board told. `known` is called with each time until which all is known. False if it ended.
    bool work(const std::function<void(std::int64_t ns)> &known)
    {
        if (!hasEnded())
            m_lines.work(*m_command, [&](std::string_view line) { take(line, known); });
        return !hasEnded();
    }
    bool isShown() const { return m_clock.isShown(); }
    bool hasEnded() const { return m_command->end().has_value(); }
    /// Why it ended, as far as this side knows; else the board has said it.
    std::string whyEnded() const
    {
        return m_command->end()->ok() ? "the board's clock ended" : m_command->end()->error().message();
    }
    void wait() const
    {
        std::array<pollfd, 3> sources = m_command->sources();
        poll(sources.data(), sources.size(), kLookAtBoardMs);
    }
    /// Takes the clock off the screen.
    void close() { m_command.reset(); }

    const std::shared_ptr<ShownLog> &log() const { return m_clock.log(); }
    double boundMs() const { return static_cast<double>(m_clock.boundNs()) / 1e6; }

private:
    void take(std::string_view line, const std::function<void(std::int64_t ns)> &known)
    {
        const std::optional<ClockUpdate> update = updateIn(line);
        const std::optional<ClockOffset> offset = m_command->clock();
        if (!update || !offset)
            return;
        if (const auto until = m_clock.add(update->ms, offset->hereNs(update->shownNs), offset->boundNs, nowNs()))
            known(*until);
    }

    std::unique_ptr<BoardCommand> m_command;
    FarClock m_clock;
    BoardLines m_lines;
};

Result<std::unique_ptr<BoardCommand>> startClock(const BoardAddress &board, const Interrupt &interrupt)
{
    CommandPlan plan;
    for (const char *const word : {"lab", "--sightings", "clock"})
        plan.arguments.push_back({word, -1});
    plan.longestAlone = kLongestClockAlone;
    return startOnBoard(board, std::move(plan), interrupt,
                        [&](const BoardCommand::Absence &) { return !interrupt.requested(); });
}

/// Until the first time is on the screen; why it is not, or empty.
std::string waitForClock(BoardClock &clock, const Interrupt &interrupt)
{
    for (const std::int64_t startNs = nowNs(); !clock.isShown(); clock.wait()) {
        if (!clock.work([](std::int64_t) {}))
            return clock.whyEnded();
        if (interrupt.requested())
            return "interrupted";
        if (nowNs() - startNs > kLongestStart)
            return "the board's screen shows no clock";
    }
    return {};
}

} // namespace

int labLatencyOfBoardClock(const Options &options)
{
    if (!options.source || ownClockOf(*options.source))
        return complain(
            sentence("with --board-clock, --source has to name the camera here that looks at the board's screen"),
            WrongUsage);
    if (const Status checked = checkSourceUri(*options.source); !checked.ok())
        return complain(checked.error(), WrongUsage);
    const BoardAddress &board = options.hosts.front();
    const Interrupt interrupt;
    Result<std::unique_ptr<BoardCommand>> command = startClock(board, interrupt);
    if (!command.ok())
        return complain(command.error(), Failed);
    BoardClock clock(std::move(command).value());
    if (const std::string trouble = waitForClock(clock, interrupt); !trouble.empty())
        return complain(sentence(trouble), Failed);
    const auto goOn = [&](LatencyFeed &feed) { return clock.work([&](std::int64_t ns) { feed.knowUntil(ns); }); };
    std::string cut;
    const auto complete = [&](LatencyReport &report) {
        if (clock.hasEnded())
            cut = clock.whyEnded();
        clock.close();
        report.board = board.name();
        report.clockBoundMs = clock.boundMs();
        if (report.figures)
            report.figures->boundMs += clock.boundMs();
    };
    const int code = measureLatency(options, *options.source, {clock.log(), goOn, complete}, interrupt);
    return cut.empty() ? code : complain(sentence("the measurement was cut short: " + cut), Failed);
}

} // namespace jetscope
