// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/remote/messagepipe.h"
#include "core/remote/reach/reachboard.h"
#include "core/result.h"

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
};

/// A command of the program that runs on a board, over a connection of its own. One thread; nothing blocks but `start`,
/// `sendFiles` and `fetchFiles`.
class BoardCommand {
public:
    /// How much of a file was sent or fetched; false cancels.
    using Progress = std::function<bool(const std::string &path, std::uint64_t bytes)>;

    /// Of a board that runs `serveCommands`. `boardName` is what figures of it name.
    static Result<std::unique_ptr<BoardCommand>> start(ReachedBoard board, const BoardAddress &address,
                                                       CommandPlan plan, const Progress &progress);

    std::array<pollfd, 2> sources() const { return m_pipe.sources(); }
    /// Takes what came; after each wait. `output` is called with what the command printed on standard output or error,
    /// in which files have the names of this machine.
    void work(const std::function<void(CommandOutput::Stream stream, std::string_view text)> &output);
    /// As Ctrl-C there.
    void interrupt();

    /// The command's exit code, or why there is none.
    const std::optional<Result<int>> &end() const { return m_end; }
    /// After the end: brings the files that the command has written. Each is whole here or not at all. One that is not
    /// there is an error only if the command was good.
    Status fetchFiles(const Progress &progress);

private:
    BoardCommand(ReachedBoard board, const BoardAddress &address, CommandPlan plan);
    Status awaitHello();
    Status sendFile(const CommandFile &file, const std::string &there, const Progress &progress);
    Status fetchFile(const std::string &there, const std::string &path, const std::string &place,
                     const Progress &progress);
    std::string placeOf(std::size_t file) const;
    Result<Message> awaitMessage();
    void wait() const;
    Error lost();
    std::string named(std::size_t stream, std::string_view text, bool isLast);

    const BoardAddress m_address;
    ReachedBoard m_board;
    CommandPlan m_plan;
    MessagePipe m_pipe;
    std::string m_folder; ///< For files on the board.
    std::optional<Result<int>> m_end;
    std::array<std::string, 2> m_held; ///< Ends of output that may be the beginning of a file's name.
};

} // namespace jetscope
