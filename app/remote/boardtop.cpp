// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/boardtop.h"

#include "app/commandline/console.h"
#include "app/commandline/terminal.h"
#include "core/progress.h"
#include "core/text/jsontext.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <cstdlib>
#include <poll.h>

namespace jetscope {

namespace {

constexpr std::string_view kEndOfColour = "\x1b[0m";
constexpr std::string_view kBetween = " │ ";
constexpr std::size_t kBetweenWidth = 3;
constexpr std::size_t kMostText = 1 << 20; ///< Of a screen or line that does not end.

/// Length of a colour at the start of the text, "\x1b[1;31m"; 0 if there is none. No other sequence of a board gets
/// through to the terminal.
std::size_t colourLength(std::string_view text)
{
    if (!text.starts_with("\x1b["))
        return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// Exactly `width` columns, with its colours.
std::string columnOf(std::string_view text, std::size_t width)
{
    std::string column;
    std::size_t columns = 0;
    while (!text.empty() && columns < width) {
        std::size_t length = colourLength(text);
        if (length == 0) {
            length = std::max<std::size_t>(1, characterLength(text));
            ++columns;
            column += isControl(text.substr(0, length)) || characterLength(text) == 0 ? " " : text.substr(0, length);
        } else {
            column += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    column += kEndOfColour;
    for (; columns < width; ++columns)
        column += ' ';
    return column;
}

struct ShownBoard {
    std::string name;
    std::unique_ptr<BoardCommand> command;
    std::string text;                ///< What came of the next screen or line.
    std::vector<std::string> screen; ///< The last whole one.
    bool hasEnded = false;
};

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string secondsText(std::chrono::milliseconds time)
{
    return std::to_string((time.count() + 500) / 1000) + " s";
}

/// Behind the name of a board.
std::string stateOf(const ShownBoard &board)
{
    if (board.hasEnded)
        return " (ended)";
    const std::chrono::milliseconds away = board.command->away();
    return away.count() > 0 ? " (away for " + secondsText(away) + ")" : "";
}

class BoardsTop {
public:
    BoardsTop(const Interrupt &interrupt, bool drawsScreens) : m_interrupt(interrupt), m_drawsScreens(drawsScreens) {}

    Status add(const BoardAddress &board, CommandPlan plan)
    {
        const auto watch = [this, name = board.name()](const BoardCommand::Absence &absence) {
            if (absence.isOver)
                m_complaints.push_back(name + " was away for " + secondsText(absence.time)
                                       + "; its readings of that time "
                                         "came late");
            return !m_interrupt.requested() && !m_quits; // It cannot be told.
        };
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<BoardCommand> command,
                            startOnBoard(board, std::move(plan), m_interrupt, watch));
        m_boards.push_back({board.name(), std::move(command), {}, {}, false});
        return {};
    }

    int run()
    {
        std::optional<Terminal> terminal;
        if (m_drawsScreens)
            terminal.emplace();
        while (takeAll()) {
            if (terminal && !draw())
                break;
            if (wait() && !std::exchange(m_quits, true))
                for (const ShownBoard &board : m_boards)
                    board.command->interrupt();
        }
        terminal.reset();
        for (const std::string &line : m_complaints)
            complain(line);
        return m_code;
    }

private:
    /// Whether a board is still read.
    bool takeAll()
    {
        bool isAnyOpen = false;
        for (ShownBoard &board : m_boards) {
            if (board.hasEnded)
                continue;
            board.command->work([&](CommandOutput::Stream stream, std::string_view text) {
                if (stream == CommandOutput::Stream::Output)
                    take(board, text);
                else
                    m_complaints.push_back(board.name + ": " + std::string(text));
            });
            board.hasEnded = board.command->end().has_value();
            isAnyOpen = isAnyOpen || !board.hasEnded;
            if (board.hasEnded)
                takeEnd(board);
        }
        return isAnyOpen;
    }

    void takeEnd(const ShownBoard &board)
    {
        const Result<int> &end = *board.command->end();
        if (!end.ok() && !wasCancelled(end.error()))
            m_complaints.push_back(end.error().message());
        m_code = std::max(m_code, end.ok() ? end.value() : static_cast<int>(Failed));
    }

    void take(ShownBoard &board, std::string_view text)
    {
        board.text += text;
        const char last = m_drawsScreens ? '\f' : '\n';
        for (std::size_t end = board.text.find(last); end != std::string::npos; end = board.text.find(last)) {
            if (m_drawsScreens)
                board.screen = linesOf(std::string_view(board.text).substr(0, end));
            else if (!print(lineOfBoard(board.name, board.text.substr(0, end)) + "\n").ok())
                m_isOutputGone = true;
            board.text.erase(0, end + 1);
        }
        if (board.text.size() > kMostText)
            board.text.clear();
    }

    bool draw()
    {
        std::vector<std::vector<std::string>> screens;
        for (const ShownBoard &board : m_boards) {
            screens.push_back({"\x1b[1m" + board.name + stateOf(board)});
            screens.back().insert(screens.back().end(), board.screen.begin(), board.screen.end());
        }
        return Terminal::draw(sideBySide(screens, Terminal::size().columns));
    }

    /// Whether the user wants to end.
    bool wait() const
    {
        std::vector<pollfd> sources{{m_quits ? -1 : m_interrupt.descriptor(), POLLIN, 0},
                                    {m_drawsScreens && !m_quits ? 0 : -1, POLLIN, 0}};
        for (const ShownBoard &board : m_boards)
            if (!board.hasEnded)
                for (const pollfd &source : board.command->sources())
                    sources.push_back(source);
        poll(sources.data(), sources.size(), 1000);
        const bool hasKey =
            sources[1].revents != 0 && Terminal::wait(-1, std::chrono::milliseconds(0)) == Terminal::Wake::Quit;
        return sources[0].revents != 0 || hasKey || m_isOutputGone;
    }

    const Interrupt &m_interrupt;
    const bool m_drawsScreens;
    std::vector<ShownBoard> m_boards;
    std::vector<std::string> m_complaints; ///< Said when the screen is gone.
    bool m_isOutputGone = false;
    bool m_quits = false; ///< The boards were told to end.
    int m_code = Good;
};

bool gives(const CommandPlan &plan, std::string_view word)
{
    return std::any_of(plan.arguments.begin(), plan.arguments.end(),
                       [word](const CommandPlan::Argument &argument) { return argument.text == word; });
}

} // namespace

std::vector<std::string> sideBySide(const std::vector<std::vector<std::string>> &screens, std::size_t width)
{
    std::size_t rows = 0;
    for (const std::vector<std::string> &screen : screens)
        rows = std::max(rows, screen.size());
    std::vector<std::string> lines(rows);
    if (screens.empty() || width < screens.size() * (kBetweenWidth + 1))
        return lines;
    const std::size_t each = (width - (screens.size() - 1) * kBetweenWidth) / screens.size();
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < screens.size(); ++i)
            lines[row] += std::string(i > 0 ? kBetween : "")
                + columnOf(row < screens[i].size() ? std::string_view(screens[i][row]) : std::string_view(), each);
    return lines;
}

std::string lineOfBoard(const std::string &board, const std::string &line)
{
    if (!line.starts_with('{'))
        return board + ": " + line;
    std::string json = "{\"board\":";
    appendJsonText(json, board);
    return json + (line.starts_with("{}") ? "" : ",") + line.substr(1);
}

int topOnBoards(const std::vector<BoardAddress> &boards, const CommandPlan &plan, const Interrupt &interrupt)
{
    CommandPlan each = plan;
    const bool drawsScreens = !gives(plan, "--json") && !gives(plan, "--lines") && Terminal::isAvailable();
    if (drawsScreens) {
        const TerminalSize size = Terminal::size();
        const std::size_t columns = (size.columns - (boards.size() - 1) * kBetweenWidth) / boards.size();
        each.arguments.push_back({"--screen=" + std::to_string(std::clamp<std::size_t>(columns, 1, 1000)) + "x"
                                      + std::to_string(std::max<std::size_t>(size.rows, 2) - 1),
                                  -1});
    }
    BoardsTop top(interrupt, drawsScreens);
    for (const BoardAddress &board : boards)
        if (const Status added = top.add(board, each); !added.ok())
            return wasCancelled(added.error()) ? static_cast<int>(Failed) : complain(added.error(), Failed);
    return top.run();
}

} // namespace jetscope
