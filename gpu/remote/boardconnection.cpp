// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/boardconnection.h"

#include "core/time/clock.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLongestHello{20};
constexpr std::chrono::seconds kLongestJoin{10};
constexpr std::chrono::milliseconds kFirstPause{250};
/// A connection that lasts so long was of use.
constexpr std::chrono::seconds kShortestUse{1};
constexpr std::chrono::seconds kLongestPause{8};

/// Of a time by nowWithSleepNs.
std::chrono::milliseconds since(std::int64_t thenNs)
{
    return std::chrono::milliseconds((nowWithSleepNs() - thenNs) / 1'000'000);
}

} // namespace

BoardConnection::BoardConnection(Owner &owner, Dialer dial, const RemoteWish &wish)
    : m_owner(owner), m_dial(std::move(dial)), m_silence(wish.longestSilence, wish.slept)
{
}

BoardConnection::~BoardConnection()
{
    end();
}

Status BoardConnection::connect()
{
    JETSCOPE_TRY(dial());
    m_thread = std::thread([this] { keepConnected(); });
    return {};
}

void BoardConnection::end()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable())
        m_thread.join();
    // A connection ends without the lock, which its last messages take.
    std::unique_lock lock(m_mutex);
    m_isUp = false;
    const std::shared_ptr<Link> last = std::move(m_link);
    lock.unlock();
}

/// Connects and joins.
Status BoardConnection::dial()
{
    JETSCOPE_TRY_ASSIGN(LinkEnds ends, m_dial());
    auto link = std::make_shared<Link>(std::move(ends), Link::MeasuresClock::Yes);
    link->start([this, raw = link.get()](const Message &message) { came(*raw, message); },
                [this, raw = link.get()](const std::optional<Error> &why) { ended(*raw, why); });
    JETSCOPE_TRY_ASSIGN(const Hello board, link->waitForHello(kLongestHello));
    std::unique_lock lock(m_mutex);
    m_link = link;
    m_board = board;
    m_silence.begin();
    const std::uint32_t before = m_number;
    lock.unlock();
    link->send(messageOf(m_owner.joinFor(board)));
    lock.lock();
    m_changed.wait_for(lock, kLongestJoin, [&] { return m_number != before || link->isOver() || m_ends; });
    if (m_number != before)
        return {};
    m_link.reset();
    lock.unlock();
    return Error{"", 0, "The board does not answer"};
}

/// Dials anew whenever the connection is cut.
void BoardConnection::keepConnected()
{
    std::chrono::milliseconds pause{0};
    auto connectedAt = Clock::now();
    bool wasConnected = true; // Else no connection could be made since.
    std::unique_lock lock(m_mutex);
    for (;;) {
        while (!m_changed.wait_for(lock, m_silence.every(), [this] { return m_ends || !m_isUp; })) {
            m_silence.look(*m_link);
            const std::shared_ptr<Link> link = m_link;
            lock.unlock();
            m_owner.look(*link);
            lock.lock();
        }
        std::shared_ptr<Link> before = std::move(m_link);
        lock.unlock(); // A connection ends without the lock, which its last messages take.
        before.reset();
        lock.lock();
        // A board that is left at once again and again, because of what it sends, is not dialled without a pause.
        if (std::exchange(wasConnected, false)
            && Clock::now() - connectedAt > std::max<std::chrono::milliseconds>(pause, kShortestUse))
            pause = std::chrono::milliseconds(0);
        if (m_changed.wait_for(lock, pause, [this] { return m_ends; }))
            return;
        pause = std::clamp<std::chrono::milliseconds>(2 * pause, kFirstPause, kLongestPause);
        lock.unlock();
        const Status dialled = dial();
        lock.lock();
        if (!dialled.ok()) {
            m_trouble = dialled.error().text;
            continue;
        }
        connectedAt = Clock::now();
        wasConnected = true;
        lock.unlock();
        m_owner.connectedAgain();
        lock.lock();
    }
}

void BoardConnection::came(Link &link, const Message &message)
{
    if (!m_owner.take(message))
        return link.fail(Error{"", 0, "The board sent what cannot be: " + std::string(nameOf(message.kind))});
    if (message.kind != MessageKind::Joined)
        return;
    {
        const std::lock_guard lock(m_mutex);
        if (m_link.get() != &link || m_isUp)
            return; // It says anew who gives the orders.
        m_isUp = true;
        if (m_number++ > 0)
            m_lastAway = since(m_awaySinceNs);
        m_trouble.clear();
    }
    m_changed.notify_all();
}

void BoardConnection::ended(const Link &link, const std::optional<Error> &why)
{
    const std::string text = why ? why->text : "The board closed the connection";
    {
        const std::lock_guard lock(m_mutex);
        if (m_link.get() == &link && std::exchange(m_isUp, false)) {
            m_awaySinceNs = link.heardNs();
            m_trouble = text;
            ++m_cuts;
        }
    }
    m_changed.notify_all();
    m_owner.cut(text);
}

bool BoardConnection::send(Message message)
{
    return sendOver(std::move(message)) > 0;
}

std::uint32_t BoardConnection::sendOver(Message message)
{
    const std::lock_guard lock(m_mutex);
    if (!m_isUp)
        return 0;
    m_link->send(std::move(message));
    return m_number;
}

std::uint32_t BoardConnection::number() const
{
    const std::lock_guard lock(m_mutex);
    return m_isUp ? m_number : 0;
}

bool BoardConnection::waitUntilConnected(std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, timeout, [this] { return m_isUp; });
}

std::string BoardConnection::trouble() const
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

void BoardConnection::tell(RemoteState &state) const
{
    const std::lock_guard lock(m_mutex);
    state.isConnected = m_isUp;
    state.board = m_board;
    state.trouble = m_trouble;
    state.away = m_isUp ? m_lastAway : since(m_awaySinceNs);
    state.cuts = m_cuts;
    if (m_link) {
        state.notSent = m_link->farNotSent();
        state.clockOffset = m_link->clockOffset();
        state.bytesRead = m_link->bytesRead();
    }
}

} // namespace jetscope
