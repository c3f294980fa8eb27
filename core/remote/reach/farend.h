// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace jetscope {

/// A started program that carries a connection to a board, such as ssh: its standard input and output are file
/// descriptors here, what it writes on standard error is kept. It stays in the terminal's process group, so that ssh
/// can ask for a password, but Ctrl-C and the end of the terminal do not end it: whoever uses it closes the connection.
/// One thread at a time, but `said` from any.
class FarEnd {
public:
    enum class Use {
        /// What it writes on standard error is kept. It stays in the terminal's process group, so that ssh can ask for
        /// a
        /// password, but Ctrl-C and the end of the terminal do not end it: whoever uses it closes the connection.
        Connection,
        /// Standard error is a descriptor, too, and signals are as usual. It does not outlive the thread that started
        /// it, however that ends.
        Command
    };
    /// `command` is a program, looked up in PATH, with its arguments; `environment` has NAME=VALUE beside this
    /// process's.
    static Result<std::unique_ptr<FarEnd>> start(const std::vector<std::string> &command,
                                                 const std::vector<std::string> &environment = {},
                                                 Use use = Use::Connection);
    /// Closes both descriptors. A program that does not end then is asked to, and killed.
    ~FarEnd();
    FarEnd(const FarEnd &) = delete;
    FarEnd &operator=(const FarEnd &) = delete;

    /// Where to write, and where to read. Neither blocks. A write to a program that has ended raises SIGPIPE unless it
    /// is ignored.
    int input() const { return m_input; }
    int output() const { return m_output; }
    /// Of a Command; does not block.
    int error() const { return m_error; }
    /// The program reads the end of its input. `input` is -1 then.
    void closeInput();

    void signal(int number);

    /// What a Connection wrote on standard error: the beginning and the end of long text.
    std::string said() const;
    /// The exit code, 128 + N if signal N ended it; none while it runs.
    std::optional<int> exitCode();
    /// Waits for the end so long, and then for its last words.
    std::optional<int> waitForEnd(std::chrono::milliseconds timeout);

private:
    FarEnd(pid_t pid, int input, int output, int error, Use use);
    void listen();

    pid_t m_pid;
    int m_input;
    int m_output;
    int m_error; ///< The listener's, of a Connection.
    std::optional<int> m_exitCode;
    mutable std::mutex m_mutex;
    std::string m_said; ///< Under the mutex.
    std::atomic<bool> m_silent{false};
    int m_stop = -1; ///< Closed to end the thread.
    std::thread m_listener;
};

} // namespace jetscope
