// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/interrupt.h"

#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace jetscope {

namespace {

// A signal handler can only use globals. A pipe wakes the waiting thread, whichever thread receives the signal.
std::atomic<int> g_writeEnd{-1};
int g_readEnd = -1;
std::atomic<unsigned> g_patience{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void startTimeout()
{
    if (const unsigned left = alarm(g_patience.load()); left != 0)
        alarm(left); // Keep the timeout of the first request.
}

void onSignal(int)
{
    const int savedErrno = errno;
    const char byte = 0;
    // If the pipe is full, it already contains the request.
    [[maybe_unused]] const ssize_t written = write(g_writeEnd.load(), &byte, 1);
    startTimeout();
    errno = savedErrno;
}

void onAlarm(int)
{
    constexpr char kWords[] = "jetscope: the program did not stop in time after the request to end, so it exits now.\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kWords, sizeof kWords - 1);
    _exit(1);
}

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, kSignals.size()> g_before{};

/// Closing a terminal sends SIGHUP twice: from the kernel and from the shell.
int flagsFor(int signal)
{
    return static_cast<int>(signal == SIGHUP ? SA_RESTART : SA_RESTART | SA_RESETHAND);
}

} // namespace

Interrupt::Interrupt(std::chrono::seconds timeout)
{
    assert(g_writeEnd == -1);
    g_patience = static_cast<unsigned>(timeout.count());
    std::signal(SIGALRM, onAlarm);
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return; // Without a pipe, Ctrl-C ends the program at once.
    g_readEnd = ends[0];
    g_writeEnd = ends[1];
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction action = {};
        action.sa_handler = onSignal;
        action.sa_flags = flagsFor(kSignals[i]);
        sigaction(kSignals[i], nullptr, &g_before[i]);
        const bool isUnwanted = kSignals[i] == SIGHUP && g_before[i].sa_handler == SIG_IGN;
        if (!isUnwanted)
            sigaction(kSignals[i], &action, nullptr);
    }
}

Interrupt::~Interrupt()
{
    if (g_readEnd == -1)
        return;
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        sigaction(kSignals[i], &g_before[i], nullptr);
    alarm(0);
    std::signal(SIGALRM, SIG_DFL);
    close(g_writeEnd.exchange(-1));
    close(g_readEnd);
    g_readEnd = -1;
}

int Interrupt::descriptor() const
{
    return g_readEnd;
}

void Interrupt::limitEnd() const
{
    startTimeout();
}

bool Interrupt::waitFor(std::chrono::milliseconds timeout) const
{
    pollfd request{g_readEnd, POLLIN, 0};
    // poll() ignores a negative descriptor and only waits.
    return poll(&request, 1, static_cast<int>(timeout.count())) > 0;
}

} // namespace jetscope
