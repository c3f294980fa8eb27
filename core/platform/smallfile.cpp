// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/smallfile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jetscope {

std::string pathBelow(const std::string &root, const std::string &path)
{
    std::string whole = root.empty() ? "/" : root;
    if (whole.back() != '/')
        whole += '/';
    return whole + path.substr(path.starts_with('/') ? 1 : 0);
}

Result<std::string> readSmallFile(const std::string &root, const std::string &path)
{
    const std::string name = pathBelow("/", path);
    const int file = ::open(pathBelow(root, path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return sentence(errno == ENOENT || errno == ENOTDIR
                            ? "there is no file " + name
                            : name + " cannot be opened (" + std::strerror(errno) + ")");
    struct stat facts = {};
    const bool isRegular = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    std::string text(isRegular ? kMostSmallFile : 0, '\0');
    std::size_t filled = 0;
    ssize_t got = 0;
    while (filled < text.size() && (got = ::read(file, text.data() + filled, text.size() - filled)) > 0)
        filled += static_cast<std::size_t>(got);
    const int reason = errno;
    ::close(file);
    if (!isRegular)
        return sentence(name + " is no regular file");
    if (got < 0)
        return sentence(name + " cannot be read (" + std::strerror(reason) + ")");
    text.resize(filled);
    return text;
}

} // namespace jetscope
