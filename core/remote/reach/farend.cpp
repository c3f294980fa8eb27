// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/reach/farend.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace jetscope {

namespace {

constexpr std::size_t kHeadOfSaid = 4096;
constexpr std::size_t kMostSaid = 16 * 1024;
constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kLastWords{200};

/// A pipe whose ends are closed at the end unless they were taken. No program inherits them.
struct Pipe {
    std::array<int, 2> ends{-1, -1};

    ~Pipe()
    {
        for (const int end : ends)
            if (end >= 0)
                close(end);
    }
    bool open() { return pipe2(ends.data(), O_CLOEXEC) == 0; }
    int take(std::size_t end)
    {
        const int taken = ends[end];
        ends[end] = -1;
        return taken;
    }
};

std::vector<char *> pointersTo(const std::vector<std::string> &words)
{
    std::vector<char *> pointers;
    for (const std::string &word : words)
        pointers.push_back(const_cast<char *>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environmentWith(const std::vector<std::string> &more)
{
    std::vector<std::string> all = more;
    for (char **entry = environ; entry && *entry; ++entry) {
        const std::string_view name = std::string_view(*entry).substr(0, std::string_view(*entry).find('='));
        const bool isReplaced = std::any_of(more.begin(), more.end(), [name](const std::string &other) {
            return other.size() > name.size() && other[name.size()] == '=' && other.starts_with(name);
        });
        if (!isReplaced)
            all.emplace_back(*entry);
    }
    return all;
}

/// In the child, where nothing but system calls is allowed. Returns only if the program cannot be started.
void becomeProgram(const std::array<int, 3> &files, char *const *command, char *const *environment, FarEnd::Use use,
                   pid_t parent)
{
    for (int i = 0; i < 3; ++i)
        if (dup2(files[static_cast<std::size_t>(i)], i) < 0)
            return;
    std::signal(SIGPIPE, SIG_DFL);
    for (const int number : {SIGINT, SIGHUP, SIGTERM})
        std::signal(number, use == FarEnd::Use::Connection && number != SIGTERM ? SIG_IGN : SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    // After the handlers of the parent are gone: one of them would take the signal, and the program would never end.
    if (use == FarEnd::Use::Command) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent) // It was killed before this.
            _exit(127);
    }
    execvpe(command[0], command, environment);
}

} // namespace

Result<std::unique_ptr<FarEnd>> FarEnd::start(const std::vector<std::string> &command,
                                              const std::vector<std::string> &environment, Use use)
{
    if (command.empty())
        return sentence("there is no program to start");
    Pipe input;
    Pipe output;
    Pipe error;
    Pipe started; // Closed by the start of the program; else it carries the reason.
    if (!input.open() || !output.open() || !error.open() || !started.open())
        return Error{"pipe2", errno, std::strerror(errno)};
    const std::vector<std::string> variables = environmentWith(environment);
    const std::vector<char *> arguments = pointersTo(command);
    const std::vector<char *> variablePointers = pointersTo(variables);
    // Not posix_spawn, which cannot ignore signals in the child.
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0)
        return Error{"fork", errno, std::strerror(errno)};
    if (pid == 0) {
        becomeProgram({input.ends[0], output.ends[1], error.ends[1]}, arguments.data(), variablePointers.data(), use,
                      parent);
        const int reason = errno;
        [[maybe_unused]] const ssize_t written = write(started.ends[1], &reason, sizeof reason);
        _exit(127);
    }
    close(started.take(1));
    int reason = 0;
    ssize_t count = 0;
    do {
        count = read(started.ends[0], &reason, sizeof reason);
    } while (count < 0 && errno == EINTR);
    if (count > 0) {
        waitpid(pid, nullptr, 0);
        return Error{"execvpe", reason, "\"" + command.front() + "\" cannot be started: " + std::strerror(reason)};
    }
    fcntl(input.ends[1], F_SETFL, O_NONBLOCK);
    fcntl(output.ends[0], F_SETFL, O_NONBLOCK);
    fcntl(error.ends[0], F_SETFL, O_NONBLOCK);
    return std::unique_ptr<FarEnd>(new FarEnd(pid, input.take(1), output.take(0), error.take(0), use));
}

FarEnd::FarEnd(pid_t pid, int input, int output, int error, Use use)
    : m_pid(pid), m_input(input), m_output(output), m_error(error)
{
    if (use == Use::Connection)
        listen();
}

void FarEnd::listen()
{
    std::array<int, 2> stop{};
    if (pipe2(stop.data(), O_CLOEXEC) != 0)
        stop = {-1, -1};
    m_stop = stop[1];
    m_listener = std::thread([this, error = std::exchange(m_error, -1), stop = stop[0]] {
        std::array<pollfd, 2> sources{{{error, POLLIN, 0}, {stop, POLLIN, 0}}};
        std::array<char, 4096> bytes{};
        for (;;) {
            if (poll(sources.data(), sources.size(), -1) < 0) {
                if (errno == EINTR)
                    continue;
                break;
            }
            const ssize_t count = sources[0].revents != 0 ? read(error, bytes.data(), bytes.size()) : 0;
            if (count < 0 && errno == EAGAIN)
                continue;
            if (count <= 0)
                break;
            const std::lock_guard lock(m_mutex);
            m_said.append(bytes.data(), static_cast<std::size_t>(count));
            if (m_said.size() > kMostSaid)
                m_said.erase(kHeadOfSaid, m_said.size() - kMostSaid);
        }
        m_silent = true;
        close(error);
        if (stop >= 0)
            close(stop);
    });
}

FarEnd::~FarEnd()
{
    closeInput();
    close(m_output);
    // ssh ends when its input has ended and the far program has; what is stuck is not waited for.
    if (!waitForEnd(kPatience)) {
        kill(m_pid, SIGTERM);
        if (!waitForEnd(kPatience)) {
            kill(m_pid, SIGKILL);
            waitForEnd(kPatience);
        }
    }
    if (m_stop >= 0)
        close(m_stop); // A program that was left behind may hold standard error open.
    if (m_listener.joinable())
        m_listener.join();
    if (m_error >= 0)
        close(m_error);
}

void FarEnd::closeInput()
{
    if (m_input >= 0)
        close(m_input);
    m_input = -1;
}

void FarEnd::signal(int number)
{
    if (!exitCode())
        kill(m_pid, number);
}

std::string FarEnd::said() const
{
    const std::lock_guard lock(m_mutex);
    return m_said;
}

std::optional<int> FarEnd::exitCode()
{
    if (m_exitCode)
        return m_exitCode;
    int status = 0;
    const pid_t reaped = waitpid(m_pid, &status, WNOHANG);
    if (reaped == m_pid)
        m_exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    else if (reaped < 0 && errno == ECHILD)
        m_exitCode = 0; // The system reaps children by itself.
    return m_exitCode;
}

std::optional<int> FarEnd::waitForEnd(std::chrono::milliseconds timeout)
{
    const auto last = std::chrono::steady_clock::now() + timeout;
    const auto sleepWhile = [](const auto &condition, std::chrono::steady_clock::time_point end) {
        while (condition() && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
    };
    sleepWhile([this] { return !exitCode(); }, last);
    // A connection that ssh shares with later ones holds standard error open, so its end may never come.
    if (m_exitCode && m_listener.joinable())
        sleepWhile([this] { return !m_silent; }, std::chrono::steady_clock::now() + kLastWords);
    return m_exitCode;
}

} // namespace jetscope
