// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/newfile.h"

#include "core/system/besidedatabase.h"
#include "core/system/filelimit.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

constexpr mode_t kMode = 0666; // The user's umask is subtracted.

} // namespace

Error cannotCreate(const std::string &path, int reason)
{
    switch (reason) {
    case EEXIST:
    case EISDIR:
        if (isInUse(path))
            return sentence(path + " is being written or read by another program: take another name");
        if (struct stat file{}; stat(path.c_str(), &file) == 0 && S_ISDIR(file.st_mode))
            return sentence(path + " is a folder: name a new file in it");
        return sentence(path + " exists already: remove it, or take another name");
    case EACCES:
    case EPERM:
    case EROFS:
        return sentence(path + " cannot be made: its folder may not be written to; take another folder");
    case ENOENT:
    case ENOTDIR:
        return sentence(path + " cannot be made: there is no such folder; make it first");
    case ENOSPC:
    case EDQUOT:
        return sentence(path + " cannot be made: the disk is full; free some space, or take another disk");
    case EMFILE:
    case ENFILE:
        return sentence(path + " cannot be made: " + kNoFurtherFile);
    case ENAMETOOLONG:
        return sentence("the name of " + path.substr(0, 100) + "… is too long: take a shorter one");
    default:
        return sentence(path + " cannot be made (" + std::strerror(reason) + "): take another path");
    }
}

void removeNewFile(const std::string &path)
{
    unlink(path.c_str());
    for (const char *suffix : kBesideDatabase)
        unlink((path + suffix).c_str());
}

namespace {

constexpr int kMaxParts = 100;

/// The first free name of NAME.part, NAME.part2, …: an earlier killed program may have left some, or a -journal file of
/// one that was removed since.
Result<std::string> makePart(const std::string &path)
{
    for (int number = 1; number <= kMaxParts; ++number) {
        std::string part = path + ".part" + (number > 1 ? std::to_string(number) : std::string());
        if (hasBeside(part))
            continue;
        const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
        if (file >= 0) {
            close(file);
            return part;
        }
        if (errno != EEXIST)
            return cannotCreate(path, errno);
    }
    return sentence(path + " cannot be made: " + path
                    + ".part and similar files are left from earlier attempts; remove them");
}

bool exists(const std::string &path)
{
    struct stat facts = {};
    return lstat(path.c_str(), &facts) == 0;
}

} // namespace

Status checkNothingBeside(const std::string &path)
{
    for (const char *suffix : kBesideDatabase)
        if (exists(path + suffix))
            return sentence(path + suffix + " is left over from another file of this name and would be read as a part "
                            + "of a new one: move it away, or take another name");
    return {};
}

Status renameToNew(const std::string &from, const std::string &to)
{
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
        return {};
    // The file system may not support RENAME_NOREPLACE.
    if (errno != EINVAL && errno != ENOSYS)
        return cannotCreate(to, errno);
    if (exists(to))
        return cannotCreate(to, EEXIST);
    return rename(from.c_str(), to.c_str()) == 0 ? Status() : Status(cannotCreate(to, errno));
}

Status checkNewFile(const std::string &path)
{
    if (path.empty())
        return sentence("a file without a name cannot be made: give it one");
    if (exists(path))
        return cannotCreate(path, EEXIST);
    if (path.ends_with('/'))
        return cannotCreate(path, ENOENT);
    return {};
}

Result<UnfinishedFile> UnfinishedFile::create(const std::string &path)
{
    JETSCOPE_TRY(checkNewFile(path));
    JETSCOPE_TRY_ASSIGN(std::string part, makePart(path));
    return UnfinishedFile(path, std::move(part));
}

Result<UnfinishedFile> UnfinishedFile::createDatabase(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(UnfinishedFile file, create(path));
    JETSCOPE_TRY(checkNothingBeside(path));
    file.m_isDatabase = true;
    return file;
}

UnfinishedFile::UnfinishedFile(UnfinishedFile &&other) noexcept
    : m_path(std::move(other.m_path)), m_partPath(std::exchange(other.m_partPath, {})), m_isDatabase(other.m_isDatabase)
{
}

UnfinishedFile::~UnfinishedFile()
{
    if (!m_partPath.empty())
        removeNewFile(m_partPath);
}

Status UnfinishedFile::publish()
{
    if (m_isDatabase)
        JETSCOPE_TRY(checkNothingBeside(m_path));
    JETSCOPE_TRY(renameToNew(m_partPath, m_path));
    m_partPath.clear();
    return {};
}

Status replaceFile(const std::string &path, const std::function<Status(const std::string &place)> &write)
{
    if (!exists(path))
        return write(path);
    JETSCOPE_TRY_ASSIGN(const std::string part, makePart(path));
    const std::string place = part + ".new"; // The .part file exists, so no other process uses this name.
    Status written = write(place);
    if (written.ok() && rename(place.c_str(), path.c_str()) != 0)
        written = cannotCreate(path, errno);
    if (!written.ok())
        unlink(place.c_str());
    unlink(part.c_str());
    return written;
}

Result<std::string> replaceDatabase(const std::string &path,
                                    const std::function<Status(const std::string &place)> &write)
{
    const bool isThere = exists(path);
    if (isThere && (isInUse(path) || isInUse(path + "-shm")))
        return cannotCreate(path, EEXIST);
    std::string moved;
    if (!isThere) {
        JETSCOPE_TRY_ASSIGN(moved, moveBesideAway(path));
    }
    const Status replaced = replaceFile(path, [&](const std::string &place) -> Status {
        JETSCOPE_TRY(write(place));
        if (isThere) { // Only now: until then both belong to the earlier database.
            JETSCOPE_TRY_ASSIGN(moved, moveBesideAway(path));
        }
        return {};
    });
    if (!replaced.ok())
        return replaced.error();
    if (moved.empty() && foreignFilesBeside(path).any()) { // Another program opened the earlier one meanwhile.
        JETSCOPE_TRY_ASSIGN(moved, moveBesideAway(path));
    }
    return moved;
}

Result<OutputFile> OutputFile::create(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(UnfinishedFile unfinished, UnfinishedFile::create(path));
    std::FILE *stream = std::fopen(unfinished.partPath().c_str(), "wbe");
    if (!stream)
        return cannotCreate(path, errno);
    return OutputFile(std::move(unfinished), stream, path);
}

void OutputFile::write(std::string_view bytes)
{
    if (m_reason == 0 && std::fwrite(bytes.data(), 1, bytes.size(), m_file.get()) != bytes.size())
        m_reason = errno;
}

Status OutputFile::finish()
{
    // Some file systems report a full disk only on fsync.
    if (m_reason == 0 && (std::fflush(m_file.get()) != 0 || (fsync(fileno(m_file.get())) != 0 && errno != EINVAL)))
        m_reason = errno;
    if (m_reason == 0 && std::fclose(m_file.release()) != 0)
        m_reason = errno;
    if (m_reason != 0)
        return failure(m_reason);
    return m_unfinished.publish();
}

Error OutputFile::failure(int reason) const
{
    const std::string what = m_path + " could not be written completely and was removed: ";
    if (reason == EFBIG)
        return sentence(what + kFileTooLarge);
    if (reason == ENOSPC || reason == EDQUOT)
        return sentence(what + "the disk is full; free some space, or take another disk");
    return sentence(what + "the disk failed (" + std::strerror(reason) + "); take another disk");
}

} // namespace jetscope
