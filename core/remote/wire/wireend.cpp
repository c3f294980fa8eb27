// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/wireend.h"

#include "core/time/clock.h"

#include <algorithm>
#include <utility>

namespace jetscope {

WireEnd::WireEnd()
{
    for (const Grant &grant : CreditWindows::whole())
        m_outbox.add(messageOf(grant));
}

bool WireEnd::takes(const Message &message, std::int64_t cameNs)
{
    switch (message.kind) {
    case MessageKind::Hello:
        m_farHello = contentOf<Hello>(message);
        m_mayPack = m_farHello
            && std::find(m_farHello->features.begin(), m_farHello->features.end(), kZstdFeature)
                != m_farHello->features.end();
        return true;
    case MessageKind::Goodbye:
        m_farGoodbye = contentOf<Goodbye>(message).value_or(Goodbye()).reason;
        return true;
    case MessageKind::Grant:
        if (const auto grant = contentOf<Grant>(message))
            takeGrant(*grant, cameNs);
        return true;
    case MessageKind::NotSent:
        m_farNotSent = contentOf<NotSent>(message).value_or(m_farNotSent);
        return true;
    case MessageKind::Ping:
        if (const auto ping = contentOf<Ping>(message); ping && !m_hasSaidGoodbye)
            m_outbox.add(messageOf(Pong{ping->sentNs, cameNs, nowNs()}));
        return true;
    case MessageKind::Pong:
        if (const auto pong = contentOf<Pong>(message))
            m_clock.add(*pong, cameNs);
        return true;
    default:
        return false;
    }
}

void WireEnd::takeGrant(const Grant &grant, std::int64_t cameNs)
{
    m_outbox.grant(grant);
    if (grant.messageClass != MessageClass::Bulk)
        return;
    m_pace.used(grant.bytes, cameNs);
    m_outbox.holdBulk(!m_pace.maySend());
}

void WireEnd::sent(const Message &message, std::size_t onLink, std::int64_t nowNs)
{
    if (classOf(message.kind) != MessageClass::Bulk)
        return;
    m_pace.sent(message.content.size(), onLink, nowNs);
    m_outbox.holdBulk(!m_pace.maySend());
}

bool WireEnd::used(const Message &message)
{
    const std::optional<Grant> grant = m_windows.taken(message);
    if (!grant || m_hasSaidGoodbye)
        return false;
    m_outbox.add(messageOf(*grant));
    return true;
}

void WireEnd::sayGoodbye(const std::string &reason)
{
    if (!std::exchange(m_hasSaidGoodbye, true))
        m_outbox.add(messageOf(Goodbye{reason}));
}

} // namespace jetscope
