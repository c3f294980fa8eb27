// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/remotehost.h"
#include "gpu/remote/silencewatch.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace jetscope {

/// A connection to a board that is dialled again, with growing pauses, whenever it is cut. Who joined is connected: the
/// server at the far end has answered. Any thread.
class BoardConnection {
public:
    /// Whose connection it is. Called without a lock of the connection, which calls none of these when it has ended.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// How to join a board that said this, on the thread that dials.
        virtual Join joinFor(const Hello &board) = 0;
        /// What came, on a reading thread. False: it cannot be.
        virtual bool take(const Message &message) = 0;
        /// It is connected again, on the thread that dials: what waited may be sent.
        virtual void connectedAgain() = 0;
        /// It was cut, and why.
        virtual void cut(const std::string &why) = 0;
        /// Now and then while it is connected.
        virtual void look(Link &link) = 0;
    };

    BoardConnection(Owner &owner, Dialer dial, const RemoteWish &wish);
    /// As `end`.
    ~BoardConnection();
    BoardConnection(const BoardConnection &) = delete;
    BoardConnection &operator=(const BoardConnection &) = delete;

    /// The first connection; fails if that is not possible at once.
    Status connect();
    /// Says goodbye, and dials no more.
    void end();

    /// False: there is no connection, and nothing was sent.
    bool send(Message message);
    /// The same, and the number of the connection that it went over; 0: there is none.
    std::uint32_t sendOver(Message message);
    /// Of the present connection, from 1; 0: there is none.
    std::uint32_t number() const;
    /// Waits at most so long until there is a connection. False: there is none.
    bool waitUntilConnected(std::chrono::milliseconds timeout);
    std::string trouble() const;
    /// Its part of the state.
    void tell(RemoteState &state) const;

private:
    Status dial();
    void keepConnected();
    void came(Link &link, const Message &message);
    void ended(const Link &link, const std::optional<Error> &why);

    Owner &m_owner;
    const Dialer m_dial;
    mutable std::mutex m_mutex; ///< For all below.
    std::condition_variable m_changed;
    SilenceWatch m_silence;
    std::shared_ptr<Link> m_link; ///< Null while there is none.
    bool m_isUp = false;          ///< It has joined, and was not cut.
    bool m_ends = false;
    std::uint32_t m_number = 0; ///< Of connections that joined.
    Hello m_board;
    std::string m_trouble;
    std::int64_t m_awaySinceNs = 0; ///< By nowWithSleepNs.
    std::chrono::milliseconds m_lastAway{0};
    std::uint32_t m_cuts = 0;
    std::thread m_thread;
};

} // namespace jetscope
