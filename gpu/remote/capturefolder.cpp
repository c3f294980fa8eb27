// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/capturefolder.h"

#include "core/system/besidedatabase.h"
#include "core/system/database.h"
#include "core/system/newfile.h"
#include "core/text/sha256.h"
#include "core/tracefile/tracefile.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::size_t kMostListed = 1000;
constexpr std::size_t kSumBytes = 1 << 20;

std::string variable(const char *name)
{
    const char *value = std::getenv(name);
    return value && value[0] == '/' ? value : std::string();
}

std::optional<struct stat> factsOf(const std::string &path)
{
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode))
        return std::nullopt;
    return facts;
}

std::int64_t nanoseconds(const timespec &time)
{
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::string versionOf(const struct stat &facts)
{
    return std::to_string(facts.st_size) + "-" + std::to_string(nanoseconds(facts.st_mtim)) + "-"
        + std::to_string(facts.st_ino);
}

std::uint64_t sizeOf(const std::string &path)
{
    const auto facts = factsOf(path);
    return facts ? static_cast<std::uint64_t>(facts->st_size) : 0;
}

/// What a killed recorder left beside a capture goes into it, so that it is one file.
Status mergeLeftOvers(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(Database database, Database::open(path, Database::Access::ReadWrite));
    JETSCOPE_TRY(database.run("SELECT count(*) FROM sqlite_schema; PRAGMA wal_checkpoint(TRUNCATE)"));
    // Else each reader would make such files anew.
    return database.run("PRAGMA journal_mode = DELETE");
}

/// From the first span to the last one that was written; both ends of the table of spans are found at once.
std::int64_t lengthOf(const std::string &path)
{
    Result<TraceFile> file = TraceFile::open(path);
    if (!file.ok())
        return 0;
    Result<Statement> row = file.value().database().prepare(
        "SELECT (SELECT start_ns + duration_ns FROM span_rows ORDER BY rowid DESC LIMIT 1)"
        " - (SELECT start_ns FROM span_rows ORDER BY rowid LIMIT 1)");
    return row.ok() && row.value().next() ? std::max<std::int64_t>(0, row.value().integer(0)) : 0;
}

Error stillGrows(const std::string &name)
{
    return sentence(name + " is still being recorded: end the recording first");
}

} // namespace

CaptureFolder CaptureFolder::ofUser()
{
    std::string data = variable("XDG_DATA_HOME");
    if (data.empty() && !variable("HOME").empty())
        data = variable("HOME") + "/.local/share";
    return CaptureFolder(data.empty() ? data : data + "/jetscope/captures");
}

Status CaptureFolder::make() const
{
    if (m_path.empty())
        return sentence("there is no folder for captures: neither HOME nor XDG_DATA_HOME is set");
    for (std::size_t at = m_path.find('/', 1); at != std::string::npos; at = m_path.find('/', at + 1))
        ::mkdir(m_path.substr(0, at).c_str(), 0700);
    struct stat facts {};
    if ((::mkdir(m_path.c_str(), 0700) != 0 && errno != EEXIST) || ::stat(m_path.c_str(), &facts) != 0)
        return Error{"mkdir", errno, m_path + " cannot be made: " + std::strerror(errno)};
    if (!S_ISDIR(facts.st_mode) || facts.st_uid != ::getuid() || (facts.st_mode & 0022) != 0)
        return sentence(m_path + " is no folder that only this user may write to: move it away, or chmod 700 it");
    return {};
}

std::optional<std::uint64_t> CaptureFolder::freeBytes() const
{
    struct statvfs disk {};
    // The folder may not be there yet.
    for (std::string path = m_path; path.size() > 1; path.resize(std::max<std::size_t>(1, path.rfind('/'))))
        if (::statvfs(path.c_str(), &disk) == 0)
            return std::uint64_t{disk.f_bavail} * disk.f_frsize;
    return std::nullopt;
}

std::string CaptureFolder::roomText() const
{
    const std::optional<std::uint64_t> free = freeBytes();
    return (free ? std::to_string(*free / 1'000'000) + " MB free in " : std::string()) + m_path;
}

std::optional<BoardCapture> CaptureFolder::look(const std::string &name, const std::string &growing)
{
    const std::string path = pathOf(name);
    BoardCapture capture;
    capture.name = name;
    auto facts = factsOf(path);
    if (!facts)
        return std::nullopt;
    // Files of SQLite must not be opened by a process that writes them: closing them would give up its locks.
    capture.grows = name == growing || isInUse(path) || isInUse(path + "-shm");
    if (!capture.grows && hasBeside(path)) {
        if (const Status merged = mergeLeftOvers(path); !merged.ok())
            capture.trouble = merged.error().text;
        facts = factsOf(path);
        if (!facts)
            return std::nullopt;
    }
    capture.bytes = static_cast<std::uint64_t>(facts->st_size) + sizeOf(path + "-wal");
    capture.writtenNs = nanoseconds(facts->st_mtim);
    capture.version = versionOf(*facts);
    if (capture.grows)
        return capture;
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_lengths.find(name); known != m_lengths.end() && known->second.first == capture.version)
            capture.lengthNs = known->second.second;
    }
    if (capture.lengthNs == 0) {
        capture.lengthNs = lengthOf(path);
        const std::lock_guard lock(m_mutex);
        m_lengths[name] = {capture.version, capture.lengthNs};
    }
    return capture;
}

CaptureList CaptureFolder::list(const std::string &growing)
{
    std::vector<std::pair<std::int64_t, std::string>> names;
    const std::unique_ptr<DIR, int (*)(DIR *)> folder(::opendir(m_path.c_str()), ::closedir);
    while (const dirent *entry = folder ? ::readdir(folder.get()) : nullptr)
        if (isCaptureName(entry->d_name))
            if (const auto facts = factsOf(pathOf(entry->d_name)))
                names.emplace_back(nanoseconds(facts->st_mtim), entry->d_name);
    std::sort(names.rbegin(), names.rend());
    names.resize(std::min(names.size(), kMostListed));
    CaptureList list{m_path, freeBytes(), {}};
    for (const auto &[writtenNs, name] : names)
        if (std::optional<BoardCapture> capture = look(name, growing))
            list.captures.push_back(*std::move(capture));
    return list;
}

Status CaptureFolder::remove(const std::string &name, const std::string &growing) const
{
    const std::string path = pathOf(name);
    if (!isCaptureName(name) || !factsOf(path))
        return noSuchCapture(name);
    if (name == growing || isInUse(path) || isInUse(path + "-shm"))
        return stillGrows(name);
    if (::unlink(path.c_str()) != 0)
        return Error{"unlink", errno, name + " cannot be removed: " + std::strerror(errno)};
    removeNewFile(path); // What lies beside it.
    return {};
}

Result<std::pair<FileDescriptor, BoardCapture>> CaptureFolder::openToRead(const std::string &name,
                                                                          const std::string &growing)
{
    std::optional<BoardCapture> capture = isCaptureName(name) ? look(name, growing) : std::nullopt;
    if (!capture)
        return noSuchCapture(name);
    if (capture->grows)
        return stillGrows(name);
    if (!capture->trouble.empty())
        return sentence(name + " is not whole, and cannot be made so: " + capture->trouble + " (" + roomText() + ")");
    FileDescriptor file(::open(pathOf(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat facts {};
    if (!file.isOpen() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode))
        return noSuchCapture(name);
    capture->bytes = static_cast<std::uint64_t>(facts.st_size);
    capture->version = versionOf(facts);
    return std::pair(std::move(file), *std::move(capture));
}

Result<std::string> CaptureFolder::sumOf(const std::string &name, const std::string &version,
                                         const std::atomic<bool> &stops)
{
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_sums.find(name); known != m_sums.end() && known->second.first == version)
            return known->second.second;
    }
    const FileDescriptor file(::open(pathOf(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    const auto isSame = [&] {
        struct stat facts {};
        return ::fstat(file.get(), &facts) == 0 && versionOf(facts) == version;
    };
    Sha256 sum;
    std::vector<std::byte> block(kSumBytes);
    ssize_t size = isSame() ? 1 : -1;
    while (size > 0 && !stops) {
        size = ::read(file.get(), block.data(), block.size());
        sum.add(std::span(block).first(static_cast<std::size_t>(std::max<ssize_t>(0, size))));
    }
    if (size != 0 || !isSame())
        return sentence(name + " changed while it was read");
    const std::lock_guard lock(m_mutex);
    m_sums[name] = {version, sum.hex()};
    return sum.hex();
}

} // namespace jetscope
