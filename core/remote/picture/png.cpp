// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/picture/png.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <zlib.h>

namespace jetscope {

namespace {

constexpr std::array<std::uint8_t, 8> kPngSignature{0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};
constexpr std::size_t kPngChannels = 3;
constexpr int kPngLevel = 3; ///< Of zlib: higher ones take far longer and gain little with pictures.
constexpr std::size_t kPngPiece = 64 << 10;

Error pngError(const char *text)
{
    return {"PNG", 0, text};
}

bool isPngSize(int width, int height)
{
    return width > 0 && height > 0
        && static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) <= kMaxPngPixels;
}

std::uint8_t paeth(int left, int up, int upLeft)
{
    const int guess = left + up - upLeft;
    const int toLeft = std::abs(guess - left);
    const int toUp = std::abs(guess - up);
    const int toUpLeft = std::abs(guess - upLeft);
    return static_cast<std::uint8_t>(toLeft <= toUp && toLeft <= toUpLeft ? left : toUp <= toUpLeft ? up : upLeft);
}

/// What a filter guesses for a byte from those before it.
std::uint8_t guessOf(unsigned filter, std::uint8_t left, std::uint8_t up, std::uint8_t upLeft)
{
    switch (filter) {
    case 1:
        return left;
    case 2:
        return up;
    case 3:
        return static_cast<std::uint8_t>((left + up) / 2);
    case 4:
        return paeth(left, up, upLeft);
    default:
        return 0;
    }
}

void appendNumber(std::vector<std::byte> &file, std::uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        file.push_back(static_cast<std::byte>(number >> shift));
}

std::uint32_t numberAt(std::span<const std::byte> bytes)
{
    std::uint32_t number = 0;
    for (const std::byte byte : bytes.first(4))
        number = number << 8 | std::to_integer<std::uint32_t>(byte);
    return number;
}

std::uint32_t checksumOf(std::span<const std::byte> bytes)
{
    return static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef *>(bytes.data()), static_cast<uInt>(bytes.size())));
}

void appendChunk(std::vector<std::byte> &file, std::string_view kind, std::span<const std::byte> content)
{
    appendNumber(file, static_cast<std::uint32_t>(content.size()));
    const std::size_t start = file.size();
    const auto letters = std::as_bytes(std::span(kind));
    file.insert(file.end(), letters.begin(), letters.end());
    file.insert(file.end(), content.begin(), content.end());
    appendNumber(file, checksumOf(std::span(file).subspan(start)));
}

/// The rows of a picture as PNG packs them: each behind the filter that leaves the smallest numbers.
class FilteredRows {
public:
    explicit FilteredRows(std::size_t bytes) : m_row(bytes), m_before(bytes), m_filtered(bytes + 1), m_best(bytes + 1)
    {
    }
    const std::vector<std::uint8_t> &next(const std::byte *rgba)
    {
        std::swap(m_row, m_before);
        for (std::size_t i = 0; i < m_row.size(); ++i)
            m_row[i] = std::to_integer<std::uint8_t>(rgba[i / kPngChannels * 4 + i % kPngChannels]);
        std::uint64_t least = UINT64_MAX;
        for (const unsigned filter : {1U, 2U, 4U}) {
            if (const std::uint64_t sum = apply(filter); sum < least) {
                least = sum;
                std::swap(m_best, m_filtered);
            }
        }
        return m_best;
    }

private:
    std::uint64_t apply(unsigned filter)
    {
        m_filtered[0] = static_cast<std::uint8_t>(filter);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < m_row.size(); ++i) {
            const bool hasLeft = i >= kPngChannels;
            const auto value =
                static_cast<std::uint8_t>(m_row[i]
                                          - guessOf(filter, hasLeft ? m_row[i - kPngChannels] : 0, m_before[i],
                                                    hasLeft ? m_before[i - kPngChannels] : 0));
            m_filtered[i + 1] = value;
            sum += static_cast<std::uint64_t>(std::abs(static_cast<std::int8_t>(value)));
        }
        return sum;
    }

    std::vector<std::uint8_t> m_row;
    std::vector<std::uint8_t> m_before;
    std::vector<std::uint8_t> m_filtered;
    std::vector<std::uint8_t> m_best;
};

/// zlib's streams end with this.
struct Packing {
    z_stream stream{};
    bool packs = ::deflateInit(&stream, kPngLevel) == Z_OK;
    Packing() = default;
    Packing(const Packing &) = delete;
    Packing &operator=(const Packing &) = delete;
    ~Packing() { ::deflateEnd(&stream); }
};
struct Unpacking {
    z_stream stream{};
    bool unpacks = ::inflateInit(&stream) == Z_OK;
    Unpacking() = default;
    Unpacking(const Unpacking &) = delete;
    Unpacking &operator=(const Unpacking &) = delete;
    ~Unpacking() { ::inflateEnd(&stream); }
};

/// Packs some bytes, or ends, and appends what comes out to the file as chunks.
bool packInto(std::vector<std::byte> &file, z_stream &stream, std::span<const std::uint8_t> bytes, int flush)
{
    std::array<std::byte, kPngPiece> piece;
    stream.next_in = const_cast<Bytef *>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    int state = Z_OK;
    do {
        stream.next_out = reinterpret_cast<Bytef *>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        state = ::deflate(&stream, flush);
        if (const std::size_t made = piece.size() - stream.avail_out; made > 0)
            appendChunk(file, "IDAT", std::span(piece).first(made));
    } while (state == Z_OK && (stream.avail_in > 0 || stream.avail_out == 0 || flush == Z_FINISH));
    return state == Z_OK || state == Z_BUF_ERROR || state == Z_STREAM_END;
}

/// Undoes the filters in place; false: there is no such filter.
bool unfilter(std::vector<std::uint8_t> &rows, std::size_t rowBytes)
{
    const std::size_t pitch = rowBytes + 1;
    for (std::size_t at = 0; at < rows.size(); at += pitch) {
        const unsigned filter = rows[at];
        if (filter > 4)
            return false;
        std::uint8_t *row = &rows[at + 1];
        const std::uint8_t *before = at == 0 ? nullptr : row - pitch;
        for (std::size_t i = 0; i < rowBytes; ++i) {
            const bool hasLeft = i >= kPngChannels;
            row[i] =
                static_cast<std::uint8_t>(row[i]
                                          + guessOf(filter, hasLeft ? row[i - kPngChannels] : 0, before ? before[i] : 0,
                                                    hasLeft && before ? before[i - kPngChannels] : 0));
        }
    }
    return true;
}

RgbaPicture pictureOf(const std::vector<std::uint8_t> &rows, int width, int height)
{
    RgbaPicture picture{width, height, {}};
    const auto columns = static_cast<std::size_t>(width);
    picture.rgba.resize(columns * static_cast<std::size_t>(height) * 4);
    std::byte *to = picture.rgba.data();
    for (std::size_t at = 0; at < rows.size(); at += columns * kPngChannels + 1) {
        const std::uint8_t *from = &rows[at + 1];
        for (std::size_t x = 0; x < columns; ++x, from += kPngChannels, to += 4) {
            std::memcpy(to, from, kPngChannels);
            to[3] = std::byte{0xff};
        }
    }
    return picture;
}

/// The chunks of a file, each with its checksum.
class Chunks {
public:
    explicit Chunks(std::span<const std::byte> left) : m_left(left) {}
    struct Chunk {
        std::string_view kind;
        std::span<const std::byte> content;
    };
    std::optional<Chunk> next()
    {
        if (m_left.size() < 12)
            return std::nullopt;
        const std::size_t size = numberAt(m_left);
        if (size > m_left.size() - 12)
            return std::nullopt;
        const auto named = m_left.subspan(4, size + 4);
        if (numberAt(m_left.subspan(8 + size)) != checksumOf(named))
            return std::nullopt;
        m_left = m_left.subspan(12 + size);
        return Chunk{{reinterpret_cast<const char *>(named.data()), 4}, named.subspan(4)};
    }

private:
    std::span<const std::byte> m_left;
};

bool isHead(const Chunks::Chunk &chunk, int width, int height)
{
    constexpr std::array kind{std::byte{8}, std::byte{2}, std::byte{0}, std::byte{0}, std::byte{0}};
    return chunk.kind == "IHDR" && chunk.content.size() == 13
        && numberAt(chunk.content) == static_cast<std::uint32_t>(width)
        && numberAt(chunk.content.subspan(4)) == static_cast<std::uint32_t>(height)
        && std::equal(kind.begin(), kind.end(), chunk.content.begin() + 8);
}

} // namespace

Result<std::vector<std::byte>> pngOf(const RgbaPicture &picture)
{
    const auto pixels = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
    if (!isPngSize(picture.width, picture.height) || picture.rgba.size() < pixels * 4)
        return pngError("the picture has no such size");
    const auto signature = std::as_bytes(std::span(kPngSignature));
    std::vector<std::byte> file(signature.begin(), signature.end());
    std::vector<std::byte> head;
    appendNumber(head, static_cast<std::uint32_t>(picture.width));
    appendNumber(head, static_cast<std::uint32_t>(picture.height));
    for (const int value : {8, 2, 0, 0, 0})
        head.push_back(static_cast<std::byte>(value));
    appendChunk(file, "IHDR", head);
    Packing packing;
    const std::size_t rowBytes = static_cast<std::size_t>(picture.width) * kPngChannels;
    FilteredRows rows(rowBytes);
    bool isGood = packing.packs;
    for (int y = 0; isGood && y < picture.height; ++y)
        isGood = packInto(
            file, packing.stream,
            rows.next(picture.rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) * 4),
            Z_NO_FLUSH);
    if (!isGood || !packInto(file, packing.stream, {}, Z_FINISH))
        return pngError("the picture could not be packed: there is no memory for it");
    appendChunk(file, "IEND", {});
    return file;
}

Result<RgbaPicture> readPng(std::span<const std::byte> file, int width, int height)
{
    const Error broken = pngError("the picture is broken");
    if (!isPngSize(width, height) || file.size() < kPngSignature.size()
        || std::memcmp(file.data(), kPngSignature.data(), kPngSignature.size()) != 0)
        return broken;
    Chunks chunks(file.subspan(kPngSignature.size()));
    std::optional<Chunks::Chunk> chunk = chunks.next();
    if (!chunk || !isHead(*chunk, width, height))
        return broken;
    const std::size_t rowBytes = static_cast<std::size_t>(width) * kPngChannels;
    std::vector<std::uint8_t> rows((rowBytes + 1) * static_cast<std::size_t>(height));
    Unpacking unpacking;
    z_stream &stream = unpacking.stream;
    stream.next_out = rows.data();
    stream.avail_out = static_cast<uInt>(rows.size());
    int state = unpacking.unpacks ? Z_OK : Z_MEM_ERROR;
    for (chunk = chunks.next(); chunk && chunk->kind != "IEND"; chunk = chunks.next()) {
        if (chunk->kind != "IDAT")
            continue;
        stream.next_in = const_cast<Bytef *>(reinterpret_cast<const Bytef *>(chunk->content.data()));
        stream.avail_in = static_cast<uInt>(chunk->content.size());
        if (stream.avail_in > 0 && state == Z_OK)
            state = ::inflate(&stream, Z_NO_FLUSH);
        if ((state != Z_OK && state != Z_STREAM_END) || stream.avail_in > 0)
            return broken; // Among others: it unpacks to more than the picture.
    }
    if (!chunk || state != Z_STREAM_END || stream.avail_out > 0 || !unfilter(rows, rowBytes))
        return broken;
    return pictureOf(rows, width, height);
}

} // namespace jetscope
