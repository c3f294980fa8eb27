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

/// How a program is started to be inspected.
struct ProgramStart {
    std::string file;                 ///< From findProgram.
    std::vector<std::string> command; ///< The words of its command line.
    std::string library;              ///< Is preloaded.
    std::string memory;               ///< Where the library finds the shared memory.
    /// "NAME=value", in place of those that Jetscope itself was started with.
    std::vector<std::string> environment{};
    std::string folder{}; ///< Its working folder; empty: that of Jetscope.
    /// False: it has this process's standard files, and signals that end programs go to it while it runs: those of the
    /// terminal reach it anyway, others are passed on. Afterwards they are what endAsked() says. One such program at a
    /// time.
    /// True: it is the first of a process group of its own, has no input, and its output is read from `output`.
    bool apart = false;
    /// Of a program that is not apart: its standard output is a terminal, so that its lines come at once also where
    /// they are printed by a library, and is read from `output`.
    bool readsOutput = false;
};

/// A program that is inspected: a child in the environment that Jetscope itself was started in. If Jetscope is killed,
/// the program goes on. Not thread-safe.
class AttachedProgram {
public:
    static Result<std::unique_ptr<AttachedProgram>> start(const ProgramStart &wanted);
    ~AttachedProgram();
    AttachedProgram(const AttachedProgram &) = delete;
    AttachedProgram &operator=(const AttachedProgram &) = delete;

    /// How it ended; empty while it runs. Never blocks.
    std::optional<ProgramEnd> ended();
    pid_t pid() const { return m_pid; }
    /// Whether this process got a signal that ends programs after the program had ended; never of one that is apart.
    bool endAsked() const;
    /// Sends a signal to the process group of a program that is apart.
    void signal(int number) const;
    /// Standard output and standard error of a program that is apart, or the standard output that is to be read: a file
    /// that does not block; else -1.
    int output() const { return m_output; }

private:
    AttachedProgram(pid_t pid, bool apart, int output) : m_pid(pid), m_apart(apart), m_output(output) {}

    pid_t m_pid;
    bool m_apart;
    int m_output;
    std::optional<ProgramEnd> m_end;
};

} // namespace jetscope
