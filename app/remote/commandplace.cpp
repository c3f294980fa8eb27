// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/commandplace.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr const char *kMessagesEnd = ".log"; ///< As startDetached names them.
constexpr const char *kStartEnd = ".lock";   ///< Held while a server is started: connectOrStart.

/// Not open: there is no such file, or somebody holds it.
FileDescriptor locked(const std::string &path, int create = 0)
{
    FileDescriptor file(::open(path.c_str(), O_RDWR | create | O_CLOEXEC | O_NOFOLLOW, 0600));
    return file.isOpen() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(file) : FileDescriptor();
}

bool exists(const std::string &path)
{
    return ::access(path.c_str(), F_OK) == 0;
}

void removeFiles(const std::string &path)
{
    for (const char *end : {"", kMessagesEnd, kStartEnd})
        ::unlink((path + end).c_str());
}

/// The paths of all commands of this machine that left something beside this one: a folder may be that of several.
std::set<std::string> commandsBeside(const fs::path &path)
{
    const fs::path folder = path.parent_path();
    const std::string own = path.filename().string();
    const std::string mark = own.substr(std::min(own.find('@'), own.size()));
    std::set<std::string> paths;
    std::error_code ended;
    for (fs::directory_iterator entry(folder, ended), end; !ended && entry != end; entry.increment(ended))
        if (const std::string name = entry->path().stem().string();
            name.starts_with(CommandPlace::kPrefix) && name.ends_with(mark))
            paths.insert((folder / name).string());
    return paths;
}

} // namespace

Result<CommandPlace> CommandPlace::take(const std::string &path)
{
    FileDescriptor own = locked(path + kMessagesEnd, O_CREAT);
    if (!own.isOpen())
        return sentence(path + kMessagesEnd + " cannot be locked: " + std::strerror(errno));
    for (const std::string &other : commandsBeside(path)) {
        const FileDescriptor start = locked(other + kStartEnd);
        const FileDescriptor messages = locked(other + kMessagesEnd);
        const bool isStarting = !start.isOpen() && exists(other + kStartEnd);
        const bool isRunning = !messages.isOpen() && exists(other + kMessagesEnd);
        if (!isStarting && !isRunning) // Its own is both.
            removeFiles(other);
    }
    return CommandPlace(path, std::move(own));
}

CommandPlace::~CommandPlace()
{
    if (m_lock.isOpen())
        removeFiles(m_path);
}

} // namespace jetscope
