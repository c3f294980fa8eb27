// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/lastwords.h"

#include "app/console.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr const char *kNoMemory = "there is not enough memory: close other programs, or allow this one more (\"ulimit "
                                  "-v\" says how much it may have)";
constexpr const char *kNoThread =
    "the system allows no further thread: end other programs, or allow more threads (\"ulimit -u\") and "
    "memory (\"ulimit -v\")";

/// Returns null if the exception is not about a lack of memory or threads.
const char *lackOf(const std::exception_ptr &reason)
{
    if (!reason) // After std::thread failed, unwinding destroys threads that are still running.
        return std::uncaught_exceptions() > 0 ? kNoThread : nullptr;
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
    complain(lack);
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
