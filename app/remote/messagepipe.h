// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/clockoffset.h"
#include "core/remote/wire/framing.h"
#include "core/remote/wire/wireend.h"
#include "core/result.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <poll.h>

namespace jetscope {

/// Messages over two descriptors, without a thread: for whoever also waits for other descriptors. Neither descriptor is
/// closed here.
class MessagePipe {
public:
    MessagePipe(int in, int out, const Hello &own);

    template <class T>
    void send(const T &content)
    {
        m_end.outbox().add(messageOf(content));
    }
    /// Whether the far end took what was sent of files and texts.
    bool mayAddBulk() const { return m_end.outbox().wantsBulk(); }

    /// What to wait for. -1 in place of a descriptor that there is nothing to wait for.
    std::array<pollfd, 2> sources() const;
    /// Reads and writes without waiting; after each wait. Then take all messages: no wait tells of what was read.
    void work();
    /// Writes without waiting; after something was sent.
    void push() { write(); }
    /// The next message that is not about the connection itself.
    std::optional<Message> next();
    /// Says goodbye, and writes what waits for at most so long.
    void close(int timeoutMs, const std::string &reason = {});

    const std::optional<Hello> &hello() const { return m_end.farHello(); }
    /// Why the far end closed the connection, if it did so on purpose; may be empty.
    const std::optional<std::string> &farGoodbye() const { return m_end.farGoodbye(); }
    /// Whether a ping came back: all that was sent before it is there.
    bool isAnswered() const { return m_isAnswered; }
    /// The clock of the far end, as far as pings came back.
    const ClockOffsetMeter &clock() const { return m_clock; }
    /// How many came back.
    std::uint64_t answers() const { return m_answers; }
    /// How long nothing has come, while this machine did not sleep.
    std::chrono::milliseconds silence() const;
    /// When something came last, by nowWithSleepNs.
    std::int64_t heardNs() const { return m_heardWithSleepNs; }
    /// The connection has ended, and all messages were taken. The error is empty if it ended between two messages.
    bool isOver() const { return m_isOver; }
    std::optional<Error> error() const;

private:
    void read();
    void write();
    void noteAnswer(const Message &message);

    int m_in;
    int m_out;
    Encoder m_encoder;
    Decoder m_decoder;
    WireEnd m_end;
    std::vector<std::byte> m_bytes; ///< To write.
    std::size_t m_written = 0;
    std::int64_t m_heardNs;
    std::int64_t m_heardWithSleepNs;
    bool m_hasEnded = false; ///< Nothing more can be read.
    bool m_isOver = false;
    bool m_isAnswered = false;
    ClockOffsetMeter m_clock;
    std::uint64_t m_answers = 0;
};

} // namespace jetscope
