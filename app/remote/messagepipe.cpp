// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/messagepipe.h"

#include "core/time/clock.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace jetscope {

MessagePipe::MessagePipe(int in, int out, const Hello &own)
    : m_in(in), m_out(out), m_bytes(m_encoder.begin(own)), m_heardNs(nowNs()), m_heardWithSleepNs(nowWithSleepNs())
{
    for (const int descriptor : {in, out})
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

std::array<pollfd, 2> MessagePipe::sources() const
{
    const bool writes = m_written < m_bytes.size() || m_end.outbox().hasNext();
    return {{{m_hasEnded ? -1 : m_in, POLLIN, 0}, {writes && !m_isOver ? m_out : -1, POLLOUT, 0}}};
}

void MessagePipe::work()
{
    read();
    write();
}

void MessagePipe::read()
{
    std::array<std::byte, 32 * 1024> bytes;
    for (int i = 0; i < 8 && !m_hasEnded; ++i) { // Others wait, too.
        const ssize_t count = ::read(m_in, bytes.data(), bytes.size());
        if (count > 0) {
            m_decoder.feed(std::span(bytes).first(static_cast<std::size_t>(count)));
            m_heardNs = nowNs();
            m_heardWithSleepNs = nowWithSleepNs();
        } else if (count == 0 || (errno != EAGAIN && errno != EINTR))
            m_hasEnded = true;
        else
            return;
    }
}

void MessagePipe::write()
{
    while (!m_isOver) {
        if (m_written == m_bytes.size()) {
            const std::optional<Message> message = m_end.next();
            if (!message)
                return;
            m_bytes = m_encoder.encode(*message);
            m_end.sent(*message, m_bytes.size(), nowNs());
            m_written = 0;
        }
        const ssize_t count = ::write(m_out, m_bytes.data() + m_written, m_bytes.size() - m_written);
        if (count > 0)
            m_written += static_cast<std::size_t>(count);
        else if (errno == EAGAIN)
            return;
        else if (errno != EINTR)
            m_isOver = true;
    }
}

std::optional<Message> MessagePipe::next()
{
    while (std::optional<Message> message = m_decoder.next()) {
        if (m_end.takes(*message, nowNs())) {
            if (m_end.mayPack())
                m_encoder.allowPacking();
            m_hasEnded = m_hasEnded || m_end.farGoodbye();
            if (message->kind == MessageKind::Pong)
                noteAnswer(*message);
            continue;
        }
        m_end.used(*message);
        return message;
    }
    m_isOver = m_isOver || m_hasEnded || m_decoder.error() || m_end.outbox().hasOverflown();
    return std::nullopt;
}

void MessagePipe::noteAnswer(const Message &message)
{
    m_isAnswered = true;
    ++m_answers;
    if (const std::optional<Pong> pong = contentOf<Pong>(message))
        m_clock.add(*pong, nowNs());
}

void MessagePipe::close(int timeoutMs, const std::string &reason)
{
    m_end.sayGoodbye(reason);
    const std::int64_t end = nowNs() + std::int64_t{timeoutMs} * 1'000'000;
    for (write(); sources()[1].fd >= 0 && nowNs() < end; work()) {
        std::array<pollfd, 2> waits = sources();
        poll(waits.data(), waits.size(), 20);
        while (next()) {} // Only grants are of interest.
    }
}

std::chrono::milliseconds MessagePipe::silence() const
{
    return std::chrono::milliseconds((nowNs() - m_heardNs) / 1'000'000);
}

std::optional<Error> MessagePipe::error() const
{
    return m_decoder.error() ? m_decoder.error() : m_decoder.errorAtEnd();
}

} // namespace jetscope
