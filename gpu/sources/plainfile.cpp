// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/plainfile.h"

#include "core/system/filelimit.h"
#include "gpu/sources/sourceuri.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jetscope {

namespace {

Error fileError(const std::filesystem::path &path, const std::string &text)
{
    return Error{inQuotes(path.string()), 0, text};
}

Error cannotOpen(const std::filesystem::path &path, int reason)
{
    if (reason == ENOENT || reason == ENOTDIR)
        return fileError(path, "there is no such file or folder: check the path");
    if (reason == EACCES || reason == EPERM)
        return fileError(path, "the file cannot be opened: check its permissions");
    if (reason == EMFILE || reason == ENFILE)
        return fileError(path, kNoFurtherFile);
    return fileError(path, std::string("the file cannot be opened (") + std::strerror(reason) + "): take another one");
}

Error notPlain(const std::filesystem::path &path)
{
    return fileError(path, "this is a device or pipe, not a file: use a video, a picture or a folder of pictures");
}

/// Closes the descriptor.
struct Descriptor {
    int number;
    ~Descriptor() { close(number); }
};

} // namespace

Status checkPlainFile(const std::filesystem::path &path)
{
    struct stat facts = {};
    if (stat(path.c_str(), &facts) != 0)
        return cannotOpen(path, errno);
    return S_ISREG(facts.st_mode) ? Status() : notPlain(path);
}

Result<std::string> readPlainFile(const std::filesystem::path &path, std::size_t mostBytes)
{
    const int opened = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0)
        return cannotOpen(path, errno);
    const Descriptor file{opened};
    struct stat facts = {};
    if (fstat(file.number, &facts) != 0 || !S_ISREG(facts.st_mode))
        return notPlain(path);
    std::string bytes(std::min(mostBytes, static_cast<std::size_t>(facts.st_size)), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t got = read(file.number, bytes.data() + have, bytes.size() - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fileError(
                path, std::string("reading the file failed (") + std::strerror(errno) + "): take another copy of it");
        if (got == 0)
            break; // The file has become shorter in the meantime.
        have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
}

} // namespace jetscope
