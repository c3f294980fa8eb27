// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/filecache.h"

#include "core/system/regularfile.h"
#include "core/text/texthash.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <unistd.h>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxKept = 64;
/// Nobody writes a file for so long.
constexpr std::chrono::hours kPartsKept{1};
constexpr std::string_view kCacheHead = "jetscope cache 1\n";

std::string hexOf(std::uint64_t number)
{
    std::ostringstream text;
    text << std::hex << number;
    return text.str();
}

/// What stands before the content.
std::string headOf(const std::string &identity, const std::string &content)
{
    return std::string(kCacheHead) + std::to_string(identity.size()) + " " + std::to_string(content.size()) + " "
        + hexOf(textHash(content)) + "\n" + identity;
}

} // namespace

std::string FileCache::folderOfThisUser(const std::string &name)
{
    const char *const cache = std::getenv("XDG_CACHE_HOME");
    if (cache && *cache == '/')
        return std::string(cache) + "/jetscope/" + name;
    const char *const home = std::getenv("HOME");
    return home && *home == '/' ? std::string(home) + "/.cache/jetscope/" + name : std::string();
}

std::string FileCache::fileOf(const std::string &identity) const
{
    return m_folder + "/" + hexOf(textHash(identity)) + m_suffix;
}

std::optional<std::string> FileCache::find(const std::string &identity) const
{
    constexpr std::size_t kMaxCachedBytes = std::size_t{1} << 30;
    const Result<std::string> read = m_folder.empty() ? Result<std::string>(sentence("there is no folder"))
                                                      : readRegularFile(fileOf(identity), kMaxCachedBytes);
    if (!read.ok())
        return std::nullopt;
    const std::string &whole = read.value();
    // The identity ends where the content begins; both lengths stand in the head.
    const std::size_t line = whole.find('\n', kCacheHead.size());
    if (!whole.starts_with(kCacheHead) || line == std::string::npos || whole.size() < line + 1 + identity.size())
        return std::nullopt;
    std::string content = whole.substr(line + 1 + identity.size());
    if (content.empty() || !whole.starts_with(headOf(identity, content)))
        return std::nullopt;
    return content;
}

void FileCache::store(const std::string &identity, const std::string &content) const
{
    if (m_folder.empty())
        return;
    std::error_code error;
    fs::create_directories(m_folder, error);
    // Another program sees the old file or the new one, never a part.
    const std::string file = fileOf(identity);
    const std::string part = file + "." + std::to_string(getpid());
    bool isWritten = false;
    {
        std::ofstream out(part, std::ios::binary | std::ios::trunc);
        out << headOf(identity, content) << content;
        out.close();
        isWritten = out.good();
    }
    if (isWritten)
        fs::rename(part, file, error);
    if (!isWritten || error)
        fs::remove(part, error);
    prune();
}

void FileCache::prune() const
{
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::error_code error;
    const fs::file_time_type longAgo = fs::file_time_type::clock::now() - kPartsKept;
    for (fs::directory_iterator entry(m_folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code unknown;
        const fs::path &path = entry->path();
        const fs::file_time_type time = entry->last_write_time(unknown);
        if (path.extension() == m_suffix)
            files.emplace_back(time, path);
        else if (path.stem().extension() == m_suffix && !unknown && time < longAgo)
            fs::remove(path, unknown); // A part: its program was killed.
    }
    if (files.size() <= kMaxKept)
        return;
    std::sort(files.begin(), files.end());
    files.resize(files.size() - kMaxKept);
    for (const auto &[time, path] : files)
        fs::remove(path, error);
}

} // namespace jetscope
