// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/detachedprocess.h"

#include "core/system/sysfile.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLongestStart{20};
constexpr std::chrono::milliseconds kStartPause{20};
constexpr int kBacklog = 8;

Error failed(const char *call, const std::string &path)
{
    return {call, errno, "The server of this board cannot listen at " + path + ": " + std::strerror(errno)};
}

/// Makes a folder of this user alone. An existing one must be so.
bool isPrivateFolder(const std::string &folder)
{
    struct stat facts {};
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return false;
    if (::lstat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode) || facts.st_uid != ::getuid())
        return false;
    return (facts.st_mode & 0022) == 0 && ::access(folder.c_str(), W_OK) == 0;
}

/// "@1f0c33a7": usually another one on each machine.
std::string machineMark()
{
    utsname system{};
    std::string text = lineOf("/etc/machine-id");
    if (::uname(&system) == 0)
        text += system.nodename;
    std::uint32_t hash = 2166136261; // FNV-1a.
    for (const char each : text)
        hash = (hash ^ static_cast<unsigned char>(each)) * 16777619;
    std::array<char, 16> mark{};
    std::snprintf(mark.data(), mark.size(), "@%08x", hash);
    return mark.data();
}

std::string environmentOf(const char *name)
{
    const char *value = std::getenv(name);
    return value && value[0] == '/' ? value : std::string();
}

bool isAddress(const std::string &path, sockaddr_un &address)
{
    address = {};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return false;
    std::memcpy(address.sun_path, path.data(), path.size());
    return true;
}

bool isOwnUser(int socket)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::getuid();
}

/// Copies until one side ends.
void copyAll(int from, int to)
{
    std::array<char, 64 << 10> bytes;
    for (;;) {
        const ssize_t size = ::read(from, bytes.data(), bytes.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            return;
        for (ssize_t at = 0; at < size;) {
            const ssize_t written = ::write(to, bytes.data() + at, static_cast<std::size_t>(size - at));
            if (written < 0 && errno != EINTR)
                return;
            at += std::max<ssize_t>(0, written);
        }
    }
}

/// In the child: only what the server needs stays open, and nothing of the terminal.
void leaveTerminal(const std::string &path, WorkingFolder folder)
{
    ::setsid();
    const std::string log = path + ".log";
    const int null = ::open("/dev/null", O_RDWR);
    const int messages = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    ::dup2(null, 0);
    ::dup2(messages >= 0 ? messages : null, 1);
    ::dup2(messages >= 0 ? messages : null, 2);
    constexpr unsigned kFirst = 3;
    if (::close_range(kFirst, ~0U, 0) != 0)
        for (int each = kFirst; each < 1024; ++each)
            ::close(each);
    if (folder == WorkingFolder::Root && ::chdir("/") != 0)
        return; // The folder that it was started in stays in use.
}

} // namespace

Result<std::string> ownSocketPath(const std::string &name)
{
    std::string cache = environmentOf("XDG_CACHE_HOME");
    if (cache.empty() && !environmentOf("HOME").empty()) {
        cache = environmentOf("HOME") + "/.cache";
        ::mkdir(cache.c_str(), 0700);
    }
    for (const std::string &base : {cache, environmentOf("XDG_RUNTIME_DIR")}) {
        const std::string path = base + "/jetscope/" + name + machineMark();
        sockaddr_un address{};
        if (!base.empty() && isAddress(path, address) && isPrivateFolder(base + "/jetscope"))
            return path;
    }
    return Error{
        "", 0,
        "There is no folder for the socket of the server: neither ~/.cache nor $XDG_RUNTIME_DIR can be written "
        "by this user alone"};
}

Result<OwnListener> OwnListener::at(const std::string &path)
{
    sockaddr_un address{};
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!isAddress(path, address) || !socket.isOpen())
        return Error{"socket", 0, "The path of the server's socket is too long: " + path};
    ::unlink(path.c_str());
    const mode_t mask = ::umask(0177);
    const int bound = ::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address);
    ::umask(mask);
    if (bound != 0 || ::listen(socket.get(), kBacklog) != 0)
        return failed("bind", path);
    return OwnListener(path, std::move(socket));
}

FileDescriptor OwnListener::accept() const
{
    FileDescriptor peer(::accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
    return peer.isOpen() && isOwnUser(peer.get()) ? std::move(peer) : FileDescriptor();
}

void OwnListener::hide() const
{
    ::unlink(m_path.c_str());
}

Result<FileDescriptor> connectTo(const std::string &path)
{
    sockaddr_un address{};
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!isAddress(path, address) || !socket.isOpen()
        || ::connect(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        return failed("connect", path);
    return socket;
}

Result<FileDescriptor> connectOrStart(const std::string &path, const std::function<Status()> &start)
{
    if (Result<FileDescriptor> connected = connectTo(path); connected.ok())
        return connected;
    const FileDescriptor lock(::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock.isOpen() || ::flock(lock.get(), LOCK_EX) != 0)
        return failed("flock", path);
    if (Result<FileDescriptor> connected = connectTo(path); connected.ok())
        return connected;
    JETSCOPE_TRY(start());
    return connectTo(path);
}

Status startDetached(const std::string &path, const std::vector<std::string> &arguments, WorkingFolder folder)
{
    std::vector<std::string> words{"jetscope"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char *> argv;
    for (std::string &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child < 0)
        return failed("fork", path);
    if (child == 0) {
        leaveTerminal(path, folder);
        if (::fork() == 0) // Its parent ends: nobody has to wait for it.
            ::execv("/proc/self/exe", argv.data());
        ::_exit(0);
    }
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    for (const auto giveUp = Clock::now() + kLongestStart; Clock::now() < giveUp;) {
        if (connectTo(path).ok())
            return {};
        std::this_thread::sleep_for(kStartPause);
    }
    return Error{"", 0, "The server of this board does not start: " + path + ".log may say why"};
}

void runProxy(int in, int out, const FileDescriptor &process)
{
    std::signal(SIGPIPE, SIG_IGN);
    std::thread([in, process = process.get()] {
        copyAll(in, process);
        ::shutdown(process, SHUT_RDWR);
    }).detach();
    copyAll(process.get(), out);
    ::shutdown(process.get(), SHUT_RDWR);
}

} // namespace jetscope
