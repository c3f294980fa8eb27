// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/framing.h"
#include "core/remote/wire/wireend.h"
#include "core/result.h"
#include "core/system/filedescriptor.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace jetscope {

/// The two directions of a connection, as pipes or sockets. One socket stands in both.
struct LinkEnds {
    FileDescriptor in;
    FileDescriptor out;
    std::shared_ptr<void> carrier{}; ///< What carries the bytes, such as a process of ssh; ends with the link.
};

/// Speaks over a connection, with a thread that reads and one that writes. It sends its hello at once, grants credit
/// for what was handled, answers pings and counts what is not sent. Any thread may call.
class Link {
public:
    /// A message other than those that the link itself answers. On the reading thread: what it needs long for delays
    /// the next one and the credit for it.
    using Handler = std::function<void(Message)>;
    /// Once, on the reading thread, behind all messages. `why` is empty if an end closed on purpose.
    using EndHandler = std::function<void(std::optional<Error> why)>;
    enum class MeasuresClock { No, Yes }; ///< Yes: it pings, to know the far end's clock.

    explicit Link(LinkEnds ends, MeasuresClock measures = MeasuresClock::No);
    /// As `stop`.
    ~Link();
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;

    void start(Handler onMessage, EndHandler onEnd);
    /// The far end's hello, waited for; the error says what came in its place.
    Result<Hello> waitForHello(std::chrono::milliseconds timeout);

    /// Never waits. False: it was not sent for want of credit, or the connection is over.
    bool send(Message message);
    /// Whether a message of a class that needs credit would be sent.
    bool hasCredit(MessageClass messageClass) const;
    /// Gives what is sent when nothing else is, message by message: of Bulk, and as fast as the far end takes it.
    /// Called on the writing thread until it gives none; then it is forgotten. Null: an earlier one is.
    void setSource(std::function<std::optional<Message>()> source);
    /// Waits until all of Bulk that was sent before is on its way: who sends files paces them so. False: it is over.
    bool waitForBulk();
    /// What waits here to be sent.
    std::size_t waitingBytes() const;
    /// Says goodbye and ends, behind all that needs no credit. The handlers are called as usual.
    void close(const std::string &reason = {});
    /// Ends at once: the far end sent what cannot be.
    void fail(Error why) { end(std::move(why)); }

    /// Says goodbye, sends what is urgent for at most a second, and waits until no handler is called any more. Not on
    /// its own threads.
    void stop();

    bool isOver() const;
    NotSent notSent() const;    ///< By this end.
    NotSent farNotSent() const; ///< By the far end, as it said.
    /// The far end's clock minus this one's; none before the first pings came back.
    std::optional<ClockOffset> clockOffset() const;
    /// One of the machines slept: the clocks are compared anew.
    void measureClockAnew();
    /// Asks the far end for a sign of life.
    void ping();
    /// How long nothing has come, while this machine did not sleep.
    std::chrono::milliseconds silence() const;
    /// When something came last, by nowWithSleepNs.
    std::int64_t heardNs() const;
    std::uint64_t bytesRead() const;

private:
    void read();
    bool readOnce();
    void handle(const Message &message);
    bool takesItself(const Message &message);
    bool isClosing() const { return m_end.hasSaidGoodbye() || m_end.farGoodbye(); }
    void write();
    void takeFromSource(std::unique_lock<std::mutex> &lock);
    bool writeAll(const std::vector<std::byte> &bytes);
    void addDue();
    void end(std::optional<Error> why);

    const LinkEnds m_ends;
    FileDescriptor m_stop; ///< An eventfd that becomes readable when both threads must end.
    Handler m_onMessage;
    EndHandler m_onEnd;
    Decoder m_decoder; ///< The reading thread's alone.

    mutable std::mutex m_mutex; ///< For all below.
    std::condition_variable m_changed;
    WireEnd m_end;
    std::shared_ptr<std::function<std::optional<Message>()>> m_source; ///< May be null.
    Encoder m_encoder;
    std::chrono::steady_clock::time_point m_nextPing;
    std::optional<Error> m_error; ///< Why it is over, if that was no choice.
    std::string m_noise;
    NotSent m_notSentSaid;
    std::chrono::steady_clock::time_point m_nextNotSent;
    std::chrono::steady_clock::time_point m_heardAt = std::chrono::steady_clock::now();
    std::int64_t m_heardNs = 0; ///< The same by the clock that counts sleep.
    std::uint64_t m_bytesRead = 0;
    std::size_t m_pings = 0; ///< Of the present round.
    bool m_isOver = false;

    std::thread m_reader;
    std::thread m_writer;
};

} // namespace jetscope
