// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/pictureheader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace jetscope {

namespace {

using namespace std::string_view_literals;

enum class ByteOrder { Little, Big };

/// Reads numbers from a file. Reads past the end return 0 and mark the header as incomplete.
class HeaderReader {
public:
    HeaderReader(std::string_view bytes, ByteOrder order) : m_bytes(bytes), m_order(order) {}

    std::uint64_t number(std::uint64_t at, unsigned size)
    {
        if (at > m_bytes.size() || size > m_bytes.size() - at) {
            m_complete = false;
            return 0;
        }
        std::uint64_t value = 0;
        for (unsigned i = 0; i < size; ++i) {
            const unsigned place = m_order == ByteOrder::Big ? i : size - 1 - i;
            value = value << 8U | static_cast<unsigned char>(m_bytes[at + place]);
        }
        return value;
    }
    bool complete() const { return m_complete; }

private:
    const std::string_view m_bytes;
    const ByteOrder m_order;
    bool m_complete = true;
};

std::optional<PictureSize> sizeOf(const HeaderReader &reader, std::uint64_t width, std::uint64_t height)
{
    if (!reader.complete() || width == 0 || height == 0)
        return std::nullopt;
    return PictureSize{width, height};
}

std::optional<PictureSize> pngSize(std::string_view file)
{
    HeaderReader reader(file, ByteOrder::Big);
    if (file.substr(12, 4) != "IHDR")
        return std::nullopt;
    return sizeOf(reader, reader.number(16, 4), reader.number(20, 4));
}

/// Reads segments up to the first start of a frame. Other markers in the same range define tables.
std::optional<PictureSize> jpegSize(std::string_view file)
{
    HeaderReader reader(file, ByteOrder::Big);
    for (std::uint64_t at = 2; reader.complete();) {
        const std::uint64_t marker = reader.number(at, 2);
        if (marker == 0xffff) { // A fill byte.
            ++at;
            continue;
        }
        const bool standsAlone = marker == 0xff01 || (marker >= 0xffd0 && marker <= 0xffd8);
        const bool isTable = marker == 0xffc4 || marker == 0xffc8 || marker == 0xffcc;
        if (marker >= 0xffc0 && marker <= 0xffcf && !isTable)
            return sizeOf(reader, reader.number(at + 7, 2), reader.number(at + 5, 2));
        if (marker < 0xffc0 && !standsAlone)
            return std::nullopt;
        at += standsAlone ? 2 : 2 + std::max<std::uint64_t>(2, reader.number(at + 2, 2));
    }
    return std::nullopt;
}

std::optional<PictureSize> bmpSize(std::string_view file)
{
    HeaderReader reader(file, ByteOrder::Little);
    if (reader.number(14, 4) == 12) // The header of OS/2.
        return sizeOf(reader, reader.number(18, 2), reader.number(20, 2));
    const auto side = [&](std::uint64_t at) { // A negative height means top-down rows.
        return static_cast<std::uint64_t>(std::abs(std::int64_t{static_cast<std::int32_t>(reader.number(at, 4))}));
    };
    const std::uint64_t width = side(18);
    return sizeOf(reader, width, side(22));
}

/// The first directory holds the sides; of several entries of one kind the largest counts.
std::optional<PictureSize> tiffSize(std::string_view file)
{
    constexpr std::uint64_t kWidthTag = 256, kHeightTag = 257, kShort = 3, kBigTiff = 43;
    HeaderReader reader(file, file.front() == 'M' ? ByteOrder::Big : ByteOrder::Little);
    const bool big = reader.number(2, 2) == kBigTiff;
    const std::uint64_t directory = big ? reader.number(8, 8) : reader.number(4, 4);
    const std::uint64_t count = reader.number(directory, big ? 8 : 2);
    const std::uint64_t entrySize = big ? 20 : 12;
    const std::uint64_t first = directory + (big ? 8 : 2);
    PictureSize size;
    for (std::uint64_t i = 0; i < count && reader.complete(); ++i) {
        const std::uint64_t entry = first + i * entrySize;
        const std::uint64_t tag = reader.number(entry, 2);
        if (tag != kWidthTag && tag != kHeightTag)
            continue;
        const unsigned bytes = reader.number(entry + 2, 2) == kShort ? 2 : 4;
        const std::uint64_t value = reader.number(entry + (big ? 12 : 8), bytes);
        std::uint64_t &side = tag == kWidthTag ? size.width : size.height;
        side = std::max(side, value);
    }
    return sizeOf(reader, size.width, size.height);
}

std::optional<PictureSize> webpSize(std::string_view file)
{
    HeaderReader reader(file, ByteOrder::Little);
    const std::string_view chunk = file.substr(12, 4);
    if (chunk == "VP8 ")
        return sizeOf(reader, reader.number(26, 2) & 0x3fffU, reader.number(28, 2) & 0x3fffU);
    if (chunk == "VP8X")
        return sizeOf(reader, reader.number(24, 3) + 1, reader.number(27, 3) + 1);
    if (chunk != "VP8L")
        return std::nullopt;
    const std::uint64_t bits = reader.number(21, 4); // 14 bits per side.
    return sizeOf(reader, (bits & 0x3fffU) + 1, (bits >> 14U & 0x3fffU) + 1);
}

/// Words between white space; a comment extends from # to the end of the line.
std::optional<PictureSize> pnmSize(std::string_view file)
{
    constexpr std::uint64_t kNoSide = 1'000'000'000;
    std::size_t at = 2;
    const auto nextNumber = [&]() -> std::uint64_t {
        for (;;) {
            at = std::min(file.find_first_not_of(" \t\r\n\v\f", at), file.size());
            if (at == file.size() || file[at] != '#')
                break;
            at = std::min(file.find('\n', at), file.size());
        }
        std::uint64_t value = 0;
        for (; at < file.size() && file[at] >= '0' && file[at] <= '9'; ++at)
            value = std::min(value * 10 + static_cast<std::uint64_t>(file[at] - '0'), kNoSide);
        return value;
    };
    const std::uint64_t width = nextNumber();
    const std::uint64_t height = nextNumber();
    const bool complete = at < file.size(); // Otherwise the last digits may be missing.
    return complete && width > 0 && height > 0 ? std::optional(PictureSize{width, height}) : std::nullopt;
}

struct Kind {
    std::string_view magic;
    std::string_view name;
    std::optional<PictureSize> (*size)(std::string_view file);
};

constexpr std::array<Kind, 14> kKinds{{
    {"\x89PNG\r\n\x1a\n"sv, "PNG"sv, pngSize},
    {"\xff\xd8"sv, "JPEG"sv, jpegSize},
    {"BM"sv, "BMP"sv, bmpSize},
    {"II\x2a\0"sv, "TIFF"sv, tiffSize},
    {"MM\0\x2a"sv, "TIFF"sv, tiffSize},
    {"II\x2b\0"sv, "TIFF"sv, tiffSize},
    {"MM\0\x2b"sv, "TIFF"sv, tiffSize},
    {"RIFF"sv, "WebP"sv, webpSize},
    {"P1"sv, "PNM"sv, pnmSize},
    {"P2"sv, "PNM"sv, pnmSize},
    {"P3"sv, "PNM"sv, pnmSize},
    {"P4"sv, "PNM"sv, pnmSize},
    {"P5"sv, "PNM"sv, pnmSize},
    {"P6"sv, "PNM"sv, pnmSize},
}};

const Kind *kindOf(std::string_view file)
{
    const auto kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind &row) { return file.starts_with(row.magic); });
    return kind == kKinds.end() ? nullptr : &*kind;
}

} // namespace

std::string_view pictureKindIn(std::string_view file)
{
    const Kind *kind = kindOf(file);
    return kind ? kind->name : std::string_view();
}

std::optional<PictureSize> pictureSizeIn(std::string_view file)
{
    constexpr std::size_t kShortestHeader = 16; // Minimum for all formats but PNM, which is checked word by word.
    const Kind *kind = kindOf(file);
    if (!kind || (kind->size != pnmSize && file.size() < kShortestHeader))
        return std::nullopt;
    return kind->size(file);
}

} // namespace jetscope
