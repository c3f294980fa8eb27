// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace jetscope {

/// How a program ended.
struct ProgramEnd {
    int exitCode = 0; ///< 128 plus the signal if a signal ended it, as a shell reports it.
    int signal = 0;   ///< 0: it exited.
};

/// A program that is inspected: a child with this process's standard files, in the environment that Jetscope itself was
/// started in. While it runs, signals that end programs go to it: those of the terminal reach it anyway, others are
/// passed on. If Jetscope is killed, the program goes on. One at a time; not thread-safe.
class AttachedProgram {
public:
    /// `library` is preloaded and finds the shared memory at `memory`. `command` are the words of its command line,
    /// `variables` ("NAME=value") come into its environment.
    static Result<std::unique_ptr<AttachedProgram>> start(const std::string &file,
                                                          const std::vector<std::string> &command,
                                                          const std::string &library, const std::string &memory,
                                                          const std::vector<std::string> &variables);
    ~AttachedProgram();
    AttachedProgram(const AttachedProgram &) = delete;
    AttachedProgram &operator=(const AttachedProgram &) = delete;

    /// How it ended; empty while it runs. Never blocks.
    std::optional<ProgramEnd> ended();
    pid_t pid() const { return m_pid; }

private:
    explicit AttachedProgram(pid_t pid) : m_pid(pid) {}

    pid_t m_pid;
    std::optional<ProgramEnd> m_end;
};

} // namespace jetscope
