// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace jetscope {

/// A child process whose standard output is captured; its standard input and standard error are /dev/null. Started by
/// posix_spawn, so it is safe beside CUDA's threads. One thread at a time.
class ChildProcess {
public:
    /// `command` is the path of the program and its arguments. A `descriptor` is number 3 in the child.
    static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string> &command, int descriptor = -1);
    /// Kills the process if it still runs. A process that is stuck in a driver and does not die is abandoned after 100
    /// ms.
    ~ChildProcess();
    ChildProcess(const ChildProcess &) = delete;
    ChildProcess &operator=(const ChildProcess &) = delete;

    /// Reads pending output and returns whether the process has ended; never blocks.
    bool hasEnded();
    void kill();

    /// After the end: whether it exited, and its exit code; false if a signal ended it.
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

/// Call first in a child: it ends, whatever it does then, as soon as its parent is gone. Not by PR_SET_PDEATHSIG, which
/// fires when the thread ends that started the child.
void endWithParent();

/// In a child: what it reports to its parent. From here on only the report goes to standard output, not what libraries
/// print; a crash, which is an expected result, makes no core dump; and the child ends after so many seconds, in case
/// the parent is gone and cannot kill it.
class ChildReport {
public:
    explicit ChildReport(unsigned mostSeconds);

    bool canWrite() const { return m_output >= 0; }
    bool write(std::string_view text) const;

private:
    int m_output; ///< -1: there is none.
};

} // namespace jetscope
