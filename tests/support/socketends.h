// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/link.h"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace jetscope::testing {

/// The two ends of a connection within this process.
inline Result<std::pair<LinkEnds, LinkEnds>> socketEnds()
{
    std::array<int, 2> both{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both.data()) != 0)
        return Error{"socketpair", errno, "no sockets"};
    return std::pair(LinkEnds{FileDescriptor(both[0]), FileDescriptor(::dup(both[0]))},
                     LinkEnds{FileDescriptor(both[1]), FileDescriptor(::dup(both[1]))});
}

} // namespace jetscope::testing
