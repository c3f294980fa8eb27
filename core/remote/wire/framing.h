// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/contents.h"
#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

// The stream between two ends: the marker, then frames, the first of them a Hello. Bytes in, messages out, whatever
// carries the bytes. A frame is a u32 with the size of its content, a u8 with the kind of the message (the highest bit:
// the content is packed), a u32 that counts the frames from 0, and the content. Numbers are little endian.

inline constexpr std::string_view kMarker = "JETSCOPE1\n";
/// The marker stands within so many bytes; what precedes it is what login scripts print.
inline constexpr std::size_t kMaxNoise = 64 << 10;
inline constexpr std::size_t kFrameHeadBytes = 9;

/// Messages to bytes, in the order in which they are sent. Not thread-safe.
class Encoder {
public:
    /// The marker and the hello; before all others.
    std::vector<std::byte> begin(const Hello &hello);
    std::vector<std::byte> encode(const Message &message);
    /// Packs large messages from now on, if this build can: the far end has kZstdFeature.
    void allowPacking() { m_packs = true; }

private:
    std::uint32_t m_sequence = 0;
    bool m_packs = false;
};

/// Bytes to messages. The bytes may come in any pieces and from a hostile end. Not thread-safe.
class Decoder {
public:
    void feed(std::span<const std::byte> bytes);
    /// The next whole message; none until more bytes come, and none ever after an error.
    std::optional<Message> next();

    /// The far end's, once its message came. With another protocol nothing else is read of it but number and build.
    const std::optional<Hello> &hello() const { return m_hello; }
    /// What came before the marker, or instead of it. May hold any bytes.
    const std::string &noise() const { return m_noise; }
    const std::optional<Error> &error() const { return m_error; }
    /// What to say when the bytes end here: nothing if they end between two messages.
    std::optional<Error> errorAtEnd() const;

private:
    bool findMarker();
    bool readHello(const Message &message);
    std::optional<Message> content(std::uint8_t kindByte, std::span<const std::byte> bytes);
    std::span<const std::byte> left() const { return std::span(m_bytes).subspan(m_at); }
    void drop(std::size_t bytes);
    void fail(std::string text);

    std::vector<std::byte> m_bytes;
    std::size_t m_at = 0; ///< What precedes was read.
    std::uint32_t m_sequence = 0;
    bool m_isMarked = false;
    std::string m_noise;
    std::optional<Hello> m_hello;
    std::optional<Error> m_error;
};

} // namespace jetscope
