// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace jetscope {

// Processes and threads have a number in each PID namespace that they can be seen in (pid_namespaces(7) of Linux): in
// that of their container, and another one in those around it. Any thread.

/// How a thread is counted in one of them.
struct ThreadNumbers {
    std::int32_t pid = 0;
    std::int32_t tid = 0;

    bool operator==(const ThreadNumbers &) const = default;
};

/// The PID namespace of a process, by its folder in /proc: the inode of its file (namespaces(7)). 0 if it is not known.
std::uint32_t pidNamespace(const std::string &process = "/proc/self");

/// How this process counts a thread that counts itself in another namespace: by the field NSpid of /proc/PID/status
/// (Linux 4.1). None if it is not below this process's namespace, has ended, or may not be looked at. Reads all of
/// `proc`, which takes milliseconds.
std::optional<ThreadNumbers> findThread(std::uint32_t pidNamespace, const ThreadNumbers &numbers,
                                        const std::string &proc = "/proc");

} // namespace jetscope
