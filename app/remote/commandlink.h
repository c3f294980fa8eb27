// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/remote/messagepipe.h"
#include "app/remote/redial.h"
#include "core/remote/reach/reachboard.h"
#include "core/result.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <poll.h>

namespace jetscope {

/// The connection to the server of one command on a board (CommandServer), which is made again when it is cut. What was
/// on its way is lost then: whoever uses it notices by `connection`. One thread; nothing blocks but the end.
class CommandLink {
public:
    /// What starts or finds that server on the board.
    static std::vector<std::string> arguments(const std::string &id);

    CommandLink(const BoardAddress &address, ReachedBoard board, const std::string &id);
    /// Says goodbye, which ends the server; over another connection if that may be lost with this one.
    ~CommandLink();
    CommandLink(const CommandLink &) = delete;
    CommandLink &operator=(const CommandLink &) = delete;

    /// Reads, writes and dials; after each wait for at most kLongestWait.
    void work();
    std::array<pollfd, 3> sources() const;
    static constexpr std::chrono::milliseconds kLongestWait{500};

    /// The number of the present connection, from 1; 0: there is none now.
    std::uint32_t connection() const { return m_isUp ? m_connection : 0; }
    /// Why there will be none any more.
    const std::optional<Error> &lost() const { return m_lost; }
    /// Nobody waits for the board any more.
    void giveUp();
    /// How long the board has been away, and why; zero while it is not.
    std::chrono::milliseconds away() const;
    const std::string &trouble() const { return m_trouble; }
    /// How long it was away the last time; once.
    std::optional<std::chrono::milliseconds> takeAbsence() { return std::exchange(m_absence, std::nullopt); }

    // While there is a connection.

    template <class T>
    void send(const T &content)
    {
        m_pipe->send(content);
    }
    void push() { m_pipe->push(); }
    bool mayAddBulk() const { return m_pipe->mayAddBulk(); }
    std::optional<Message> next();
    /// How the board's clock is to ours now; none before its first answer.
    std::optional<ClockOffset> clock() const;
    /// Of the command's files, on the board.
    const std::string &folder() const { return m_folder; }

private:
    void connect(ReachedBoard board);
    void redial();
    void speak();
    bool takeHello();
    void cut();
    bool sayGoodbye();
    Error ended();

    const BoardAddress m_address;
    const std::string m_id;
    ReachedBoard m_board;
    std::optional<MessagePipe> m_pipe; ///< None while it is dialled.
    std::optional<Redial> m_redial;
    bool m_isUp = false; ///< The far end has said hello.
    std::uint32_t m_connection = 0;
    std::string m_folder;
    std::string m_bootId;
    std::optional<Error> m_lost;
    std::string m_trouble;
    std::int64_t m_awaySinceNs = 0; ///< By nowWithSleepNs.
    std::optional<std::chrono::milliseconds> m_absence;
    std::chrono::steady_clock::time_point m_nextPing;
    std::uint64_t m_answers = 0; ///< Of the present connection, for which a further ping was sent.
};

} // namespace jetscope
