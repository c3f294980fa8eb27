// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/remotehost.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>

namespace jetscope::testing {

/// Ends the proxy with the link, and remembers it until then.
struct Proxy {
    explicit Proxy(pid_t process) : pid(process) {}
    ~Proxy()
    {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
    }
    const pid_t pid;
};

/// A command line of sh in place of ssh, with a socket as its standard input and output.
inline Result<LinkEnds> startCommand(std::string command, std::atomic<pid_t> *proxy = nullptr)
{
    std::array<int, 2> both{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both.data()) != 0)
        return Error{"socketpair", errno, "no sockets"};
    const FileDescriptor far(both[1]);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, far.get(), 0);
    posix_spawn_file_actions_adddup2(&files, far.get(), 1);
    std::string sh = "sh";
    std::string c = "-c";
    std::array<char *, 4> argv{sh.data(), c.data(), command.data(), nullptr};
    pid_t pid = 0;
    const int failed = ::posix_spawn(&pid, "/bin/sh", &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0)
        return Error{"posix_spawn", failed, "sh cannot be started"};
    if (proxy)
        *proxy = pid;
    const int out = ::fcntl(both[0], F_DUPFD_CLOEXEC, 0);
    return LinkEnds{FileDescriptor(both[0]), FileDescriptor(out), std::make_shared<Proxy>(pid)};
}

/// `jetscope serve`, behind what a login prints.
inline Result<LinkEnds> startServe(const std::string &program, const std::string &alone,
                                   std::atomic<pid_t> *proxy = nullptr)
{
    return startCommand("echo Welcome to the board; exec \"" + program + "\" serve --alone " + alone, proxy);
}

/// Null, and said, if the board cannot be reached.
inline std::shared_ptr<RemoteHost> connected(const Dialer &dial, RemoteWish wish = {})
{
    auto host = RemoteHost::connect(dial, wish);
    if (!host.ok())
        std::fprintf(stderr, "%s\n", host.error().text.c_str());
    return host.ok() ? host.value() : nullptr;
}

/// A small pipeline on the software iGPU; null, and said, if there is none.
inline std::unique_ptr<PipelineControl> opened(RemoteHost &host)
{
    SessionRequest request;
    request.source = "synthetic:?size=160x120&fps=100";
    request.deviceId = "soft:orin";
    auto control = host.open(request);
    if (!control.ok())
        std::fprintf(stderr, "%s\n", control.error().text.c_str());
    return control.ok() ? std::move(control).value() : nullptr;
}

} // namespace jetscope::testing
