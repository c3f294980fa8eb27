// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/link.h"

#include "core/time/clock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kReadBytes = 64 << 10;
constexpr std::chrono::seconds kLongestGoodbye{1};
constexpr std::chrono::seconds kNotSentEvery{1};
constexpr std::chrono::milliseconds kPingEvery{50};
constexpr std::chrono::seconds kPingRoundEvery{30};

/// A pipe whose reader is gone ends a connection, and not the program.
void blockBrokenPipe()
{
    sigset_t broken;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, nullptr);
}

Error systemError(const char *call)
{
    return {call, errno, std::string("The connection failed: ") + std::strerror(errno)};
}

Error unread()
{
    return {"", 0, "The far end does not read what it is told"};
}

/// Waits until a descriptor is ready or the other one says stop. False: stop.
bool waitFor(int descriptor, short events, int stop)
{
    std::array<pollfd, 2> waiting{{{descriptor, events, 0}, {stop, POLLIN, 0}}};
    while (::poll(waiting.data(), waiting.size(), -1) < 0)
        if (errno != EINTR)
            return false;
    return waiting[1].revents == 0;
}

} // namespace

Link::Link(LinkEnds ends, MeasuresClock measures)
    : m_ends(std::move(ends)), m_stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), m_heardNs(nowWithSleepNs())
{
    if (measures == MeasuresClock::No)
        m_nextPing = Clock::time_point::max();
}

Link::~Link()
{
    stop();
}

void Link::stop()
{
    close();
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, kLongestGoodbye, [this] { return m_isOver || !m_writer.joinable(); });
    }
    end(std::nullopt);
    for (std::thread *thread : {&m_writer, &m_reader})
        if (thread->joinable())
            thread->join();
}

void Link::start(Handler onMessage, EndHandler onEnd)
{
    m_onMessage = std::move(onMessage);
    m_onEnd = std::move(onEnd);
    m_writer = std::thread([this] { write(); });
    m_reader = std::thread([this] { read(); });
}

Result<Hello> Link::waitForHello(std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, timeout, [this] { return m_end.farHello() || m_isOver; });
    if (m_end.farHello() && !m_error)
        return *m_end.farHello();
    Error error = m_error.value_or(Error{"", 0, "The far end does not answer"});
    if (!m_noise.empty())
        error.text += "; it said: " + m_noise;
    return error;
}

bool Link::send(Message message)
{
    bool isTooMuch = false;
    {
        const std::lock_guard lock(m_mutex);
        if (m_isOver || isClosing())
            return false;
        const Outbox::Added added = m_end.outbox().add(std::move(message));
        if (added == Outbox::Added::NoCredit)
            return false;
        isTooMuch = added == Outbox::Added::Overflow;
    }
    if (isTooMuch)
        end(unread());
    m_changed.notify_all();
    return !isTooMuch;
}

void Link::setSource(std::function<std::optional<Message>()> source)
{
    std::shared_ptr<std::function<std::optional<Message>()>> before;
    {
        const std::lock_guard lock(m_mutex);
        before = std::move(m_source); // It may own files, which are closed without the lock.
        if (source)
            m_source = std::make_shared<std::function<std::optional<Message>()>>(std::move(source));
    }
    m_changed.notify_all();
}

bool Link::hasCredit(MessageClass messageClass) const
{
    const std::lock_guard lock(m_mutex);
    return m_end.outbox().hasCredit(messageClass);
}

bool Link::waitForBulk()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_end.outbox().wantsBulk() || m_isOver || isClosing(); });
    return !m_isOver && !isClosing();
}

void Link::close(const std::string &reason)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_isOver && !isClosing())
            m_end.sayGoodbye(reason);
    }
    m_changed.notify_all();
}

bool Link::isOver() const
{
    const std::lock_guard lock(m_mutex);
    return m_isOver;
}

NotSent Link::notSent() const
{
    const std::lock_guard lock(m_mutex);
    return m_end.outbox().notSent();
}

NotSent Link::farNotSent() const
{
    const std::lock_guard lock(m_mutex);
    return m_end.farNotSent();
}

std::optional<ClockOffset> Link::clockOffset() const
{
    const std::lock_guard lock(m_mutex);
    return m_end.clock().at(nowNs());
}

void Link::measureClockAnew()
{
    {
        const std::lock_guard lock(m_mutex);
        m_end.clock().forget();
        m_pings = 0;
        m_nextPing = {};
    }
    m_changed.notify_all();
}

void Link::ping()
{
    send(messageOf(Ping{nowNs()}));
}

std::chrono::milliseconds Link::silence() const
{
    const std::lock_guard lock(m_mutex);
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - m_heardAt);
}

std::int64_t Link::heardNs() const
{
    const std::lock_guard lock(m_mutex);
    return m_heardNs;
}

std::size_t Link::waitingBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_end.outbox().waitingBytes();
}

std::uint64_t Link::bytesRead() const
{
    const std::lock_guard lock(m_mutex);
    return m_bytesRead;
}

void Link::end(std::optional<Error> why)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!std::exchange(m_isOver, true) && !isClosing())
            m_error = std::move(why);
    }
    m_changed.notify_all();
    const std::uint64_t one = 1;
    while (::write(m_stop.get(), &one, sizeof one) < 0 && errno == EINTR) {}
}

// --- the reading thread

void Link::read()
{
    while (readOnce()) {}
    std::optional<Error> why;
    {
        const std::lock_guard lock(m_mutex);
        why = m_error;
    }
    m_changed.notify_all();
    if (m_onEnd)
        m_onEnd(std::move(why));
}

bool Link::readOnce()
{
    if (!waitFor(m_ends.in.get(), POLLIN, m_stop.get()))
        return false;
    std::array<std::byte, kReadBytes> bytes;
    const ssize_t size = ::read(m_ends.in.get(), bytes.data(), bytes.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (size <= 0) {
        end(size < 0 ? systemError("read") : m_decoder.errorAtEnd().value_or(Error{"", 0, "The connection was cut"}));
        return false;
    }
    m_decoder.feed(std::span(bytes).first(static_cast<std::size_t>(size)));
    while (const std::optional<Message> message = m_decoder.next())
        handle(*message);
    {
        const std::lock_guard lock(m_mutex);
        m_bytesRead += static_cast<std::uint64_t>(size);
        m_heardAt = Clock::now();
        m_heardNs = nowWithSleepNs();
        if (!m_end.farHello())
            m_noise = m_decoder.noise();
    }
    if (m_decoder.error())
        end(m_decoder.error());
    return !isOver();
}

void Link::handle(const Message &message)
{
    const bool isOurs = takesItself(message);
    if (!isOurs)
        m_onMessage(message);
    bool isTooMuch = false;
    {
        const std::lock_guard lock(m_mutex);
        if (!isOurs && !m_end.used(message))
            return;
        isTooMuch = m_end.outbox().hasOverflown();
    }
    if (isTooMuch)
        end(unread());
    m_changed.notify_all();
}

bool Link::takesItself(const Message &message)
{
    const std::int64_t cameNs = nowNs();
    std::optional<std::string> goodbye;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_end.takes(message, cameNs))
            return false;
        goodbye = m_end.farGoodbye();
        if (goodbye && !goodbye->empty() && !m_end.hasSaidGoodbye())
            m_error = Error{"", 0, *goodbye};
    }
    if (goodbye)
        end(std::nullopt);
    return true;
}

// --- the writing thread

void Link::write()
{
    blockBrokenPipe();
    bool isWritten = writeAll(m_encoder.begin(ownHello()));
    std::unique_lock lock(m_mutex);
    while (isWritten && !m_isOver) {
        addDue();
        if (const std::optional<Message> message = m_end.next()) {
            if (m_end.mayPack())
                m_encoder.allowPacking();
            lock.unlock();
            m_changed.notify_all();
            const std::vector<std::byte> bytes = m_encoder.encode(*message);
            lock.lock();
            m_end.sent(*message, bytes.size(), nowNs());
            lock.unlock();
            isWritten = writeAll(bytes);
            lock.lock();
        } else if (isClosing()) {
            break;
        } else if (m_source && m_end.outbox().maySendBulk()) {
            takeFromSource(lock);
        } else {
            m_changed.wait_until(lock, std::min(m_nextPing, m_nextNotSent));
        }
    }
    const bool isOver = m_isOver;
    lock.unlock();
    if (!isOver)
        end(isWritten ? std::nullopt : std::optional(systemError("write")));
}

/// With m_mutex locked, but not while the source works.
void Link::takeFromSource(std::unique_lock<std::mutex> &lock)
{
    auto source = m_source;
    lock.unlock();
    std::optional<Message> message = (*source)();
    lock.lock();
    if (m_source != source) // What another one is wanted of follows no more.
        message.reset();
    else if (message)
        m_end.outbox().add(*std::move(message));
    else
        m_source.reset();
    lock.unlock();
    source.reset();
    lock.lock();
}

/// With m_mutex locked: what time has come for.
void Link::addDue()
{
    const auto now = Clock::now();
    if (now >= m_nextNotSent) {
        m_nextNotSent = now + kNotSentEvery;
        if (m_end.outbox().notSent().messages != m_notSentSaid.messages) {
            m_notSentSaid = m_end.outbox().notSent();
            m_end.outbox().add(messageOf(m_notSentSaid));
        }
    }
    if (now < m_nextPing)
        return;
    m_nextPing = now + kPingEvery;
    if (!m_end.farHello())
        return;
    m_end.outbox().add(messageOf(Ping{nowNs()}));
    m_pings = (m_pings + 1) % ClockOffsetMeter::kPings;
    if (m_pings == 0)
        m_nextPing = now + kPingRoundEvery;
}

bool Link::writeAll(const std::vector<std::byte> &bytes)
{
    for (std::size_t at = 0; at < bytes.size();) {
        if (!waitFor(m_ends.out.get(), POLLOUT, m_stop.get()))
            return false;
        // So many bytes a pipe takes without waiting once it is ready.
        const ssize_t size =
            ::write(m_ends.out.get(), bytes.data() + at, std::min<std::size_t>(PIPE_BUF, bytes.size() - at));
        if (size < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        at += static_cast<std::size_t>(std::max<ssize_t>(0, size));
    }
    return true;
}

} // namespace jetscope
