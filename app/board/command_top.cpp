// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/board/topscreen.h"
#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "core/board/boardwords.h"
#include "core/time/clock.h"
#include "gpu/board/machinesampler.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <vector>

namespace jetscope {

namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";
constexpr std::size_t kMaxColumns = 1000;

bool writeAll(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written <= 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// The terminal as a screen that is drawn as a whole: the other screen buffer, without echo and cursor. The destructor
/// restores it. One instance at a time.
class Terminal {
public:
    /// Whether standard input and output are a terminal that can be drawn on.
    static bool isAvailable()
    {
        const char *kind = std::getenv("TERM");
        return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && kind && std::string_view(kind) != "dumb";
    }

    Terminal()
    {
        if (tcgetattr(STDIN_FILENO, &m_before) == 0) {
            termios raw = m_before;
            raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO); // Ctrl-C remains a signal.
            m_isRaw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
        }
        writeAll(kEnter);
    }

    ~Terminal()
    {
        writeAll(kLeave);
        if (m_isRaw)
            tcsetattr(STDIN_FILENO, TCSANOW, &m_before);
    }

    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    TerminalSize size() const
    {
        winsize size{};
        if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
            return {};
        return {std::min<std::size_t>(size.ws_col, kMaxColumns), std::min<std::size_t>(size.ws_row, kMaxColumns)};
    }

    /// False if the terminal is gone.
    bool draw(const std::vector<std::string> &lines)
    {
        std::string text = "\x1b[H";
        for (std::size_t i = 0; i < lines.size(); ++i)
            text += (i > 0 ? "\r\n" : "") + lines[i] + "\x1b[K";
        return writeAll(text + "\x1b[J");
    }

    enum class Wake { Timeout, Key, Quit };
    /// Waits for a key or for a byte on `interrupt`; "q" and the end of the input mean Quit.
    Wake wait(int interrupt, std::chrono::milliseconds timeout)
    {
        std::array<pollfd, 2> sources{{{STDIN_FILENO, POLLIN, 0}, {interrupt, POLLIN, 0}}};
        if (poll(sources.data(), sources.size(), static_cast<int>(timeout.count())) <= 0)
            return Wake::Timeout;
        if (sources[1].revents != 0)
            return Wake::Quit;
        char key = 0;
        if (::read(STDIN_FILENO, &key, 1) != 1 || key == 'q' || key == 'Q')
            return Wake::Quit;
        return Wake::Key;
    }

private:
    termios m_before{};
    bool m_isRaw = false;
};

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
    if (!options.json && !options.top.lines && Terminal::isAvailable())
        return drawScreens(run, interrupt);
    return printLines(run, interrupt, options.json);
}

} // namespace jetscope
