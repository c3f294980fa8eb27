// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/filekind.h"

#include "core/exchange/bytesource.h"
#include "core/exchange/countertable.h"
#include "core/exchange/foreignformats.h"
#include "core/exchange/tegrastatsline.h"
#include "core/exchange/tegrastatsstamp.h"
#include "core/exchange/trtexecimport.h"
#include "core/system/filelimit.h"
#include "core/tracefile/tracefileschema.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace jetscope {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kSqliteMagic = "SQLite format 3\0"sv;
// Offsets in SQLite's file header; its 32-bit numbers are big-endian.
constexpr std::size_t kPageSizeAt = 16; // 16 bits; 1 means 65536.
constexpr std::size_t kFormatAt = 18;
constexpr std::size_t kChangesAt = 24;
constexpr std::size_t kPagesAt = 28;
constexpr std::size_t kPagesValidForAt = 92;
constexpr std::size_t kUserVersionAt = 60;
constexpr std::size_t kApplicationIdAt = 68;
constexpr std::size_t kSqliteHeaderBytes = 100;
/// Other output may come before the first line of a log.
constexpr std::size_t kBeginningBytes = 1 << 16;

std::uint32_t bigEndian32(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

Error cannotRead(const std::string &path, int reason)
{
    switch (reason) {
    case ENOENT:
    case ENOTDIR:
        return sentence(path + " does not exist: check the path");
    case EACCES:
    case EPERM:
        return sentence(path + " may not be read: check its permissions");
    case EMFILE:
    case ENFILE:
        return sentence(path + " cannot be read: " + kNoFurtherFile);
    default:
        return sentence(path + " cannot be read (" + std::strerror(reason) + "): take another copy of it");
    }
}

struct Beginning {
    std::string bytes;
    std::uint64_t fileSize = 0;
};

Result<Beginning> beginningOf(const std::string &path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return cannotRead(path, errno);
    std::string bytes(kBeginningBytes, '\0');
    struct stat facts = {};
    const bool regular = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    const ssize_t size = regular ? pread(file, bytes.data(), bytes.size(), 0) : 0;
    const int reason = errno;
    close(file);
    if (!regular)
        return sentence(path + " is no file: give a capture or a trace");
    if (size < 0)
        return cannotRead(path, reason);
    if (size == 0)
        return sentence(path + " is empty: take another copy of it");
    bytes.resize(static_cast<std::size_t>(size));
    return Beginning{std::move(bytes), static_cast<std::uint64_t>(facts.st_size)};
}

/// SQLite does not detect a missing end of the last page. With a -wal file, the main file may legitimately be shorter.
bool isCutShort(std::string_view bytes, std::uint64_t fileSize)
{
    constexpr char kLegacyFormat = 1;
    if (bytes[kFormatAt] != kLegacyFormat || bigEndian32(bytes, kChangesAt) != bigEndian32(bytes, kPagesValidForAt))
        return false;
    const std::uint64_t pageSize = bigEndian32(bytes, kPageSizeAt) >> 16U;
    return fileSize < (pageSize == 1 ? 65536 : pageSize) * bigEndian32(bytes, kPagesAt);
}

Result<FileKind> databaseKind(const std::string &path, std::string_view bytes, std::uint64_t fileSize)
{
    if (bytes.size() < kSqliteHeaderBytes || isCutShort(bytes, fileSize))
        return sentence(path + " is damaged or cut short: take another copy of it");
    if (bigEndian32(bytes, kApplicationIdAt) != kTraceFileApplicationId)
        return FileKind::OtherDatabase;
    const std::uint32_t version = bigEndian32(bytes, kUserVersionAt);
    if (version == kTraceFileVersion)
        return FileKind::Capture;
    return sentence(path + " is a capture of version " + std::to_string(version) + " and this program reads version "
                    + std::to_string(kTraceFileVersion) + ": open it with the Jetscope that wrote it");
}

/// The beginning of what a packed file holds; empty if it cannot be unpacked, which its reader reports.
std::string unpackedBeginning(const std::string &path)
{
    std::string bytes(kBeginningBytes, '\0');
    Result<ByteSource> source = ByteSource::open(path);
    const Result<std::size_t> size = source.ok() ? source.value().read(bytes) : Result<std::size_t>(0);
    bytes.resize(size.ok() ? size.value() : 0);
    return bytes;
}

} // namespace

Result<FileKind> fileKindOf(const std::string &path)
{
    const Result<Beginning> read = beginningOf(path);
    if (!read.ok())
        return read.error();
    std::string_view bytes = read.value().bytes;
    if (bytes.starts_with(kSqliteMagic))
        return databaseKind(path, bytes, read.value().fileSize);
    const bool isPacked = bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd");
    const std::string unpacked = isPacked ? unpackedBeginning(path) : std::string();
    const std::string_view content = isPacked ? std::string_view(unpacked) : bytes;
    if (const ForeignFormat *const foreign = foreignFormatOf(content))
        return refusal(path, *foreign);
    if (looksLikeTrtexecTimes(content))
        return FileKind::TrtexecTimes;
    if (bytes.starts_with("\xef\xbb\xbf"))
        bytes.remove_prefix(3);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    // A log whose lines begin with a time in brackets looks like a list.
    if (lineStampOf(bytes).kind != LineStamp::Kind::None && looksLikeTegrastats(bytes))
        return FileKind::Tegrastats;
    if (first != std::string_view::npos && (bytes[first] == '{' || bytes[first] == '['))
        return FileKind::Json;
    if (isPacked)
        return FileKind::Json; // Compressed with gzip or zstd, which is only supported for JSON.
    if (looksLikeCounterTable(bytes))
        return FileKind::CounterTable;
    if (looksLikeTegrastats(bytes))
        return FileKind::Tegrastats;
    return sentence(
        path
        + " is not a trace that Jetscope can read: give a .jscope capture, a Chrome trace (JSON), an Nsight "
          "Systems export made with \"nsys export --type sqlite\", a log of tegrastats or a table of jtop or "
          "nvidia-smi");
}

} // namespace jetscope
