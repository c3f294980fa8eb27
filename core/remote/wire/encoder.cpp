// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/framehead.h"
#include "core/remote/wire/framing.h"
#include "core/remote/wire/packing.h"

namespace jetscope {

namespace {

/// Below, packing costs more than it brings.
constexpr std::size_t kLeastPacked = 4 << 10;

} // namespace

std::vector<std::byte> Encoder::begin(const Hello &hello)
{
    const auto marker = std::as_bytes(std::span(kMarker));
    std::vector<std::byte> bytes(marker.begin(), marker.end());
    const std::vector<std::byte> frame = encode(messageOf(hello));
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    return bytes;
}

std::vector<std::byte> Encoder::encode(const Message &message)
{
    std::optional<std::vector<std::byte>> packed;
    if (m_packs && message.content.size() >= kLeastPacked)
        packed = pack(message.content);
    const std::vector<std::byte> &content = packed ? *packed : message.content;
    FrameHead head;
    head.size = static_cast<std::uint32_t>(content.size());
    head.kind = static_cast<std::uint8_t>(static_cast<unsigned>(message.kind) | (packed ? kPackedBit : 0U));
    head.sequence = m_sequence++;
    std::vector<std::byte> bytes = toBytes(head);
    bytes.insert(bytes.end(), content.begin(), content.end());
    return bytes;
}

} // namespace jetscope
