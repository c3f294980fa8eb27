// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/capturekind.h"

#include "core/system/filelimit.h"
#include "core/tracefile/tracefileschema.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

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
constexpr std::size_t kMaxBeginningBytes = 1 << 16;

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

/// SQLite does not detect a missing end of the last page. With a -wal file, the main file may legitimately be shorter.
bool isCutShort(std::string_view bytes, std::uint64_t fileSize)
{
    constexpr char kLegacyFormat = 1;
    if (bytes[kFormatAt] != kLegacyFormat || bigEndian32(bytes, kChangesAt) != bigEndian32(bytes, kPagesValidForAt))
        return false;
    const std::uint64_t pageSize = bigEndian32(bytes, kPageSizeAt) >> 16U;
    return fileSize < (pageSize == 1 ? 65536 : pageSize) * bigEndian32(bytes, kPagesAt);
}

} // namespace

Result<FileBeginning> beginningOf(const std::string &path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return cannotRead(path, errno);
    std::string bytes(kMaxBeginningBytes, '\0');
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
    return FileBeginning{std::move(bytes), static_cast<std::uint64_t>(facts.st_size)};
}

bool isDatabase(std::string_view beginning)
{
    return beginning.starts_with(kSqliteMagic);
}

Result<bool> isCapture(const std::string &path, const FileBeginning &beginning)
{
    const std::string_view bytes = beginning.bytes;
    if (bytes.size() < kSqliteHeaderBytes || isCutShort(bytes, beginning.fileSize))
        return sentence(path + " is damaged or cut short: take another copy of it");
    if (bigEndian32(bytes, kApplicationIdAt) != kTraceFileApplicationId)
        return false;
    const std::uint32_t version = bigEndian32(bytes, kUserVersionAt);
    if (version == kTraceFileVersion)
        return true;
    return sentence(path + " is a capture of version " + std::to_string(version) + " and this program reads version "
                    + std::to_string(kTraceFileVersion) + ": open it with the Jetscope that wrote it");
}

} // namespace jetscope
