// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/leavenow.h"

#include "core/tracefile/tracefilewriter.h"

#include <QString>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::chrono::seconds kPatienceWithRecordings{15};
constexpr const char *kDisplayGone =
    "the display went away (the X server or the compositor ended, or the connection to it broke), so the window is "
    "closed: start Jetscope again once there is a display, or use \"jetscope run\", which needs none";

std::atomic<bool> g_guarded = false;

void onExit()
{
    if (g_guarded)
        leaveNow(kDisplayGone, EXIT_FAILURE);
}

/// Xlib calls it when the connection breaks, on the thread that notices: in GL's drivers that is any thread. The exit
/// that follows otherwise runs the ends of other libraries before onExit.
int onBrokenConnection(void *)
{
    onExit();
    return 0;
}

/// Only if something uses Xlib, which is not linked here.
void watchXlib()
{
    using Handler = int (*)(void *display);
    using SetHandler = Handler (*)(Handler);
    if (void *const xlib = dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD))
        if (const auto setHandler = reinterpret_cast<SetHandler>(dlsym(xlib, "XSetIOErrorHandler")))
            setHandler(onBrokenConnection);
}

void say(const char *text)
{
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

} // namespace

void leaveNow(const char *sentence, int code)
{
    static std::atomic_flag leaving = ATOMIC_FLAG_INIT;
    while (leaving.test_and_set())
        pause();
    const bool finished = TraceFileWriter::finishAll(kPatienceWithRecordings);
    say("jetscope: ");
    say(sentence);
    say(".\n");
    if (!finished)
        say("jetscope: A recording could not be finished in time; what it has is readable.\n");
    _exit(code);
}

ExitGuard::ExitGuard()
{
    [[maybe_unused]] static const int registered = std::atexit(onExit);
    watchXlib();
    g_guarded = true;
}

ExitGuard::~ExitGuard()
{
    g_guarded = false;
}

void leaveIfDisplayIsGone(const QString &message)
{
    if (g_guarded
        && (message.startsWith(QLatin1String("The X11 connection broke"))
            || message.startsWith(QLatin1String("The Wayland connection"))))
        leaveNow(kDisplayGone, EXIT_FAILURE);
}

} // namespace jetscope
