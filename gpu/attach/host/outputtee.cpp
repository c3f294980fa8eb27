// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/outputtee.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr int kLookForEndMs = 50;

/// Gives up where nobody reads.
void writeAll(int to, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(to, bytes.data(), bytes.size());
        if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (written < 0 && errno == EAGAIN) {
            pollfd free{to, POLLOUT, 0};
            poll(&free, 1, kLookForEndMs);
        } else if (written >= 0 || errno != EINTR) {
            return;
        }
    }
}

} // namespace

OutputTee::OutputTee(int from, int to) : m_from(from), m_to(to), m_thread([this] { run(); }) {}

void OutputTee::finish()
{
    m_ends = true;
    if (m_thread.joinable())
        m_thread.join();
}

std::vector<TrackedKernel> OutputTee::kernels() const
{
    const std::scoped_lock lock(m_mutex);
    return m_text.kernels();
}

/// False if nothing more can come. A terminal whose last writer has closed it reports an error.
bool OutputTee::passOn()
{
    std::array<char, 65536> bytes{};
    for (;;) {
        const ssize_t got = read(m_from, bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 && errno == EAGAIN;
        const std::string_view piece(bytes.data(), static_cast<std::size_t>(got));
        {
            const std::scoped_lock lock(m_mutex);
            m_text.add(piece);
        }
        writeAll(m_to, piece);
    }
}

void OutputTee::run()
{
    for (bool ends = false; !ends;) {
        ends = m_ends; // Before the last look.
        pollfd ready{m_from, POLLIN, 0};
        poll(&ready, 1, ends ? 0 : kLookForEndMs);
        if (!passOn())
            return;
    }
}

} // namespace jetscope
