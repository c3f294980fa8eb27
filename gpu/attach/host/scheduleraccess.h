// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/kernel/schedulertrace.h"
#include "core/result.h"

#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Why a trace says nothing of a program in a container.
inline constexpr const char *kCountsElsewhere =
    "Jetscope runs in a container, where threads have other numbers than in the kernel's trace: start the container "
    "with the host's PID namespace (docker run --pid=host), or Jetscope outside of it";

// Whether this user can see the kernel's scheduler on this machine, and how. Nothing here starts anything. Any thread.

/// The program that root starts to see it: beside this program, or where it is installed.
Result<std::string> findSchedulerProgram();

/// What a user types into a terminal to inspect a program together with the scheduler. The password of sudo is asked
/// for before, because a shell's terminal is not that of a program in <(...). An error if jetscope-sched is not
/// installed.
Result<std::string> schedulerUse();

/// What a user types into a terminal so that jetscope-sched writes into this named pipe, which is made if it does not
/// exist. An error if jetscope-sched is not installed.
Result<std::string> schedulerCommand(const std::string &pipe);

/// Why the kernel's scheduler cannot be seen on this machine, or not by this user, with the remedy; empty if it can.
std::string schedulerRefusal();

/// Why the GPU's own context switches cannot be seen, or not by this user; empty if nothing is known against it.
std::string contextsRefusal();

/// The folder of tracefs; empty if it is not mounted, or if this user may not look.
std::string tracefsFolder();

/// How many of the events that jetscope-sched asks for (core/attach/kernel/tracedevents.h) the kernel has, by group.
/// Empty if this user may not read `tracefs`, which usually only root may.
std::optional<std::vector<TracedGroup>> tracedGroups(const std::string &tracefs);

} // namespace jetscope
