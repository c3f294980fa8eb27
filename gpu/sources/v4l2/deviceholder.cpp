// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
// Finds the process that has a camera open, among the processes in /proc that this user may inspect.
#include "gpu/sources/v4l2/cameradevice.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

bool isNumber(const std::string &text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool holds(const fs::path &process, const fs::path &device)
{
    std::error_code failed;
    for (fs::directory_iterator file(process / "fd", failed), end; !failed && file != end; file.increment(failed)) {
        std::error_code unreadable;
        if (fs::read_symlink(file->path(), unreadable) == device)
            return true;
    }
    return false;
}

} // namespace

std::string processUsing(const std::string &path)
{
    std::error_code failed;
    const fs::path device = fs::canonical(path, failed);
    if (failed)
        return {};
    const std::string ourselves = std::to_string(::getpid());
    for (fs::directory_iterator process("/proc", failed), end; !failed && process != end; process.increment(failed)) {
        const std::string number = process->path().filename().string();
        if (!isNumber(number) || number == ourselves || !holds(process->path(), device))
            continue;
        std::string name;
        std::ifstream comm(process->path() / "comm");
        std::getline(comm, name);
        return (name.empty() ? "a program" : name) + " (process " + number + ")";
    }
    return {};
}

} // namespace jetscope
