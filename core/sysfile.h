// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// A small kernel file (sysfs, procfs, device tree) that is kept open and read from its start each time. Only regular
/// files are opened, because a pipe would block.
class SysFile {
public:
    static std::optional<SysFile> open(const std::string &path);
    ~SysFile();
    SysFile(SysFile &&other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    SysFile &operator=(SysFile &&other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }

    /// The file's content as a whole number, surrounding space ignored; empty when it is anything else.
    std::optional<long long> number() const;
    /// The first line, printable characters only, at most 64.
    std::string line() const;

private:
    explicit SysFile(int descriptor) : m_descriptor(descriptor) {}

    int m_descriptor = -1;
};

/// Paths of a folder's entries whose names begin with `prefix`, in numerical order (2 before 10); empty if the folder
/// cannot be read.
std::vector<std::string> entriesOf(const std::string &folder, const std::string &prefix = {});

/// SysFile::line of a file; empty if the file does not exist.
std::string lineOf(const std::string &path);

} // namespace jetscope
