// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/besidedatabase.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace jetscope {

bool isInUse(const std::string &path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    const bool inUse = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(file);
    return inUse;
}

namespace {

constexpr int kMaxLeftOvers = 1000;

bool isThere(const std::string &path)
{
    struct stat facts = {};
    return lstat(path.c_str(), &facts) == 0;
}

std::vector<std::string> namesBeside(const std::string &path)
{
    std::vector<std::string> names;
    for (const char *suffix : kBesideDatabase)
        if (isThere(path + suffix))
            names.push_back(path + suffix);
    return names;
}

/// The first free ending for all of these names, so that files of one database are recognised by it.
std::optional<std::string> freeEnding(const std::vector<std::string> &names)
{
    for (int number = 1; number <= kMaxLeftOvers; ++number) {
        const std::string ending = ".left-over" + (number > 1 ? std::to_string(number) : std::string());
        bool isFree = true;
        for (const std::string &name : names)
            isFree = isFree && !isThere(name + ending);
        if (isFree)
            return ending;
    }
    return std::nullopt;
}

} // namespace

bool hasBeside(const std::string &path)
{
    return !namesBeside(path).empty();
}

Result<std::string> moveBesideAway(const std::string &path)
{
    const std::vector<std::string> names = namesBeside(path);
    if (names.empty())
        return std::string();
    for (const std::string &name : names)
        if (isInUse(name))
            return sentence(name + " is being written or read by another program: take another name than " + path);
    const std::optional<std::string> ending = freeEnding(names);
    if (!ending)
        return sentence("there are too many left-over files beside " + path + ": remove those that end in .left-over");
    std::string moved;
    for (const std::string &name : names) {
        // RENAME_NOREPLACE is not supported by every file system; the name was free a moment ago.
        if (renameat2(AT_FDCWD, name.c_str(), AT_FDCWD, (name + *ending).c_str(), RENAME_NOREPLACE) != 0
            && (errno == EEXIST || rename(name.c_str(), (name + *ending).c_str()) != 0))
            return sentence(name + " is left over from an earlier file and cannot be moved away ("
                            + std::strerror(errno) + "): move it by hand, or take another name than " + path);
        moved += (moved.empty() ? "" : " and ") + name;
    }
    return moved + (names.size() == 1 ? " is" : " are") + " left over from an earlier file of this name and now "
        + (names.size() == 1 ? "ends" : "end") + " in " + *ending
        + ": beside that file, under its old name, it may give back what was not yet merged";
}

Result<std::string> moveLeftOversAway(const std::string &path)
{
    return isThere(path) ? std::string() : moveBesideAway(path);
}

namespace {

// SQLite's file formats; numbers are big-endian.
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kDatabasePageSizeAt = 16; ///< 16 bits; 1 means 65536.
constexpr std::size_t kReadVersionAt = 19;
constexpr std::size_t kDatabasePagesAt = 28;
constexpr std::size_t kSchemaCookieAt = 40;
constexpr char kReadVersionOfLogs = 2;

constexpr std::uint32_t kLogMagic = 0x377f0682; ///< The lowest bit is the byte order of the checksums.
constexpr std::size_t kLogHeaderBytes = 32;
constexpr std::size_t kLogPageSizeAt = 8;
constexpr std::size_t kLogSaltAt = 16;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::size_t kFrameSaltAt = 8;
constexpr std::size_t kSaltBytes = 8;

constexpr std::string_view kJournalMagic("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
constexpr std::size_t kJournalHeaderBytes = 28;
constexpr std::size_t kJournalRecordsAt = 8;
constexpr std::size_t kJournalPagesAt = 16;
constexpr std::size_t kJournalSectorAt = 20;
constexpr std::size_t kJournalPageSizeAt = 24;

constexpr int kMaxFramesLookedAt = 100'000;
/// A database counts the changes of its schema; captures begin with a random number.
constexpr std::uint32_t kMaxSchemaChanges = 1 << 14;

class FileBytes {
public:
    explicit FileBytes(const std::string &path)
        : m_file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    {
        struct stat facts = {};
        if (m_file < 0 || fstat(m_file, &facts) != 0)
            return;
        m_isOther = !S_ISREG(facts.st_mode);
        m_size = m_isOther ? 0 : static_cast<std::uint64_t>(facts.st_size);
    }
    ~FileBytes()
    {
        if (m_file >= 0)
            close(m_file);
    }
    FileBytes(const FileBytes &) = delete;
    FileBytes &operator=(const FileBytes &) = delete;

    std::uint64_t size() const { return m_size; }
    /// Whether it is a pipe, a device or a folder.
    bool isOther() const { return m_isOther; }
    /// Shorter than wanted at the end of the file.
    std::string at(std::uint64_t place, std::size_t size) const
    {
        std::string bytes(size, '\0');
        const ssize_t got = m_size > 0 ? pread(m_file, bytes.data(), size, static_cast<off_t>(place)) : 0;
        bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return bytes;
    }

private:
    int m_file;
    std::uint64_t m_size = 0;
    bool m_isOther = false;
};

std::uint32_t number32(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::uint32_t pageSizeOf(std::string_view header)
{
    const std::uint32_t size = number32(header, kDatabasePageSizeAt) >> 16U;
    return size == 1 ? 65536 : size;
}

bool isPageSize(std::uint32_t size)
{
    return size >= 512 && size <= 65536 && (size & (size - 1)) == 0;
}

/// Whether two schemas may be of the same database. Either may be the later one: a log may be merged in part.
bool areNear(std::uint32_t a, std::uint32_t b)
{
    return a - b <= kMaxSchemaChanges || b - a <= kMaxSchemaChanges;
}

/// A database that is not in WAL mode has no log: switching it off merges and removes the file first.
bool isForeignLog(const FileBytes &log, std::string_view header)
{
    if (header.size() < kHeaderBytes || header[kReadVersionAt] != kReadVersionOfLogs)
        return true;
    const std::string head = log.at(0, kLogHeaderBytes);
    if (head.size() < kLogHeaderBytes || (number32(head, 0) & ~1U) != kLogMagic)
        return false; // Nothing in it is read.
    const std::uint32_t pageSize = number32(head, kLogPageSizeAt);
    if (pageSize != pageSizeOf(header) || !isPageSize(pageSize))
        return true;
    const std::string_view salt = std::string_view(head).substr(kLogSaltAt, kSaltBytes);
    std::uint64_t place = kLogHeaderBytes;
    for (int frame = 0; frame < kMaxFramesLookedAt; ++frame, place += kFrameHeaderBytes + pageSize) {
        const std::string frameHead = log.at(place, kFrameHeaderBytes);
        if (frameHead.size() < kFrameHeaderBytes || frameHead.compare(kFrameSaltAt, kSaltBytes, salt) != 0)
            return false; // Older frames behind it are not read.
        if (number32(frameHead, 0) != 1)
            continue;
        const std::string page = log.at(place + kFrameHeaderBytes, kHeaderBytes);
        return page.size() == kHeaderBytes
            && !areNear(number32(header, kSchemaCookieAt), number32(page, kSchemaCookieAt));
    }
    return false;
}

/// The beginning of the database's first page as it was before the transaction; empty if the journal does not have it.
std::string firstPageIn(const FileBytes &journal, std::uint32_t sector, std::uint32_t pageSize)
{
    std::uint64_t segment = 0;
    for (int looked = 0; looked < kMaxFramesLookedAt;) {
        const std::string head = journal.at(segment, kJournalHeaderBytes);
        if (head.size() < kJournalHeaderBytes || !head.starts_with(kJournalMagic))
            return {};
        const std::uint32_t records = number32(head, kJournalRecordsAt); // 0 or 2^32-1: until the end of the file.
        const bool last = records == 0 || records == 0xffffffff;
        std::uint64_t place = segment + sector;
        for (std::uint32_t i = 0; (last || i < records) && looked < kMaxFramesLookedAt; ++i, ++looked) {
            const std::string record = journal.at(place, 4 + kHeaderBytes);
            if (record.size() < 4 + kHeaderBytes)
                return {};
            if (number32(record, 0) == 1)
                return record.substr(4);
            place += 4 + std::uint64_t{pageSize} + 4;
        }
        segment = (place + sector - 1) / sector * sector;
        ++looked;
    }
    return {};
}

bool isForeignJournal(const FileBytes &journal, std::string_view header)
{
    const std::string head = journal.at(0, kJournalHeaderBytes);
    if (head.size() < kJournalHeaderBytes || !head.starts_with(kJournalMagic))
        return false; // Not read: it was finished, or never reached the disk.
    const std::uint32_t pageSize = number32(head, kJournalPageSizeAt);
    const std::uint32_t sector = number32(head, kJournalSectorAt);
    if (header.size() < kHeaderBytes || pageSize != pageSizeOf(header) || !isPageSize(pageSize) || sector < 32
        || sector > 65536)
        return true;
    const std::string page = firstPageIn(journal, sector, pageSize);
    // Without the first page in the journal, the database still has that page as it was.
    if (page.empty())
        return number32(head, kJournalPagesAt) != number32(header, kDatabasePagesAt);
    return !areNear(number32(header, kSchemaCookieAt), number32(page, kSchemaCookieAt));
}

} // namespace

ForeignFiles foreignFilesBeside(const std::string &path)
{
    ForeignFiles foreign;
    const FileBytes log(path + "-wal");
    const FileBytes journal(path + "-journal");
    foreign.log = log.isOther();
    foreign.journal = journal.isOther();
    if (log.size() == 0 && journal.size() == 0)
        return foreign; // The usual case; the database is not opened, see isInUse.
    const std::string header = FileBytes(path).at(0, kHeaderBytes);
    foreign.log = foreign.log || (log.size() > 0 && isForeignLog(log, header));
    foreign.journal = foreign.journal || (journal.size() > 0 && isForeignJournal(journal, header));
    return foreign;
}

std::string textOfForeignFiles(const std::string &path, const ForeignFiles &foreign)
{
    if (!foreign.any())
        return {};
    const std::string names = foreign.log && foreign.journal ? path + "-wal and " + path + "-journal"
        : foreign.log                                        ? path + "-wal"
                                                             : path + "-journal";
    return names + " is left over from another file of this name and does not belong to " + path
        + ": move it away, or remove it if nothing in it is needed";
}

} // namespace jetscope
