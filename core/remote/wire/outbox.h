// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/contents.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace jetscope {

/// What one end wants to send, by class. Whoever adds never waits: without credit nothing is sent, and what is not sent
/// is counted. Credit is counted in bytes of content before packing; a message may begin while any is left. Not
/// thread-safe.
class Outbox {
public:
    enum class Added { Yes, NoCredit, Overflow };
    /// Overflow: what needs no credit, or waits for it, has become kMaxWaiting because the far end reads nothing; then
    /// the connection must end, since nothing of it may be left out.
    static constexpr std::size_t kMaxWaiting = 32 << 20;
    Added add(Message message);
    /// Whether an `add` was one too many.
    bool hasOverflown() const { return m_hasOverflown; }
    /// More than 2^40 bytes are never granted together, whatever the far end says.
    void grant(const Grant &grant);
    /// Of a class that needs it.
    bool hasCredit(MessageClass messageClass) const { return at(messageClass).credit > 0; }
    /// Whether Bulk may be added without waiting here for long.
    bool wantsBulk() const { return at(MessageClass::Bulk).waitingBytes == 0; }

    /// Sends nothing of Bulk for now, whatever its credit.
    void holdBulk(bool holds) { m_holdsBulk = holds; }

    /// Whether one of Bulk would be sent at once.
    bool maySendBulk() const { return wantsBulk() && !m_holdsBulk && at(MessageClass::Bulk).credit > 0; }

    /// The most urgent message that may be sent now.
    std::optional<Message> next();
    bool hasNext() const;
    std::size_t waitingBytes() const;
    const NotSent &notSent() const { return m_notSent; }

private:
    struct Queue {
        std::deque<Message> messages;
        std::size_t waitingBytes = 0;
        std::int64_t credit = 0;
    };
    Queue &at(MessageClass messageClass) { return m_queues[static_cast<std::size_t>(messageClass)]; }
    const Queue &at(MessageClass messageClass) const { return m_queues[static_cast<std::size_t>(messageClass)]; }
    bool maySend(MessageClass messageClass) const;
    void countNotSent(MessageClass messageClass) { ++m_notSent.messages[static_cast<std::size_t>(messageClass)]; }

    std::array<Queue, kMessageClassCount> m_queues;
    NotSent m_notSent;
    bool m_holdsBulk = false;
    bool m_hasOverflown = false;
};

/// Grants credit as messages are taken, so that the far end has at most a window of each class on the way. The windows
/// bound the delay of what is urgent: half a second at 2 Mbit/s.
class CreditWindows {
public:
    /// The first grants: whole windows.
    static std::vector<Grant> whole();
    static std::uint32_t windowOf(MessageClass messageClass);
    /// Of content that is used before any is granted anew.
    static std::uint32_t grantOf(MessageClass messageClass);
    /// To send, if there is one, after a message was taken and used.
    std::optional<Grant> taken(const Message &message);

private:
    std::array<std::uint32_t, kMessageClassCount> m_taken{};
};

} // namespace jetscope
