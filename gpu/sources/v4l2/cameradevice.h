// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/v4l2/v4l2syscalls.h"

#include <string>
#include <string_view>

namespace jetscope {

/// An open video device. Move-only; the destructor closes it. The kernel interface must outlive it.
class CameraDevice {
public:
    static Result<CameraDevice> open(V4l2Syscalls &kernel, std::string path);

    CameraDevice(CameraDevice &&other) noexcept;
    CameraDevice &operator=(CameraDevice &&other) noexcept;
    ~CameraDevice();

    V4l2Syscalls &kernel() const { return *m_syscalls; }
    int fd() const { return m_fd; }
    const std::string &path() const { return m_path; }

    /// An ioctl that must succeed; the error is a sentence about this camera. `name` is the request's name.
    Status call(std::string_view name, unsigned long request, void *argument) const;
    /// An ioctl that may fail; returns whether it succeeded.
    bool tryIoctl(unsigned long request, void *argument) const
    {
        return m_syscalls->control(m_fd, request, argument) == 0;
    }

private:
    CameraDevice(V4l2Syscalls &kernel, int fd, std::string path)
        : m_syscalls(&kernel), m_fd(fd), m_path(std::move(path))
    {
    }

    V4l2Syscalls *m_syscalls;
    int m_fd;
    std::string m_path;
};

/// The reason why a call on a camera failed with this error number, and the remedy.
Error cameraError(const std::string &path, std::string_view call, int number);

/// Whether an error means that the camera is disconnected.
bool isCameraGone(const Error &error);

/// "cheese (process 4711)": the other process that has a device open; empty if that cannot be determined.
std::string processUsing(const std::string &path);

} // namespace jetscope
