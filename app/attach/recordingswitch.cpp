// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/recordingswitch.h"

#include "core/time/clock.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>

namespace jetscope {

namespace {

// A signal handler can only use globals.
/// The time since when, negative for off.
std::atomic<std::int64_t> g_recordingSince{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "used in a signal handler");
std::array<struct sigaction, 2> g_actionBefore{};

int continueSignal()
{
    return SIGRTMIN + 1; // No constant: the C library takes some for itself.
}

int stopSignal()
{
    return SIGRTMIN + 2;
}

void onSwitch(int signal)
{
    const std::int64_t before = g_recordingSince.load();
    const std::int64_t ns = nowNs();
    const bool on = signal == continueSignal();
    if (on != (before > 0))
        g_recordingSince = on ? ns : -ns;
}

} // namespace

RecordingSwitch::RecordingSwitch(bool on)
{
    g_recordingSince = on ? nowNs() : -nowNs();
    struct sigaction action = {};
    action.sa_handler = onSwitch;
    action.sa_flags = SA_RESTART;
    sigaction(continueSignal(), &action, &g_actionBefore[0]);
    sigaction(stopSignal(), &action, &g_actionBefore[1]);
}

RecordingSwitch::~RecordingSwitch()
{
    sigaction(continueSignal(), &g_actionBefore[0], nullptr);
    sigaction(stopSignal(), &g_actionBefore[1], nullptr);
}

RecordingSwitch::State RecordingSwitch::state() const
{
    const std::int64_t since = g_recordingSince.load();
    return {since > 0, std::abs(since)};
}

} // namespace jetscope
