// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace jetscope {

/// The system calls for cameras; all of them go through this interface, so that tests can substitute their own camera.
/// Failures are negative error numbers. Any thread.
class V4l2Syscalls {
public:
    virtual ~V4l2Syscalls() = default;

    /// The paths of possible cameras, ordered by their numbers.
    virtual std::vector<std::string> devices() = 0;

    virtual int open(const char *path) = 0;
    virtual void close(int fd) = 0;
    /// Zero or a negative error number; interrupted calls are retried.
    virtual int control(int fd, unsigned long request, void *argument) = 0;
    /// Null if it cannot be mapped.
    virtual void *map(int fd, std::size_t bytes, std::size_t offset) = 0;
    virtual void unmap(void *memory, std::size_t bytes) = 0;

    enum class Wait { Ready, TimedOut, Woken, Event, Failed };
    /// Waits until a frame is ready, the driver has an event, `wakeFd` is readable, or the time-out. Ignores a negative
    /// `fd`.
    virtual Wait wait(int fd, int wakeFd, int milliseconds) = 0;

    /// The real system calls of Linux.
    static V4l2Syscalls &system();
};

} // namespace jetscope
