// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/lastwords.h"

#include "app/commandline/console.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>
#include <unistd.h>

namespace jetscope {

namespace {

// Whole lines in the program's image: nothing can be put together without memory.
constexpr const char *kNoMemory =
    "jetscope: there is not enough memory: close other programs, or allow this one more (\"ulimit "
    "-v\" says how much it may have).\n";
constexpr const char *kNoThread =
    "jetscope: the system allows no further thread: end other programs, or allow more threads (\"ulimit -u\") and "
    "memory (\"ulimit -v\").\n";

bool isMemoryGone()
{
    constexpr std::size_t kLittle = 4096;
    void *volatile const some = std::malloc(kLittle);
    std::free(some);
    return !some;
}

/// Returns null if the exception is not about a lack of memory or threads.
const char *lackOf(const std::exception_ptr &reason)
{
    if (!reason && std::uncaught_exceptions() == 0) // No memory for an exception ends the program without one.
        return isMemoryGone() ? kNoMemory : nullptr;
    if (!reason) // After std::thread failed, unwinding destroys threads that are still running.
        return kNoThread;
    try {
        std::rethrow_exception(reason);
    } catch (const std::bad_alloc &) {
        return kNoMemory;
    } catch (const std::system_error &refused) {
        return refused.code() == std::errc::resource_unavailable_try_again ? kNoThread : nullptr;
    } catch (...) {
        return nullptr;
    }
}

std::terminate_handler g_usual = std::abort;

[[noreturn]] void endTheProgram()
{
    static std::atomic_flag speaking = ATOMIC_FLAG_INIT;
    while (speaking.test_and_set())
        pause(); // Another thread prints the message and ends the program.
    const char *const lack = lackOf(std::current_exception());
    if (!lack) {
        g_usual();
        std::abort();
    }
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, lack, std::strlen(lack));
    std::_Exit(Failed);
}

} // namespace

void giveLastWords()
{
    g_usual = std::set_terminate(endTheProgram);
}

void turnSignalsIntoErrors()
{
    for (const int signal : {SIGPIPE, SIGXFSZ})
        std::signal(signal, SIG_IGN);
}

} // namespace jetscope
