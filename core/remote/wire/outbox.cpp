// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/outbox.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::int64_t kMaxCredit = std::int64_t{1} << 40;

/// In bytes, by class; 0: needs no credit.
constexpr std::array<std::uint32_t, kMessageClassCount> kWindows{0, 0, 64 << 10, 128 << 10, 256 << 10, 64 << 10};

std::uint32_t windowOf(MessageClass messageClass)
{
    return kWindows[static_cast<std::size_t>(messageClass)];
}

/// How much is granted at once: of Bulk little, because who sends it learns from grants how fast the link is.
std::uint32_t grantOf(MessageClass messageClass)
{
    return windowOf(messageClass) / (messageClass == MessageClass::Bulk ? 16 : 2);
}

/// Credit is taken when it is added, so that the window bounds what waits here, too.
bool isDropped(MessageClass messageClass)
{
    return windowOf(messageClass) > 0 && messageClass != MessageClass::Bulk;
}

} // namespace

Outbox::Added Outbox::add(Message message)
{
    const MessageClass messageClass = classOf(message.kind);
    Queue &queue = at(messageClass);
    const std::size_t bytes = message.content.size();
    if (bytes > kMaxMessageBytes || (!isDropped(messageClass) && queue.waitingBytes + bytes > kMaxWaiting)) {
        m_hasOverflown = true;
        return Added::Overflow;
    }
    if (messageClass == MessageClass::Pictures && !queue.messages.empty()) {
        queue.credit += static_cast<std::int64_t>(std::exchange(queue.waitingBytes, 0));
        queue.messages.clear();
        countNotSent(messageClass);
    }
    if (isDropped(messageClass)) {
        if (queue.credit <= 0) {
            countNotSent(messageClass);
            return Added::NoCredit;
        }
        queue.credit -= static_cast<std::int64_t>(bytes);
    }
    queue.waitingBytes += bytes;
    queue.messages.push_back(std::move(message));
    return Added::Yes;
}

void Outbox::grant(const Grant &grant)
{
    std::int64_t &credit = at(grant.messageClass).credit;
    credit = std::min(credit + std::int64_t{grant.bytes}, kMaxCredit);
}

bool Outbox::maySend(MessageClass messageClass) const
{
    const Queue &queue = at(messageClass);
    return !queue.messages.empty() && (messageClass != MessageClass::Bulk || (queue.credit > 0 && !m_holdsBulk));
}

bool Outbox::hasNext() const
{
    for (std::size_t i = 0; i < kMessageClassCount; ++i)
        if (maySend(static_cast<MessageClass>(i)))
            return true;
    return false;
}

std::optional<Message> Outbox::next()
{
    for (std::size_t i = 0; i < kMessageClassCount; ++i) {
        const auto messageClass = static_cast<MessageClass>(i);
        if (!maySend(messageClass))
            continue;
        Queue &queue = at(messageClass);
        Message message = std::move(queue.messages.front());
        queue.messages.pop_front();
        queue.waitingBytes -= message.content.size();
        if (messageClass == MessageClass::Bulk)
            queue.credit -= static_cast<std::int64_t>(message.content.size());
        return message;
    }
    return std::nullopt;
}

std::size_t Outbox::waitingBytes() const
{
    std::size_t bytes = 0;
    for (const Queue &queue : m_queues)
        bytes += queue.waitingBytes;
    return bytes;
}

std::vector<Grant> CreditWindows::whole()
{
    std::vector<Grant> grants;
    for (std::size_t i = 0; i < kMessageClassCount; ++i)
        if (kWindows[i] > 0)
            grants.push_back({static_cast<MessageClass>(i), kWindows[i]});
    return grants;
}

std::uint32_t CreditWindows::windowOf(MessageClass messageClass)
{
    return jetscope::windowOf(messageClass);
}

std::uint32_t CreditWindows::grantOf(MessageClass messageClass)
{
    return jetscope::grantOf(messageClass);
}

std::optional<Grant> CreditWindows::taken(const Message &message)
{
    const MessageClass messageClass = classOf(message.kind);
    if (windowOf(messageClass) == 0)
        return std::nullopt;
    std::uint32_t &taken = m_taken[static_cast<std::size_t>(messageClass)];
    taken += static_cast<std::uint32_t>(message.content.size());
    if (taken < jetscope::grantOf(messageClass))
        return std::nullopt;
    return Grant{messageClass, std::exchange(taken, 0)};
}

} // namespace jetscope
