// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace jetscope {

/// A program that was started to find something out: its standard output is kept, standard input and standard error go
/// nowhere. Started by posix_spawn, so it is safe beside CUDA's threads. One thread at a time.
class ChildProcess {
public:
    /// `command` is the path of the program and its arguments.
    static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string> &command);
    /// Kills it if it still runs. One that is stuck in a driver and does not even die is left behind after 100 ms.
    ~ChildProcess();
    ChildProcess(const ChildProcess &) = delete;
    ChildProcess &operator=(const ChildProcess &) = delete;

    /// Takes in what it has said. Whether it has ended; never blocks.
    bool hasEnded();
    void kill();

    /// Once it has ended: its exit code, or none when a signal ended it.
    bool exited() const { return m_signal == 0; }
    int exitCode() const { return m_exitCode; }
    int signal() const { return m_signal; }
    const std::string &output() const { return m_output; } ///< The first 64 KiB.

private:
    ChildProcess(pid_t pid, int output) : m_pid(pid), m_pipe(output) {}
    void readOutput();

    pid_t m_pid;
    int m_pipe;
    bool m_ended = false;
    int m_exitCode = 0;
    int m_signal = 0;
    std::string m_output;
};

} // namespace jetscope
