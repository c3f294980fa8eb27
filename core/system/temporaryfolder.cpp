// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/temporaryfolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "jetscope-";
constexpr std::time_t kYoungSeconds = 60; ///< A new folder is not locked at once.

/// Returns -1 if the folder cannot be opened or another process holds it.
int lockFolder(const std::string &path)
{
    const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0)
        return folder;
    if (folder >= 0)
        close(folder);
    return -1;
}

/// Removes what a killed Jetscope of this user left: the kernel gave back its lock.
void removeLeftFolders(const fs::path &where)
{
    std::error_code ended;
    for (fs::directory_iterator entry(where, ended), end; !ended && entry != end; entry.increment(ended)) {
        const std::string path = entry->path().string();
        struct stat facts = {};
        if (!entry->path().filename().string().starts_with(kPrefix) || lstat(path.c_str(), &facts) != 0
            || !S_ISDIR(facts.st_mode) || facts.st_uid != geteuid()
            || std::time(nullptr) - facts.st_mtime < kYoungSeconds)
            continue;
        if (const int lock = lockFolder(path); lock >= 0) {
            std::error_code ignored;
            fs::remove_all(path, ignored);
            close(lock);
        }
    }
}

} // namespace

Result<TemporaryFolder> TemporaryFolder::create()
{
    std::error_code missing;
    const fs::path where = fs::temp_directory_path(missing);
    if (!missing)
        removeLeftFolders(where);
    std::string path = (where / (std::string(kPrefix) + "XXXXXX")).string();
    if (missing || !mkdtemp(path.data()))
        return sentence("no temporary file can be written (" + (missing ? missing.message() : std::strerror(errno))
                        + "): set TMPDIR to a folder with space");
    const int lock = lockFolder(path);
    return TemporaryFolder(std::move(path), lock);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_lock(std::exchange(other.m_lock, -1))
{
}

TemporaryFolder &TemporaryFolder::operator=(TemporaryFolder &&other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_lock, other.m_lock);
    return *this;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
    if (m_lock >= 0)
        close(m_lock);
}

} // namespace jetscope
