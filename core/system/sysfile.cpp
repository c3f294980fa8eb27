// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/sysfile.h"

#include "core/text/parsenumber.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::size_t kMaxText = 64;
/// No kernel folder that is read has this many entries.
constexpr std::size_t kMaxEntries = 1024;

using SmallText = std::array<char, kMaxText>;

/// Device-tree texts end with a zero byte, sysfs texts with a line feed.
bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

Error unreadable(const std::string &path, int code)
{
    if (code == EACCES || code == EPERM)
        return sentence("only root may read " + path);
    if (code == ENOENT || code == ENOTDIR)
        return sentence("there is no file " + path);
    return sentence(path + " cannot be read: " + std::generic_category().message(code));
}

} // namespace

Result<SysFile> SysFile::open(const std::string &path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return unreadable(path, errno);
    SysFile file(descriptor, path);
    struct stat info = {};
    if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return sentence(path + " is not a regular file");
    return file;
}

SysFile::~SysFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<std::string_view> SysFile::read(char *buffer, std::size_t capacity) const
{
    std::size_t size = 0;
    while (size < capacity) {
        const ssize_t count = ::pread(m_descriptor, buffer + size, capacity - size, static_cast<off_t>(size));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return unreadable(m_path, errno);
        if (count == 0)
            break;
        size += static_cast<std::size_t>(count);
        if (size < kMaxText) // A number or a name: the kernel gave all of it.
            break;
    }
    return std::string_view(buffer, size);
}

Result<long long> SysFile::number() const
{
    SmallText buffer;
    JETSCOPE_TRY_ASSIGN(const std::string_view content, read(buffer.data(), buffer.size()));
    const std::string_view text = trimmed(content);
    if (text.empty())
        return sentence(m_path + " is empty");
    if (const std::optional<long long> value = parseNumber<long long>(text))
        return *value;
    return sentence(m_path + " does not hold a whole number");
}

std::string SysFile::line() const
{
    SmallText buffer;
    const Result<std::string_view> content = read(buffer.data(), buffer.size());
    if (!content.ok())
        return {};
    std::string_view text = trimmed(content.value());
    text = text.substr(0, text.find_first_of(std::string_view("\n\0", 2)));
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return line;
}

std::vector<std::string> entriesOf(const std::string &folder, const std::string &prefix)
{
    std::vector<std::string> paths;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename().native().starts_with(prefix))
            paths.push_back(entry->path().native());
        if (paths.size() == kMaxEntries)
            break;
    }
    std::sort(paths.begin(), paths.end(), [](const std::string &a, const std::string &b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    return paths;
}

std::string lineOf(const std::string &path)
{
    const Result<SysFile> file = SysFile::open(path);
    return file.ok() ? file.value().line() : std::string();
}

Result<long long> numberOf(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const SysFile file, SysFile::open(path));
    return file.number();
}

Result<std::string> textOf(const std::string &path, std::size_t most)
{
    JETSCOPE_TRY_ASSIGN(const SysFile file, SysFile::open(path));
    std::string text(most, '\0');
    JETSCOPE_TRY_ASSIGN(const std::string_view content, file.read(text.data(), text.size()));
    text.resize(content.size());
    return text;
}

} // namespace jetscope
