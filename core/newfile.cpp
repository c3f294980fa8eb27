// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/newfile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr mode_t kMode = 0666; // Less the user's umask.

/// Whether another process holds a lock on the file, as every program that has a database open does.
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

Error cannotCreate(const std::string &path, int reason)
{
    switch (reason) {
    case EEXIST:
    case EISDIR:
        if (isInUse(path))
            return sentence(path + " is being written or read by another program: take another name");
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
    default:
        return sentence(path + " cannot be made (" + std::strerror(reason) + "): take another path");
    }
}

Result<int> openNewFile(const std::string &path)
{
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (file < 0)
        return cannotCreate(path, errno);
    return file;
}

} // namespace

Status createNewFile(const std::string &path)
{
    const Result<int> file = openNewFile(path);
    if (!file.ok())
        return file.error();
    close(file.value());
    return {};
}

void removeNewFile(const std::string &path)
{
    for (const char *suffix : {"", "-wal", "-shm", "-journal"})
        unlink((path + suffix).c_str());
}

Result<OutputFile> OutputFile::create(const std::string &path)
{
    const Result<int> file = openNewFile(path);
    if (!file.ok())
        return file.error();
    std::FILE *stream = fdopen(file.value(), "wb");
    if (!stream) {
        close(file.value());
        unlink(path.c_str());
        return sentence("there is not enough memory to write " + path + ": close other programs, then try again");
    }
    return OutputFile(stream, path);
}

OutputFile::~OutputFile()
{
    if (m_file)
        unlink(m_path.c_str());
}

void OutputFile::write(std::string_view bytes)
{
    m_failed = m_failed || std::fwrite(bytes.data(), 1, bytes.size(), m_file.get()) != bytes.size();
}

Status OutputFile::finish()
{
    const bool flushed = std::fflush(m_file.get()) == 0;
    if (flushed && !m_failed) {
        m_file.reset();
        return {};
    }
    unlink(m_path.c_str());
    m_file.reset();
    return sentence(m_path
                    + " could not be written to its end and was removed: the disk is full or has failed; free "
                      "some space, or take another disk");
}

} // namespace jetscope
