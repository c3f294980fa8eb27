// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/resumedfile.h"

#include "core/progress.h"
#include "core/system/newfile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <vector>

namespace jetscope {

namespace {

constexpr std::string_view kPart = ".part";
constexpr std::size_t kVersionLetters = 12;
constexpr std::size_t kReadBytes = 1 << 20;

std::string partOf(const std::string &path, std::string_view version)
{
    Sha256 sum;
    sum.add(std::as_bytes(std::span(version)));
    return path + "." + sum.hex().substr(0, kVersionLetters) + std::string(kPart);
}

/// Parts of other versions of this file. True if there were any.
bool removeOthers(const std::string &path, const std::string &part)
{
    const std::filesystem::path file(path);
    const std::string begin = file.filename().string() + ".";
    const std::filesystem::path folder = file.parent_path().empty() ? std::filesystem::path(".") : file.parent_path();
    std::error_code unknown;
    bool found = false;
    for (const auto &entry : std::filesystem::directory_iterator(folder, unknown)) {
        const std::string name = entry.path().filename().string();
        const bool isPart = name.size() == begin.size() + kVersionLetters + kPart.size() && name.starts_with(begin)
            && name.ends_with(kPart) && name != std::filesystem::path(part).filename().string();
        if (isPart && std::filesystem::remove(entry.path(), unknown))
            found = true;
    }
    return found;
}

} // namespace

Error ResumedFile::cancelled()
{
    return cancelledError();
}

Result<ResumedFile> ResumedFile::openPart(const std::string &path, std::string_view version)
{
    JETSCOPE_TRY(checkNewFile(path));
    const std::string part = partOf(path, version);
    FileDescriptor file(::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!file.isOpen())
        return cannotCreate(path, errno);
    struct stat facts {};
    if (::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode))
        return sentence(part + " is in the way: remove it");
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        return sentence(path + " is being fetched by another program: wait for it, or take another name");
    const bool hasReplaced = removeOthers(path, part);
    return ResumedFile(path, part, std::move(file), hasReplaced);
}

/// Takes more of what is there already into the sum. False: that was all.
Result<bool> ResumedFile::readOn()
{
    std::vector<std::byte> block(kReadBytes);
    ssize_t size = 0;
    do {
        size = ::read(m_file.get(), block.data(), block.size());
    } while (size < 0 && errno == EINTR);
    if (size < 0)
        return failure(errno);
    m_sum.add(std::span(block).first(static_cast<std::size_t>(size)));
    m_size += static_cast<std::uint64_t>(size);
    return size > 0;
}

Status ResumedFile::append(std::span<const std::byte> bytes)
{
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t size = ::write(m_file.get(), bytes.data() + at, bytes.size() - at);
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            return failure(size < 0 ? errno : EIO);
        const std::span<const std::byte> written = bytes.subspan(at, static_cast<std::size_t>(size));
        m_sum.add(written);
        m_size += written.size();
        at += written.size();
    }
    return {};
}

Status ResumedFile::clear()
{
    if (::ftruncate(m_file.get(), 0) != 0 || ::lseek(m_file.get(), 0, SEEK_SET) != 0)
        return failure(errno);
    m_size = 0;
    m_sum = {};
    return {};
}

Status ResumedFile::publish()
{
    if (::fsync(m_file.get()) != 0 && errno != EINVAL)
        return failure(errno);
    return renameToNew(m_partPath, m_path);
}

Error ResumedFile::failure(int reason) const
{
    const std::string what = m_path + " could not be written: ";
    const std::string kept = "; what came so far is kept, and fetching it again goes on from there";
    if (reason == EFBIG)
        return sentence(what + kFileTooLarge + kept);
    if (reason == ENOSPC || reason == EDQUOT)
        return sentence(what + "the disk of this machine is full; free some space" + kept);
    return sentence(what + std::strerror(reason) + kept);
}

} // namespace jetscope
