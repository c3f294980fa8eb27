// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/wholefile.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

namespace jetscope {

namespace {

using Head = std::array<std::uint8_t, 12>;

/// Bytes of an open file; none behind its end.
class Bytes {
public:
    explicit Bytes(AVIOContext &file) : m_file(file) {}
    std::int64_t size() { return avio_size(&m_file); }
    bool read(std::int64_t at, Head &into)
    {
        into.fill(0);
        return avio_seek(&m_file, at, SEEK_SET) == at
            && avio_read(&m_file, into.data(), static_cast<int>(into.size())) > 0;
    }

private:
    AVIOContext &m_file;
};

/// Large files are several of these, one behind the other.
FileExtent extentOfRiff(Bytes &bytes)
{
    constexpr int kMostChunks = 4096;
    constexpr std::uint32_t kStreamed = 0xffffffff;
    Head head{};
    std::int64_t at = 0;
    for (int i = 0; i < kMostChunks && bytes.read(at, head) && std::memcmp(head.data(), "RIFF", 4) == 0; ++i) {
        std::uint32_t length = 0;
        for (std::size_t k = 4; k > 0; --k)
            length = length << 8 | head[3 + k];
        if (length == 0 || length == kStreamed)
            return FileExtent::Unknown;
        at += 8 + std::int64_t{length};
        if (at > bytes.size())
            return FileExtent::Cut;
        at += length % 2;
    }
    return FileExtent::Whole;
}

/// Where the element at a place ends: its identity has `idBytes`, then comes its length in 1 to 8 bytes. None if the
/// length is unknown.
std::optional<std::int64_t> endOfElement(Bytes &bytes, std::int64_t at, std::int64_t idBytes)
{
    Head head{};
    if (!bytes.read(at + idBytes, head) || head[0] == 0)
        return std::nullopt;
    std::size_t count = 1;
    while ((head[0] & (0x100U >> count)) == 0)
        ++count;
    std::uint64_t length = head[0] & (0xffU >> count);
    bool unknown = length == (0xffU >> count);
    for (std::size_t i = 1; i < count; ++i) {
        length = length << 8 | head[i];
        unknown = unknown && head[i] == 0xff;
    }
    constexpr std::uint64_t kMost = std::uint64_t{1} << 56;
    if (unknown || length > kMost)
        return std::nullopt;
    return at + idBytes + static_cast<std::int64_t>(count + length);
}

FileExtent extentOfMatroska(Bytes &bytes)
{
    constexpr std::int64_t kIdBytes = 4;
    const std::optional<std::int64_t> segment = endOfElement(bytes, 0, kIdBytes); // It follows the EBML header.
    Head head{};
    if (!segment || !bytes.read(*segment, head) || std::memcmp(head.data(), "\x18\x53\x80\x67", 4) != 0)
        return FileExtent::Unknown;
    const std::optional<std::int64_t> end = endOfElement(bytes, *segment, kIdBytes);
    if (!end)
        return FileExtent::Unknown;
    return *end <= bytes.size() ? FileExtent::Whole : FileExtent::Cut;
}

} // namespace

FileExtent extentOfFile(AVIOContext &file)
{
    Bytes bytes(file);
    Head head{};
    if (!bytes.read(0, head))
        return FileExtent::Unknown;
    if (std::memcmp(head.data(), "RIFF", 4) == 0)
        return extentOfRiff(bytes);
    if (std::memcmp(head.data(), "\x1a\x45\xdf\xa3", 4) == 0)
        return extentOfMatroska(bytes);
    return FileExtent::Unknown;
}

} // namespace jetscope
