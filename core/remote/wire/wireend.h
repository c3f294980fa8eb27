// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/bulkpace.h"
#include "core/remote/wire/clockoffset.h"
#include "core/remote/wire/contents.h"
#include "core/remote/wire/outbox.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jetscope {

/// What an end of a stream says and answers by itself, whoever carries the bytes: the first credit, hello, pings,
/// credit for what was used, goodbye. Not thread-safe.
class WireEnd {
public:
    WireEnd();

    /// What this end sends, beside its hello.
    Outbox &outbox() { return m_outbox; }
    const Outbox &outbox() const { return m_outbox; }
    /// The next message to send: Outbox::next, with little of Bulk on its way. Its sender calls `sent` before it asks
    /// for another one.
    std::optional<Message> next() { return m_outbox.next(); }
    /// `onLink`: the bytes that the message is there.
    void sent(const Message &message, std::size_t onLink, std::int64_t nowNs);
    /// Whether the message was for this end itself. Others are the owner's, who calls `used` behind each.
    bool takes(const Message &message, std::int64_t cameNs);
    /// Grants the far end what it may send in place of such messages. Whether there is a grant to send.
    bool used(const Message &message);
    /// Nothing is to be sent behind it. Once.
    void sayGoodbye(const std::string &reason);

    /// The far end's, once it came.
    const std::optional<Hello> &farHello() const { return m_farHello; }
    /// Whether the far end reads packed messages.
    bool mayPack() const { return m_mayPack; }
    /// Why the far end closed the stream; none while it has not. It may be empty.
    const std::optional<std::string> &farGoodbye() const { return m_farGoodbye; }
    bool hasSaidGoodbye() const { return m_hasSaidGoodbye; }
    /// What the far end did not send, as it said.
    const NotSent &farNotSent() const { return m_farNotSent; }
    /// Of the pongs that came.
    ClockOffsetMeter &clock() { return m_clock; }
    const ClockOffsetMeter &clock() const { return m_clock; }

private:
    void takeGrant(const Grant &grant, std::int64_t cameNs);

    Outbox m_outbox;
    BulkPace m_pace{CreditWindows::windowOf(MessageClass::Bulk), CreditWindows::grantOf(MessageClass::Bulk)};
    CreditWindows m_windows;
    std::optional<Hello> m_farHello;
    std::optional<std::string> m_farGoodbye;
    NotSent m_farNotSent;
    ClockOffsetMeter m_clock;
    bool m_mayPack = false;
    bool m_hasSaidGoodbye = false;
};

} // namespace jetscope
