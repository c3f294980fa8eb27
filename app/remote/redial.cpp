// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/redial.h"

#include <algorithm>
#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLongestPause{8'000};

void ring(const FileDescriptor &event)
{
    const std::uint64_t one = 1;
    static_cast<void>(::write(event.get(), &one, sizeof one) == sizeof one);
}

/// Whether it was rung since it was asked last.
bool wasRung(const FileDescriptor &event)
{
    std::uint64_t count = 0;
    return ::read(event.get(), &count, sizeof count) == sizeof count;
}

} // namespace

Redial::Redial(BoardAddress board, ReachWish wish)
    : m_board(std::move(board)),
      m_wish(std::move(wish)),
      m_done(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      m_cancel(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    m_wish.cancel = m_cancel.get();
}

Redial::~Redial()
{
    ring(m_cancel);
    if (m_thread.joinable())
        m_thread.join();
}

void Redial::begin()
{
    m_thread = std::thread([this] {
        m_result = reachBoard(m_board, m_wish);
        ring(m_done);
    });
}

std::optional<Result<ReachedBoard>> Redial::take()
{
    if (!m_thread.joinable()) {
        if (std::chrono::steady_clock::now() >= m_next)
            begin();
        return std::nullopt;
    }
    if (!wasRung(m_done))
        return std::nullopt;
    m_thread.join();
    m_next = std::chrono::steady_clock::now() + m_pause;
    m_pause = std::min(2 * m_pause, kLongestPause);
    return std::exchange(m_result, std::nullopt);
}

} // namespace jetscope
