// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/childprocess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace jetscope {

namespace {

constexpr std::size_t kMaxOutput = 64 * 1024;
constexpr int kFirstOwnDescriptor = 3;

/// Sends standard output to the pipe, and standard input and standard error to /dev/null. Unblocks all signals, because
/// the child inherits this thread's mask.
class SpawnSettings {
public:
    SpawnSettings(int output, int descriptor)
    {
        posix_spawn_file_actions_init(&m_files);
        posix_spawn_file_actions_addopen(&m_files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&m_files, output, STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&m_files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (descriptor >= 0)
            posix_spawn_file_actions_adddup2(&m_files, descriptor, kFirstOwnDescriptor);
        posix_spawnattr_init(&m_attributes);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&m_attributes, &none);
        posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETSIGMASK);
    }
    ~SpawnSettings()
    {
        posix_spawn_file_actions_destroy(&m_files);
        posix_spawnattr_destroy(&m_attributes);
    }
    SpawnSettings(const SpawnSettings &) = delete;
    SpawnSettings &operator=(const SpawnSettings &) = delete;

    int spawn(pid_t &pid, const std::vector<std::string> &command) const
    {
        std::vector<char *> arguments;
        for (const std::string &word : command)
            arguments.push_back(const_cast<char *>(word.c_str()));
        arguments.push_back(nullptr);
        return posix_spawn(&pid, command.front().c_str(), &m_files, &m_attributes, arguments.data(), environ);
    }

private:
    posix_spawn_file_actions_t m_files;
    posix_spawnattr_t m_attributes;
};

} // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string> &command, int descriptor)
{
    if (command.empty())
        return sentence("there is no program to start");
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return Error{"pipe2", errno, std::strerror(errno)};
    // Only this end: the program needs an ordinary output.
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pid_t pid = 0;
    const int code = SpawnSettings(ends[1], descriptor).spawn(pid, command);
    close(ends[1]);
    if (code != 0) {
        close(ends[0]);
        return Error{"posix_spawn", code, "\"" + command.front() + "\" cannot be started: " + std::strerror(code)};
    }
    return std::unique_ptr<ChildProcess>(new ChildProcess(pid, ends[0]));
}

ChildProcess::~ChildProcess()
{
    kill();
    for (int i = 0; i < 100 && !hasEnded(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    close(m_pipe);
}

bool ChildProcess::hasEnded()
{
    if (m_ended)
        return true;
    readOutput();
    int status = 0;
    const pid_t reaped = waitpid(m_pid, &status, WNOHANG);
    if (reaped == 0 || (reaped < 0 && errno == EINTR))
        return false;
    m_ended = true;
    // If the system reaps children automatically, no status is available; only the output counts.
    if (reaped == m_pid) {
        m_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        m_exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    }
    readOutput();
    return true;
}

void ChildProcess::kill()
{
    if (!m_ended)
        ::kill(m_pid, SIGKILL);
}

void endWithParent()
{
    // Nothing but the parent has the other end of this pipe.
    const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstOwnDescriptor + 1);
    if (output < 0)
        return;
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); // Signals are for the threads of the library.
    try {
        std::thread([output] {
            pollfd parent{output, 0, 0};
            while (poll(&parent, 1, -1) < 0 && errno == EINTR) {}
            ::kill(getpid(), SIGKILL);
        }).detach();
    } catch (const std::system_error &) { // No thread: only the time limit of the child is left.
        close(output);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ChildReport::ChildReport(unsigned mostSeconds)
{
    alarm(mostSeconds);
    const rlimit noCore{1, 1}; // A limit of 1 also disables core dump handlers (core(5)).
    setrlimit(RLIMIT_CORE, &noCore);
    m_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstOwnDescriptor);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        m_output = -1; // Libraries would write into the report.
    if (nowhere >= 0)
        close(nowhere);
}

bool ChildReport::write(std::string_view text) const
{
    return ::write(m_output, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

void ChildProcess::readOutput()
{
    std::array<char, 4096> bytes;
    // Limits the loop for a child that never stops writing.
    for (int i = 0; i < 64; ++i) {
        const ssize_t count = read(m_pipe, bytes.data(), bytes.size());
        if (count <= 0)
            return;
        const std::size_t room = kMaxOutput - m_output.size();
        m_output.append(bytes.data(), std::min(room, static_cast<std::size_t>(count)));
    }
}

} // namespace jetscope
