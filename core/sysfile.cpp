// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sysfile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::size_t kMostText = 64;
/// No kernel folder that is read has this many entries.
constexpr std::size_t kMostEntries = 1024;

using SmallText = std::array<char, kMostText>;

std::string_view read(int descriptor, SmallText &text)
{
    const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
    return {text.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

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

} // namespace

std::optional<SysFile> SysFile::open(const std::string &path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return std::nullopt;
    SysFile file(descriptor);
    struct stat info = {};
    if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return std::nullopt;
    return file;
}

SysFile::~SysFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

std::optional<long long> SysFile::number() const
{
    SmallText buffer;
    const std::string_view text = trimmed(read(m_descriptor, buffer));
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string SysFile::line() const
{
    SmallText buffer;
    std::string_view text = trimmed(read(m_descriptor, buffer));
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
        if (paths.size() == kMostEntries)
            break;
    }
    std::sort(paths.begin(), paths.end(), [](const std::string &a, const std::string &b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    return paths;
}

std::string lineOf(const std::string &path)
{
    const std::optional<SysFile> file = SysFile::open(path);
    return file ? file->line() : std::string();
}

} // namespace jetscope
