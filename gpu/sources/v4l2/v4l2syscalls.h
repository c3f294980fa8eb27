// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace jetscope {

/// The system calls that a camera takes, and nobody else makes. One interface, so that tests can put a camera of their
/// own behind it. Failures are negative error numbers. Any thread.
class V4l2Syscalls {
public:
    virtual ~V4l2Syscalls() = default;

    /// The paths of what may be cameras, in order of their numbers.
    virtual std::vector<std::string> devices() = 0;

    virtual int open(const char *path) = 0;
    virtual void close(int fd) = 0;
    /// Zero or a negative error number; interrupted calls are made again.
    virtual int control(int fd, unsigned long request, void *argument) = 0;
    /// Null when it cannot be mapped.
    virtual void *map(int fd, std::size_t bytes, std::size_t offset) = 0;
    virtual void unmap(void *memory, std::size_t bytes) = 0;

    enum class Wait { Ready, TimedOut, Woken, Failed };
    /// Until a frame is there, `wakeFd` is readable, or the time is over. A negative `fd` is not looked at.
    virtual Wait wait(int fd, int wakeFd, int milliseconds) = 0;

    /// Linux itself.
    static V4l2Syscalls &system();
};

} // namespace jetscope
