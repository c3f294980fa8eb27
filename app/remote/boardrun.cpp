// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/boardrun.h"

#include "app/commandline/commandline.h"
#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/optiontable.h"
#include "app/commandline/progressline.h"
#include "app/remote/boardcommand.h"
#include "app/remote/boardfetch.h"
#include "app/remote/boardtop.h"
#include "app/remote/commandserver.h"
#include "core/progress.h"
#include "core/remote/reach/reachboard.h"
#include "core/time/clock.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <poll.h>
#include <random>
#include <unistd.h>

namespace jetscope {

namespace {

bool isThere(const std::string &path)
{
    std::error_code unknown;
    return std::filesystem::exists(path, unknown);
}

/// The files of this machine are known before the board does anything.
Result<CommandPlan> planOf(const std::vector<GivenWord> &words)
{
    const bool resumes =
        std::any_of(words.begin(), words.end(), [](const GivenWord &word) { return word.text == "--resume"; });
    CommandPlan plan;
    for (const GivenWord &word : words) {
        if (!word.file) {
            plan.arguments.push_back({word.text, -1});
            continue;
        }
        const bool isWritten = word.file->file == FileUse::Written;
        if (isWritten && !resumes && isThere(word.text))
            return sentence(word.text + " exists already: give another name, or remove it");
        if ((!isWritten || resumes) && !isThere(word.text))
            return sentence("there is no file " + word.text);
        plan.arguments.push_back({"", static_cast<int>(plan.files.size())});
        plan.files.push_back({word.text, !isWritten || resumes, isWritten});
    }
    return plan;
}

/// Standard output and error, byte for byte.
bool writeTo(CommandOutput::Stream stream, std::string_view text)
{
    const int descriptor = stream == CommandOutput::Stream::Output ? STDOUT_FILENO : STDERR_FILENO;
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

/// Files on their way, in a line.
class FileProgress {
public:
    /// Ctrl-C cancels, unless there is no `interrupt`.
    FileProgress(const char *verb, const Interrupt *interrupt) : m_verb(verb), m_interrupt(interrupt) {}

    BoardCommand::Progress asFunction()
    {
        return [this](const std::string &path, std::uint64_t bytes) {
            char size[32];
            std::snprintf(size, sizeof size, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
            m_line.show(0, std::string(m_verb) + " " + path + ": " + size, nowNs());
            return !m_interrupt || !m_interrupt->requested();
        };
    }

private:
    const char *m_verb;
    const Interrupt *m_interrupt;
    ProgressLine m_line;
};

/// Says that a board is away, and for how long it was. Ctrl-C gives up, since the board cannot be told.
class AwayLine {
public:
    AwayLine(std::string board, const Interrupt &interrupt) : m_board(std::move(board)), m_interrupt(interrupt) {}

    bool show(const BoardCommand::Absence &absence)
    {
        const std::string seconds = std::to_string((absence.time.count() + 500) / 1000) + " s";
        if (absence.isOver) {
            m_line.clear();
            m_isSaid = false;
            complain(m_board + " was away for " + seconds + "; its command went on");
            return true;
        }
        if (!std::exchange(m_isSaid, true))
            complain(m_board + " is away, its command goes on: " + absence.trouble);
        m_line.show(0, m_board + " has been away for " + seconds, nowNs());
        if (!m_interrupt.requested())
            return true;
        m_line.clear();
        complain(m_board + " cannot be told to end its command: that goes on for at most "
                 + std::to_string(std::chrono::duration_cast<std::chrono::minutes>(kLongestCommandAlone).count())
                 + " minutes, and what it measures is lost");
        return false;
    }

private:
    const std::string m_board;
    const Interrupt &m_interrupt;
    ProgressLine m_line;
    bool m_isSaid = false;
};

/// Names a command of this machine for its board.
std::string newCommandId()
{
    std::random_device random;
    std::string id;
    for (int i = 0; i < 16; ++i)
        id += "0123456789abcdef"[random() % 16];
    return id;
}

int failed(const Error &error)
{
    return wasCancelled(error) ? static_cast<int>(Failed) : complain(error, Failed);
}

/// Passes what the command prints until it ends. The first Ctrl-C goes to it.
int follow(BoardCommand &command, const Interrupt &interrupt)
{
    bool isInterrupted = false;
    bool isOutputGone = false;
    for (;;) {
        command.work([&](CommandOutput::Stream stream, std::string_view text) {
            isOutputGone = !writeTo(stream, text) || isOutputGone;
        });
        if (command.end())
            break;
        if ((interrupt.requested() || isOutputGone) && !std::exchange(isInterrupted, true))
            command.interrupt();
        const std::array<pollfd, 3> link = command.sources();
        std::array<pollfd, 4> sources{
            {link[0], link[1], link[2], {isInterrupted ? -1 : interrupt.descriptor(), POLLIN, 0}}};
        poll(sources.data(), sources.size(), static_cast<int>(BoardCommand::kLongestWait.count()));
    }
    const Result<int> &end = *command.end();
    const int code = end.ok() ? end.value() : failed(end.error());
    // The first Ctrl-C ended the command with its files; the second one ends this.
    FileProgress progress("fetching", nullptr);
    const Status fetched = end.ok() ? command.fetchFiles(progress.asFunction()) : Status();
    return fetched.ok() ? code : failed(fetched.error());
}

} // namespace

Result<std::unique_ptr<BoardCommand>> startOnBoard(const BoardAddress &board, CommandPlan plan,
                                                   const Interrupt &interrupt, BoardCommand::AwayWatch away)
{
    const std::string id = newCommandId();
    ReachWish wish;
    wish.arguments = CommandLink::arguments(id);
    if (plan.longestAlone)
        wish.arguments.insert(wish.arguments.end(), {"--alone", std::to_string(plan.longestAlone->count())});
    wish.cancel = interrupt.descriptor();
    std::string remark;
    std::optional<ReachedBoard> reached;
    {
        ProgressLine line;
        wish.progress = [&](ReachStep step, double fraction) {
            if (step == ReachStep::Copying)
                line.show(fraction, "copying jetscope to " + board.name(), nowNs());
        };
        JETSCOPE_TRY_ASSIGN(ReachedBoard there, reachBoard(board, wish));
        reached = std::move(there);
    }
    if (!reached->remark.empty())
        complain(reached->remark);
    FileProgress progress("sending", &interrupt);
    return BoardCommand::start(std::move(*reached), board, id, std::move(plan), progress.asFunction(), std::move(away));
}

int runOnBoards(const Options &options, std::span<const std::string_view> words)
{
    if (options.command == Command::Captures && options.captures.fetch)
        return fetchFromBoard(options);
    const Result<std::vector<GivenWord>> forBoard = wordsForBoard(words);
    if (!forBoard.ok())
        return complain(forBoard.error(), WrongUsage);
    const Result<CommandPlan> plan = planOf(forBoard.value());
    if (!plan.ok())
        return complain(plan.error(), WrongUsage);
    // As long as a command may take to end after Ctrl-C, and its files to come.
    const Interrupt interrupt(std::chrono::minutes(5));
    if (options.command == Command::Top)
        return topOnBoards(options.hosts, plan.value(), interrupt);
    AwayLine line(options.hosts.front().name(), interrupt);
    Result<std::unique_ptr<BoardCommand>> command =
        startOnBoard(options.hosts.front(), plan.value(), interrupt,
                     [&line](const BoardCommand::Absence &absence) { return line.show(absence); });
    if (!command.ok())
        return failed(command.error());
    return follow(*command.value(), interrupt);
}

} // namespace jetscope
