// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/wakesignal.h"

#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace jetscope {

WakeSignal::WakeSignal() : m_fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

WakeSignal::~WakeSignal()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

void WakeSignal::raise()
{
    const std::uint64_t one = 1;
    // It can fail only after 2^64 raises.
    static_cast<void>(::write(m_fd, &one, sizeof one) == sizeof one);
}

void WakeSignal::lower()
{
    std::uint64_t raised = 0;
    static_cast<void>(::read(m_fd, &raised, sizeof raised) == sizeof raised); // Fails if it was not raised.
}

bool WakeSignal::raised() const
{
    pollfd file{m_fd, POLLIN, 0};
    return ::poll(&file, 1, 0) > 0;
}

} // namespace jetscope
