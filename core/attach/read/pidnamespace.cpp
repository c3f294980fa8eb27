// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/pidnamespace.h"

#include "core/text/parsenumber.h"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <sys/stat.h>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

/// As the process or thread of this folder counts itself: its number in the innermost namespace stands last.
std::optional<std::int32_t> innermostNumber(const fs::path &folder)
{
    constexpr std::string_view kField = "NSpid:";
    std::ifstream file(folder / "status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(kField))
            return parseNumber<std::int32_t>(std::string_view(line).substr(line.find_last_of(" \t") + 1), 1);
    return std::nullopt;
}

/// The number that the name of a folder is, of the first folder whose process or thread counts itself so.
template <class Accepts>
std::optional<std::int32_t> findFolder(const fs::path &folder, std::int32_t counted, const Accepts &accepts)
{
    std::error_code unknown;
    for (fs::directory_iterator entry(folder, unknown), end; !unknown && entry != end; entry.increment(unknown)) {
        const std::optional<std::int32_t> number = parseNumber<std::int32_t>(entry->path().filename().string(), 1);
        if (number && accepts(entry->path()) && innermostNumber(entry->path()) == counted)
            return number;
    }
    return std::nullopt;
}

} // namespace

std::uint32_t pidNamespace(const std::string &process)
{
    struct stat facts {};
    return stat((process + "/ns/pid").c_str(), &facts) == 0 ? static_cast<std::uint32_t>(facts.st_ino) : 0;
}

std::optional<ThreadNumbers> findThread(std::uint32_t wanted, const ThreadNumbers &numbers, const std::string &proc)
{
    if (wanted == 0)
        return std::nullopt;
    const auto pid = findFolder(proc, numbers.pid,
                                [&](const fs::path &process) { return pidNamespace(process.string()) == wanted; });
    if (!pid)
        return std::nullopt;
    const fs::path threads = fs::path(proc) / std::to_string(*pid) / "task";
    const auto tid = findFolder(threads, numbers.tid, [](const fs::path &) { return true; });
    if (!tid)
        return std::nullopt;
    return ThreadNumbers{*pid, *tid};
}

} // namespace jetscope
