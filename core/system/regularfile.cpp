// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/regularfile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jetscope {

Result<FileStream> openRegularFile(const std::string &path)
{
    struct stat facts = {};
    const auto unreadable = [&path](int reason) {
        return sentence(path + " cannot be read (" + std::strerror(reason) + "): check the path and its permissions");
    };
    const auto noFile = [&path] {
        return sentence(path + " is no file but a folder, a pipe or a device: give a file");
    };
    if (stat(path.c_str(), &facts) != 0)
        return unreadable(errno);
    if (!S_ISREG(facts.st_mode)) // Opening a device may change it.
        return noFile();
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return unreadable(errno);
    FileStream stream(fdopen(file, "rb"));
    if (!stream) {
        const int reason = errno;
        close(file);
        return unreadable(reason);
    }
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return noFile();
    return stream;
}

Result<std::string> readRegularFile(const std::string &path, std::size_t mostBytes)
{
    JETSCOPE_TRY_ASSIGN(const FileStream file, openRegularFile(path));
    std::string text;
    char piece[16384];
    errno = 0;
    while (const std::size_t got = std::fread(piece, 1, sizeof piece, file.get())) {
        text.append(piece, got);
        if (text.size() > mostBytes)
            return sentence(path + " is larger than " + std::to_string(mostBytes) + " bytes: take another file");
    }
    if (std::ferror(file.get()) != 0)
        return sentence(path + " cannot be read (" + std::strerror(errno) + "): take another copy of it");
    return text;
}

} // namespace jetscope
