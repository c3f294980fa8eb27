// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/remote/commandlink.h"
#include "core/remote/reach/reachboard.h"
#include "core/result.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A file of this machine that a command on a board reads or writes.
struct CommandFile {
    std::string path;
    bool isSent = false;    ///< Before the command.
    bool isFetched = false; ///< Behind it.
};

/// What to run on a board: where an argument names a file, `files` has it at the argument's place.
struct CommandPlan {
    struct Argument {
        std::string text;
        int file = -1; ///< Index in `files`; then the text is not used.
    };
    std::vector<Argument> arguments;
    std::vector<CommandFile> files;
    std::optional<std::chrono::seconds> longestAlone; ///< It is ended when this side is away for longer; empty: hours.
};

/// A command of the program that runs on a board. A cut of the connection ends nothing: it is made again, and what was
/// missed comes then. One thread; nothing blocks but `start` and `fetchFiles`.
class BoardCommand {
public:
    /// How much of a file was sent or fetched; false cancels.
    using Progress = std::function<bool(const std::string &path, std::uint64_t bytes)>;
    struct Absence {
        std::chrono::milliseconds time{0};
        bool isOver = false;
        std::string trouble; ///< Why it is away.
    };
    /// The board is away, again and again, or has come back; false gives up.
    using AwayWatch = std::function<bool(const Absence &absence)>;

    /// `board` runs what CommandLink::arguments says, with this id. `boardName` is what figures of it name.
    static Result<std::unique_ptr<BoardCommand>> start(ReachedBoard board, const BoardAddress &address,
                                                       const std::string &id, CommandPlan plan,
                                                       const Progress &progress, AwayWatch away);

    std::array<pollfd, 3> sources() const { return m_link.sources(); }
    static constexpr std::chrono::milliseconds kLongestWait = CommandLink::kLongestWait;
    /// Takes what came; after each wait. `output` is called with what the command printed on standard output or error,
    /// in which files have the names of this machine.
    void work(const std::function<void(CommandOutput::Stream stream, std::string_view text)> &output);
    /// As Ctrl-C there, also if the board is away now.
    void interrupt();

    /// The command's exit code, or why there is none.
    const std::optional<Result<int>> &end() const { return m_end; }
    /// How the board's clock is to ours now; none before its first answer, and while it is away.
    std::optional<ClockOffset> clock() const { return m_link.clock(); }
    /// How long the board has been away; zero while it is not.
    std::chrono::milliseconds away() const { return m_link.away(); }
    /// After the end: brings the files that the command has written. Each is whole here or not at all. One that is not
    /// there is an error only if the command was good.
    Status fetchFiles(const Progress &progress);

private:
    BoardCommand(ReachedBoard board, const BoardAddress &address, const std::string &id, CommandPlan plan,
                 AwayWatch away);
    Status workLink();
    Status awaitConnection();
    void run();
    Result<std::optional<std::uint64_t>> awaitSize(const std::string &path, std::uint32_t connection);
    Result<bool> sendFile(const CommandFile &file, const std::string &there, const Progress &progress);
    Status fetchFile(const std::string &there, const std::string &path, const std::string &place,
                     const Progress &progress);
    std::string placeOf(std::size_t file) const;
    Result<std::optional<Message>> awaitMessage(std::uint32_t connection);
    void wait() const;
    std::string named(std::size_t stream, std::string_view text, bool isLast);

    const BoardAddress m_address;
    CommandPlan m_plan;
    const AwayWatch m_away;
    CommandLink m_link;
    std::uint32_t m_runsOver = 0; ///< The connection that the board was told over to run it.
    std::uint64_t m_taken = 0;    ///< Bytes that it printed.
    bool m_isInterrupted = false;
    std::optional<Result<int>> m_end;
    std::array<std::string, 2> m_held; ///< Ends of output that may be the beginning of a file's name.
};

} // namespace jetscope
