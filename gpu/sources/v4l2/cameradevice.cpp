// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/cameradevice.h"

#include "gpu/sources/sourceuri.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace jetscope {

Result<CameraDevice> CameraDevice::open(V4l2Syscalls &kernel, std::string path)
{
    const int fd = kernel.open(path.c_str());
    if (fd < 0)
        return cameraError(path, "open", -fd);
    return CameraDevice(kernel, fd, std::move(path));
}

CameraDevice::CameraDevice(CameraDevice &&other) noexcept
    : m_syscalls(other.m_syscalls), m_fd(std::exchange(other.m_fd, -1)), m_path(std::move(other.m_path))
{
}

CameraDevice &CameraDevice::operator=(CameraDevice &&other) noexcept
{
    std::swap(m_syscalls, other.m_syscalls);
    std::swap(m_fd, other.m_fd);
    std::swap(m_path, other.m_path);
    return *this;
}

CameraDevice::~CameraDevice()
{
    if (m_fd >= 0)
        m_syscalls->close(m_fd);
}

Status CameraDevice::call(std::string_view name, unsigned long request, void *argument) const
{
    const int done = m_syscalls->control(m_fd, request, argument);
    return done < 0 ? cameraError(m_path, name, -done) : Status();
}

Error cameraError(const std::string &path, std::string_view call, int number)
{
    const auto says = [&](const std::string &text) {
        return Error{std::string(call), number, inQuotes(path) + " " + text};
    };
    switch (number) {
    case EBUSY: {
        const std::string holder = processUsing(path);
        return says("is in use by " + (holder.empty() ? "another program" : holder)
                    + ": close it there, then try again");
    }
    case EACCES:
    case EPERM:
        return says("may not be opened by this user: join the group video (sudo usermod -aG video $USER) and log in "
                    "again; in a "
                    "container, pass the device in with --device");
    case ENOENT:
        return says("does not exist: plug the camera in, or see what is connected with jetscope doctor; in a "
                    "container, pass the "
                    "device in with --device");
    case ENODEV:
    case ENXIO:
        return says("is no longer connected: plug the camera in again");
    case ENOTTY:
        return says("is not a camera: see what is connected with jetscope doctor");
    case ENOSPC:
        return says(
            "gets too little of the USB bus: choose a smaller size or rate or format=MJPEG, or use another port");
    case ENOMEM:
        return says("gets no memory for its frames: choose a smaller size");
    default:
        return says(std::string("failed (") + std::strerror(number)
                    + "): unplug the camera and plug it in again if this continues");
    }
}

bool isCameraGone(const Error &error)
{
    return error.code == ENODEV || error.code == ENXIO || error.code == ENOENT;
}

} // namespace jetscope
