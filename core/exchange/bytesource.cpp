// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/bytesource.h"

#include <algorithm>
#include <filesystem>

namespace jetscope {

namespace {

constexpr std::size_t kPackedAtOnce = 1 << 18;
// Traces expand by a factor of 10 to 60. A much higher factor indicates a file made to exhaust memory.
constexpr std::uint64_t kMaxRatio = 200;
constexpr std::uint64_t kHarmlessBytes = 64 << 20;

Error unreadable(const std::string &path)
{
    return sentence(path + " cannot be read: check the path and its permissions");
}

} // namespace

ByteSource::ByteSource(FileStream file, std::string path, std::uint64_t size)
    : m_file(std::move(file)), m_path(std::move(path)), m_size(size)
{
}

Result<ByteSource> ByteSource::open(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(FileStream file, openRegularFile(path));
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error)
        return unreadable(path);
    ByteSource source(std::move(file), path, size);
    JETSCOPE_TRY(source.choose());
    return source;
}

/// Detects the compression by the first bytes of the file.
Status ByteSource::choose()
{
    char first[4] = {};
    const std::size_t size = std::fread(first, 1, sizeof first, m_file.get());
    if (std::fseek(m_file.get(), 0, SEEK_SET) != 0)
        return unreadable(m_path);
    const std::string_view magic(first, size);
    const bool isZstd = magic.starts_with("\x28\xb5\x2f\xfd");
    if (!isZstd && !magic.starts_with("\x1f\x8b"))
        return {};
    if (isZstd && !readsZstd())
        return sentence(m_path + " is packed with zstd, which this build does not read: unpack it first, with unzstd");
    m_unpacker = isZstd ? zstdUnpacker() : gzipUnpacker();
    if (!m_unpacker)
        return sentence("there is not enough memory to unpack " + m_path + ": close other programs, then try again");
    m_packed.resize(kPackedAtOnce);
    return {};
}

double ByteSource::fraction() const
{
    return m_size == 0 ? 1.0 : std::min(1.0, static_cast<double>(m_taken) / static_cast<double>(m_size));
}

Result<std::size_t> ByteSource::read(std::span<char> to)
{
    return m_unpacker ? readPacked(to) : readFile(to);
}

Result<std::size_t> ByteSource::readFile(std::span<char> to)
{
    const std::size_t got = std::fread(to.data(), 1, to.size(), m_file.get());
    if (got < to.size() && std::ferror(m_file.get()) != 0)
        return sentence(m_path + " could not be read to its end: take another copy of it");
    m_taken += got;
    return got;
}

Result<std::size_t> ByteSource::readPacked(std::span<char> to)
{
    std::size_t filled = 0;
    while (filled < to.size() && !m_over) {
        if (m_left.empty()) {
            JETSCOPE_TRY_ASSIGN(const std::size_t got, readFile(m_packed));
            m_left = std::string_view(m_packed).substr(0, got);
        }
        const bool fileOver = m_left.empty();
        const Unpacker::Step step = m_unpacker->unpack(m_left, to.subspan(filled));
        m_left.remove_prefix(step.taken);
        filled += step.given;
        m_given += step.given;
        // After the last compressed byte, there may still be decompressed data to fetch.
        m_over = step.damaged || (fileOver && step.given == 0);
        m_endsEarly = m_over && (step.damaged || !m_unpacker->atEnd());
        if (m_given > kHarmlessBytes && m_given / kMaxRatio > m_taken)
            return sentence(m_path + " becomes more than " + std::to_string(kMaxRatio)
                            + " times as large when it is unpacked, as no trace does: if it is one, unpack it first");
    }
    return filled;
}

} // namespace jetscope
