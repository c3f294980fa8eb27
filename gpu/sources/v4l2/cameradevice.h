// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/v4l2/v4l2syscalls.h"

#include <string>
#include <string_view>

namespace jetscope {

/// An open video device. Move-only; closes it. The kernel interface outlives it.
class CameraDevice {
public:
    static Result<CameraDevice> open(V4l2Syscalls &kernel, std::string path);

    CameraDevice(CameraDevice &&other) noexcept;
    CameraDevice &operator=(CameraDevice &&other) noexcept;
    ~CameraDevice();

    V4l2Syscalls &kernel() const { return *m_syscalls; }
    int fd() const { return m_fd; }
    const std::string &path() const { return m_path; }

    /// An ioctl that has to succeed; the error is a sentence about this camera. `name` is the request's.
    Status call(std::string_view name, unsigned long request, void *argument) const;
    /// An ioctl that may well fail: whether it did not.
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

/// Why a call on a camera failed with this error number, and what to do.
Error cameraError(const std::string &path, std::string_view call, int number);

/// Whether an error says that the camera is no longer there.
bool isCameraGone(const Error &error);

/// "cheese (process 4711)": who has a device open beside ourselves; empty when that cannot be seen.
std::string processUsing(const std::string &path);

} // namespace jetscope
