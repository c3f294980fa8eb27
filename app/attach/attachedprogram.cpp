// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/attachedprogram.h"

#include "app/textlayout.h"
#include "core/attach/attachformat.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace jetscope {

namespace {

// A signal handler can only use globals.
std::atomic<pid_t> g_program{0};
static_assert(std::atomic<pid_t>::is_always_lock_free, "used in a signal handler");

constexpr std::array kPassedOn = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT};
std::array<struct sigaction, kPassedOn.size()> g_usual{};

/// The terminal sends its signals to the program, too, which is in the same process group.
void passOn(int signal, siginfo_t *info, void *)
{
    const int savedErrno = errno;
    const pid_t program = g_program.load();
    if (program > 0 && info->si_code != SI_KERNEL)
        kill(program, signal);
    errno = savedErrno;
}

/// The environment in which Jetscope was started: it has changed its own since.
std::vector<std::string> startingEnvironment()
{
    std::ifstream file("/proc/self/environ", std::ios::binary);
    const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<std::string> entries;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = std::min(all.find('\0', at), all.size());
        entries.push_back(all.substr(at, end - at));
        at = end + 1;
    }
    return entries;
}

/// What is preloaded already stays preloaded, but not this library of an outer session.
std::string withOwnLibrary(std::string_view preloaded, const std::string &library)
{
    std::string list = library;
    for (std::size_t at = 0; at < preloaded.size();) {
        const std::size_t end = std::min(preloaded.find_first_of(": ", at), preloaded.size());
        const std::string_view word = preloaded.substr(at, end - at);
        if (!word.empty() && !word.ends_with("libjetscope-attach.so"))
            list += ":" + std::string(word);
        at = end + 1;
    }
    return list;
}

/// Whether an entry sets one of these variables.
bool setsOneOf(const std::string &entry, const std::vector<std::string> &variables)
{
    return std::any_of(variables.begin(), variables.end(), [&](const std::string &variable) {
        return entry.starts_with(variable.substr(0, variable.find('=') + 1));
    });
}

std::vector<std::string> environmentWith(const std::string &library, const std::string &memory,
                                         const std::vector<std::string> &variables)
{
    constexpr std::string_view kPreload = "LD_PRELOAD=";
    const std::string variable = std::string(JSA_VARIABLE) + "=";
    std::string preloaded;
    std::vector<std::string> entries;
    for (std::string &entry : startingEnvironment()) {
        if (entry.starts_with(kPreload))
            preloaded = entry.substr(kPreload.size());
        else if (!entry.starts_with(variable) && !setsOneOf(entry, variables))
            entries.push_back(std::move(entry));
    }
    entries.push_back(std::string(kPreload) + withOwnLibrary(preloaded, library));
    entries.push_back(variable + memory);
    entries.insert(entries.end(), variables.begin(), variables.end());
    return entries;
}

std::vector<char *> pointersTo(std::vector<std::string> &words)
{
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// In the child, between fork and exec: only functions that are safe there.
[[noreturn]] void becomeProgram(const std::string &file, char **words, char **environment, int failure,
                                const sigset_t &mask)
{
    for (std::size_t i = 0; i < kPassedOn.size(); ++i)
        sigaction(kPassedOn[i], &g_usual[i], nullptr);
    for (const int changed : {SIGPIPE, SIGXFSZ}) // Jetscope ignores them (core and app/console).
        std::signal(changed, SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    execve(file.c_str(), words, environment);
    const int reason = errno;
    [[maybe_unused]] const ssize_t written = write(failure, &reason, sizeof reason);
    _exit(127);
}

void restoreSignals()
{
    g_program = 0;
    for (std::size_t i = 0; i < kPassedOn.size(); ++i)
        sigaction(kPassedOn[i], &g_usual[i], nullptr);
}

void catchSignals()
{
    struct sigaction action = {};
    action.sa_sigaction = passOn;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (std::size_t i = 0; i < kPassedOn.size(); ++i) {
        sigaction(kPassedOn[i], nullptr, &g_usual[i]);
        const bool isUnwanted = g_usual[i].sa_handler == SIG_IGN; // As under nohup.
        if (!isUnwanted)
            sigaction(kPassedOn[i], &action, nullptr);
    }
}

Error startError(const char *call, const std::string &file, int reason)
{
    return {call, reason,
            quotedWords(file) + " cannot be started: " + std::strerror(reason)
                + "; check that it runs without Jetscope"};
}

} // namespace

Result<std::unique_ptr<AttachedProgram>> AttachedProgram::start(const std::string &file,
                                                                const std::vector<std::string> &command,
                                                                const std::string &library, const std::string &memory,
                                                                const std::vector<std::string> &variables)
{
    std::vector<std::string> words = command;
    std::vector<std::string> environment = environmentWith(library, memory, variables);
    const std::vector<char *> wordPointers = pointersTo(words);
    const std::vector<char *> environmentPointers = pointersTo(environment);
    std::array<int, 2> failure{};
    if (pipe2(failure.data(), O_CLOEXEC) != 0)
        return startError("pipe2", file, errno);
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); // No signal may be passed on before it is known to whom.
    catchSignals();
    const pid_t pid = fork();
    const int reason = errno;
    if (pid == 0)
        becomeProgram(file, const_cast<char **>(wordPointers.data()), const_cast<char **>(environmentPointers.data()),
                      failure[1], before);
    g_program = pid > 0 ? pid : 0;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    close(failure[1]);
    int refused = 0;
    const bool failed = pid > 0 && read(failure[0], &refused, sizeof refused) == sizeof refused;
    close(failure[0]);
    if (pid > 0 && !failed)
        return std::unique_ptr<AttachedProgram>(new AttachedProgram(pid));
    if (failed)
        waitpid(pid, nullptr, 0);
    restoreSignals();
    return pid < 0 ? startError("fork", file, reason) : startError("execve", file, refused);
}

AttachedProgram::~AttachedProgram()
{
    restoreSignals();
}

std::optional<ProgramEnd> AttachedProgram::ended()
{
    int status = 0;
    if (m_end || waitpid(m_pid, &status, WNOHANG) != m_pid)
        return m_end;
    g_program = 0; // The number may belong to another process from now on.
    constexpr int kSignalBase = 128;
    m_end = WIFSIGNALED(status) ? ProgramEnd{kSignalBase + WTERMSIG(status), WTERMSIG(status)}
                                : ProgramEnd{WEXITSTATUS(status), 0};
    return m_end;
}

} // namespace jetscope
