// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/attachedprogram.h"

#include "core/attach/format/attachformat.h"
#include "core/system/filelimit.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

// A signal handler can only use globals.
std::atomic<pid_t> g_program{0};
constexpr pid_t kEnded = -1;
std::atomic<bool> g_endAsked{false};
/// Signals that another thread caught before g_program was set: a bit each. The program may already run by then.
std::atomic<std::uint64_t> g_early{0};
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free
                  && std::atomic<bool>::is_always_lock_free,
              "used in a signal handler");

/// All that end a program, or make it go on, without being its own fault.
constexpr std::array kPassedOn = {SIGINT,  SIGTERM,   SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2,   SIGCONT,
                                  SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO,   SIGSTKFLT, SIGPWR};
constexpr int kMaxSignals = 64;

/// A signal, and what this process did with it before. Real-time signals are numbered when the program starts.
struct PassedOn {
    int signal = 0;
    struct sigaction usual = {};
};
std::array<PassedOn, kMaxSignals> g_passedOn{};
std::size_t g_passedOnCount = 0;

std::span<PassedOn> passedOn()
{
    return std::span(g_passedOn).first(g_passedOnCount);
}

constexpr std::uint64_t bitOf(int signal)
{
    return std::uint64_t{1} << (signal - 1);
}

/// The terminal sends them to the program, too, and the limit of CPU time is this process's own.
bool concernsProgram(int signal, const siginfo_t &info)
{
    return info.si_code != SI_KERNEL || signal == SIGALRM || signal == SIGVTALRM || signal == SIGPROF;
}

/// Each signal is sent once, by whoever takes its bit: the handler, or start().
void sendEarly(int signal)
{
    const pid_t program = g_program.load();
    if (program > 0 && (g_early.fetch_and(~bitOf(signal)) & bitOf(signal)) != 0)
        kill(program, signal);
}

bool endsPrograms(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

/// The terminal sends its signals to the program, too, which is in the same process group. Behind its end they are for
/// this process, and what the program left gets them from the terminal or not at all, as without Jetscope.
void passOn(int signal, siginfo_t *info, void *)
{
    if (g_program.load() == kEnded) {
        if (endsPrograms(signal))
            g_endAsked = true;
        return;
    }
    if (!concernsProgram(signal, *info))
        return;
    const int savedErrno = errno;
    g_early.fetch_or(bitOf(signal));
    sendEarly(signal);
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

/// The part before "=", with it.
std::string_view nameIn(std::string_view entry)
{
    return entry.substr(0, std::min(entry.find('='), entry.size() - 1) + 1);
}

std::vector<std::string> environmentOf(const ProgramStart &wanted)
{
    constexpr std::string_view kPreload = "LD_PRELOAD=";
    constexpr std::string_view kNvtxTool = "NVTX_INJECTION64_PATH=";
    const std::string variable = std::string(JSA_VARIABLE) + "=";
    std::vector<std::string> entries = startingEnvironment();
    for (const std::string &entry : wanted.environment) {
        std::erase_if(entries, [&](const std::string &old) { return old.starts_with(nameIn(entry)); });
        entries.push_back(entry);
    }
    std::string preloaded;
    for (const std::string &entry : entries)
        if (entry.starts_with(kPreload))
            preloaded = entry.substr(kPreload.size());
    std::erase_if(entries,
                  [&](const std::string &entry) { return entry.starts_with(kPreload) || entry.starts_with(variable); });
    entries.push_back(std::string(kPreload) + withOwnLibrary(preloaded, wanted.library));
    entries.push_back(variable + wanted.memory);
    // The tool that a user has named stays.
    const bool hasTool = std::any_of(entries.begin(), entries.end(),
                                     [&](const std::string &entry) { return entry.starts_with(kNvtxTool); });
    if (!hasTool)
        entries.push_back(std::string(kNvtxTool) + wanted.library);
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

/// What the child needs between fork and exec, made before fork.
struct ChildPlan {
    const char *file;
    char **words;
    char **environment;
    const char *folder; ///< Null: stay.
    int input = -1;     ///< -1: keep the process group, and the standard files but for `output`.
    int output = -1;    ///< -1: keep it.
    int failure = -1;
    sigset_t mask;
};

/// In the child, between fork and exec: only functions that are safe there.
[[noreturn]] void becomeProgram(const ChildPlan &plan)
{
    const bool apart = plan.input >= 0;
    if (!apart)
        for (const PassedOn &one : passedOn())
            sigaction(one.signal, &one.usual, nullptr);
    for (const int changed : {SIGPIPE, SIGXFSZ}) // Jetscope ignores them (core and app/commandline/console).
        std::signal(changed, SIG_DFL);
    sigprocmask(SIG_SETMASK, &plan.mask, nullptr);
    if (apart) {
        setpgid(0, 0);
        dup2(plan.input, STDIN_FILENO);
        dup2(plan.output, STDERR_FILENO);
    }
    if (plan.output >= 0)
        dup2(plan.output, STDOUT_FILENO);
    if (!plan.folder || chdir(plan.folder) == 0)
        execve(plan.file, plan.words, plan.environment);
    const int reason = errno;
    [[maybe_unused]] const ssize_t written = write(plan.failure, &reason, sizeof reason);
    _exit(127);
}

void restoreSignals()
{
    g_program = 0;
    for (const PassedOn &one : passedOn())
        sigaction(one.signal, &one.usual, nullptr);
    g_passedOnCount = 0;
}

void passOn(int signal)
{
    struct sigaction action = {};
    action.sa_sigaction = passOn;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    struct sigaction usual = {};
    sigaction(signal, nullptr, &usual);
    if (usual.sa_handler != SIG_DFL) // Ignored, as under nohup, or of use to Jetscope.
        return;
    g_passedOn[g_passedOnCount++] = {signal, usual};
    sigaction(signal, &action, nullptr);
}

void catchSignals()
{
    g_early = 0;
    g_endAsked = false;
    for (const int signal : kPassedOn)
        passOn(signal);
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal)
        passOn(signal);
}

struct OpenFile {
    explicit OpenFile(int opened = -1) : number(opened) {}
    ~OpenFile() { close(); }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;
    void close()
    {
        if (number >= 0)
            ::close(number);
        number = -1;
    }
    int release() { return std::exchange(number, -1); }

    int number;
};

struct Pipe {
    bool open()
    {
        std::array<int, 2> ends{-1, -1};
        const bool made = pipe2(ends.data(), O_CLOEXEC) == 0;
        from.number = ends[0];
        to.number = ends[1];
        return made;
    }

    OpenFile from;
    OpenFile to;
};

/// A terminal that changes no byte and has the size of this process's own.
bool openTerminal(Pipe &ends)
{
    ends.from.number = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    std::array<char, 128> name{};
    if (ends.from.number < 0 || grantpt(ends.from.number) != 0 || unlockpt(ends.from.number) != 0
        || ptsname_r(ends.from.number, name.data(), name.size()) != 0)
        return false;
    ends.to.number = open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    termios raw{};
    if (ends.to.number < 0 || tcgetattr(ends.to.number, &raw) != 0)
        return false;
    cfmakeraw(&raw);
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        ioctl(ends.to.number, TIOCSWINSZ, &size);
    return tcsetattr(ends.to.number, TCSANOW, &raw) == 0;
}

Error startError(const char *call, const std::string &file, int reason)
{
    return {call, reason,
            quotedWords(file) + " cannot be started: " + std::strerror(reason)
                + (reason == EMFILE || reason == ENFILE ? std::string("; ") + kNoFurtherFile
                                                        : "; check that it runs without Jetscope")};
}

} // namespace

Result<std::unique_ptr<AttachedProgram>> AttachedProgram::start(const ProgramStart &wanted)
{
    std::vector<std::string> words = wanted.command;
    std::vector<std::string> environment = environmentOf(wanted);
    const std::vector<char *> wordPointers = pointersTo(words);
    const std::vector<char *> environmentPointers = pointersTo(environment);
    Pipe failure;
    Pipe output;
    const OpenFile nothing(wanted.apart ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1);
    if (!failure.open() || (wanted.apart && (!output.open() || nothing.number < 0)))
        return startError("pipe2", wanted.file, errno);
    if (!wanted.apart && wanted.readsOutput && !openTerminal(output))
        return startError("posix_openpt", wanted.file, errno);
    sigset_t all;
    ChildPlan plan{wanted.file.c_str(),
                   const_cast<char **>(wordPointers.data()),
                   const_cast<char **>(environmentPointers.data()),
                   wanted.folder.empty() ? nullptr : wanted.folder.c_str(),
                   nothing.number,
                   output.to.number,
                   failure.to.number,
                   {}};
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &plan.mask); // The child must not run Jetscope's handlers.
    if (!wanted.apart)
        catchSignals();
    const pid_t pid = fork();
    const int reason = errno;
    if (pid == 0)
        becomeProgram(plan);
    if (!wanted.apart && pid > 0) {
        g_program = pid;
        for (const PassedOn &one : passedOn())
            sendEarly(one.signal);
    }
    pthread_sigmask(SIG_SETMASK, &plan.mask, nullptr);
    failure.to.close();
    int refused = 0;
    const bool failed = pid > 0 && read(failure.from.number, &refused, sizeof refused) == sizeof refused;
    if (pid > 0 && !failed) {
        if (output.from.number >= 0)
            fcntl(output.from.number, F_SETFL, O_NONBLOCK);
        return std::unique_ptr<AttachedProgram>(new AttachedProgram(pid, wanted.apart, output.from.release()));
    }
    if (failed)
        waitpid(pid, nullptr, 0);
    if (!wanted.apart)
        restoreSignals();
    return pid < 0 ? startError("fork", wanted.file, reason) : startError("execve", wanted.file, refused);
}

AttachedProgram::~AttachedProgram()
{
    if (m_output >= 0)
        close(m_output);
    if (!m_apart)
        restoreSignals();
}

bool AttachedProgram::endAsked() const
{
    return !m_apart && g_endAsked;
}

void AttachedProgram::signal(int number) const
{
    if (!m_end && m_apart)
        kill(-m_pid, number);
}

std::optional<ProgramEnd> AttachedProgram::ended()
{
    int status = 0;
    if (m_end || waitpid(m_pid, &status, WNOHANG) != m_pid)
        return m_end;
    if (!m_apart)
        g_program = kEnded; // The number may belong to another process from now on.
    constexpr int kSignalBase = 128;
    m_end = WIFSIGNALED(status) ? ProgramEnd{kSignalBase + WTERMSIG(status), WTERMSIG(status)}
                                : ProgramEnd{WEXITSTATUS(status), 0};
    return m_end;
}

} // namespace jetscope
