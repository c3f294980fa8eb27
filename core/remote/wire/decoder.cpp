// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/framehead.h"
#include "core/remote/wire/framing.h"
#include "core/remote/wire/packing.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxHelloBytes = 64 << 10;
/// More room than this is given back once it is empty.
constexpr std::size_t kKeptRoom = 1 << 20;

std::string_view asText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

void Decoder::feed(std::span<const std::byte> bytes)
{
    if (!m_error)
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
}

std::optional<Message> Decoder::next()
{
    if (m_error || !findMarker() || left().size() < kFrameHeadBytes)
        return std::nullopt;
    const FrameHead head = *fromBytes<FrameHead>(left().first(kFrameHeadBytes));
    const std::size_t most = m_hello ? kMaxMessageBytes : kMaxHelloBytes;
    if (head.size > most) {
        fail("a message of " + std::to_string(head.size) + " bytes");
        return std::nullopt;
    }
    if (head.sequence != m_sequence) {
        fail("message " + std::to_string(head.sequence) + " in place of " + std::to_string(m_sequence));
        return std::nullopt;
    }
    if (left().size() < kFrameHeadBytes + head.size)
        return std::nullopt;
    std::optional<Message> message = content(head.kind, left().subspan(kFrameHeadBytes, head.size));
    drop(kFrameHeadBytes + head.size);
    ++m_sequence;
    if (message && !m_hello && !readHello(*message))
        return std::nullopt;
    return message;
}

bool Decoder::findMarker()
{
    if (m_isMarked)
        return true;
    const std::string_view text = asText(left());
    const std::size_t at = text.substr(0, kMaxNoise + kMarker.size()).find(kMarker);
    m_noise = text.substr(0, std::min({at, text.size(), kMaxNoise}));
    if (at == std::string_view::npos) {
        if (text.size() >= kMaxNoise + kMarker.size())
            fail("other text than Jetscope's");
        return false;
    }
    m_isMarked = true;
    drop(at + kMarker.size());
    return true;
}

bool Decoder::readHello(const Message &message)
{
    if (message.kind != MessageKind::Hello) {
        fail("no hello at first");
        return false;
    }
    m_hello = contentOf<Hello>(message);
    if (m_hello && m_hello->protocol == kProtocol)
        return true;
    Wire wire(message.content);
    Hello other;
    wire(other.protocol, other.build);
    if (other.protocol == kProtocol) {
        fail("a hello that cannot be read");
        return false;
    }
    m_hello = other;
    m_error = Error{"", static_cast<long>(other.protocol),
                    "The far end is another version of Jetscope: it speaks protocol " + std::to_string(other.protocol)
                        + ", this one protocol " + std::to_string(kProtocol)};
    return false;
}

std::optional<Message> Decoder::content(std::uint8_t kindByte, std::span<const std::byte> bytes)
{
    const unsigned kind = kindByte & ~kPackedBit;
    if (kind >= kMessageKindCount || (kind == 0 && m_hello)) {
        fail("a message of an unknown kind");
        return std::nullopt;
    }
    Message message{static_cast<MessageKind>(kind), {}};
    if ((kindByte & kPackedBit) == 0) {
        message.content.assign(bytes.begin(), bytes.end());
        return message;
    }
    std::optional<std::vector<std::byte>> unpacked = unpack(bytes, m_hello ? kMaxMessageBytes : kMaxHelloBytes);
    if (!unpacked) {
        fail("a packed message that cannot be unpacked");
        return std::nullopt;
    }
    message.content = std::move(*unpacked);
    return message;
}

void Decoder::drop(std::size_t bytes)
{
    m_at += bytes;
    // Moved once half is read, so that each byte is moved about once.
    if (m_at < m_bytes.size() - m_at)
        return;
    m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_at));
    m_at = 0;
    if (m_bytes.size() < kKeptRoom && m_bytes.capacity() > kKeptRoom)
        m_bytes.shrink_to_fit();
}

void Decoder::fail(std::string text)
{
    m_error = Error{"", 0, "The far end sent " + std::move(text)};
    m_bytes = {};
    m_at = 0;
}

std::optional<Error> Decoder::errorAtEnd() const
{
    if (m_error)
        return m_error;
    if (!m_isMarked)
        return Error{"", 0, "The far end ended before Jetscope answered there"};
    if (m_at < m_bytes.size())
        return Error{"", 0, "The connection was cut within a message"};
    return std::nullopt;
}

} // namespace jetscope
