// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/board/topscreen.h"
#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/terminal.h"
#include "core/board/boardwords.h"
#include "core/time/clock.h"
#include "gpu/board/machinesampler.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace jetscope {

namespace {

using Milliseconds = std::chrono::milliseconds;

/// How soon a changed size of the terminal is noticed.
constexpr Milliseconds kLookForResize{200};
/// The load of a processor is known after two readings.
constexpr Milliseconds kFirstInterval{100};

std::int64_t unixNow()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// What `top` shows, and how often.
struct TopRun {
    MachineSampler sampler;
    BoardIdentity identity;
    Milliseconds interval;
    std::uint64_t count; ///< 0: until the user ends it.

    bool isLast(std::uint64_t shown) const { return count > 0 && shown >= count; }
};

/// Lines of text or JSON.
ExitCode printLines(TopRun &run, const Interrupt &interrupt, bool json)
{
    for (std::uint64_t shown = 0; !interrupt.requested();) {
        const BoardState &state = run.sampler.sample(nowNs());
        const std::string line = json ? jsonLine(topJson(run.identity, run.sampler.layout(), state, unixNow()))
                                      : topLine(run.sampler.layout(), state) + "\n";
        if (const Status printed = print(line); !printed.ok())
            return static_cast<ExitCode>(complain(printed.error(), Failed));
        if (run.isLast(++shown) || interrupt.waitFor(run.interval))
            break;
    }
    return Good;
}

ExitCode drawScreens(TopRun &run, const Interrupt &interrupt)
{
    using Clock = std::chrono::steady_clock;
    Terminal terminal;
    const bool colour = std::getenv("NO_COLOR") == nullptr;
    const std::string title = identityText(run.identity);
    for (std::uint64_t shown = 0; !interrupt.requested();) {
        const BoardState &state = run.sampler.sample(nowNs());
        ++shown;
        const Clock::time_point next = Clock::now() + run.interval;
        TerminalSize drawn{0, 0};
        while (Clock::now() < next) {
            const TerminalSize size = terminal.size();
            if (size.columns != drawn.columns || size.rows != drawn.rows) {
                drawn = size;
                if (!terminal.draw(topScreen(title, run.sampler.layout(), state, size, colour)))
                    return Failed;
            }
            const auto left = std::chrono::duration_cast<Milliseconds>(next - Clock::now()) + Milliseconds(1);
            if (terminal.wait(interrupt.descriptor(), std::min(left, kLookForResize)) == Terminal::Wake::Quit)
                return Good;
        }
        if (run.isLast(shown))
            return Good;
    }
    return Good;
}

/// For a machine that draws them: each is its lines, and a form feed.
ExitCode passScreens(TopRun &run, const Interrupt &interrupt, TerminalSize size)
{
    const std::string title = identityText(run.identity);
    for (std::uint64_t shown = 0; !interrupt.requested();) {
        const BoardState &state = run.sampler.sample(nowNs());
        std::string text;
        for (const std::string &line : topScreen(title, run.sampler.layout(), state, size, true))
            text += line + "\n";
        if (!writeToTerminal(text + "\f") || run.isLast(++shown) || interrupt.waitFor(run.interval))
            break;
    }
    return Good;
}

} // namespace

int topCommand(const Options &options)
{
    const std::string root = options.sysroot.value_or("/");
    std::error_code error;
    if (!std::filesystem::is_directory(root, error))
        return complain(sentence("--sysroot: there is no folder " + root), WrongUsage);
    const Interrupt interrupt;
    TopRun run{MachineSampler(root), readBoardIdentity(root),
               Milliseconds(static_cast<std::int64_t>(options.top.interval.value_or(1) * 1000)),
               options.top.count.value_or(0)};
    run.sampler.sample(nowNs());
    if (interrupt.waitFor(std::min(kFirstInterval, run.interval)))
        return Good;
    if (options.top.screen)
        return passScreens(run, interrupt, {options.top.screen->first, options.top.screen->second});
    if (!options.json && !options.top.lines && Terminal::isAvailable())
        return drawScreens(run, interrupt);
    return printLines(run, interrupt, options.json);
}

} // namespace jetscope
