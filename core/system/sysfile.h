// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// A small kernel file (sysfs, procfs, device tree) that is kept open and read from its start each time. Only regular
/// files are opened, because a pipe would block. Errors are sentences without a full stop that name the file.
class SysFile {
public:
    static Result<SysFile> open(const std::string &path);
    ~SysFile();
    SysFile(SysFile &&other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, -1)), m_path(std::move(other.m_path))
    {
    }
    SysFile &operator=(SysFile &&other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        std::swap(m_path, other.m_path);
        return *this;
    }

    const std::string &path() const { return m_path; }

    /// The file's content as a whole number, surrounding space ignored.
    Result<long long> number() const;
    /// The first line, printable ASCII characters only, at most 64; empty if it cannot be read.
    std::string line() const;
    /// The content, at most `capacity` bytes; the result points into `buffer`.
    Result<std::string_view> read(char *buffer, std::size_t capacity) const;

private:
    SysFile(int descriptor, std::string path) : m_descriptor(descriptor), m_path(std::move(path)) {}

    int m_descriptor = -1;
    std::string m_path;
};

/// Paths of a folder's entries whose names begin with `prefix`, in numerical order (2 before 10); empty if the folder
/// cannot be read.
std::vector<std::string> entriesOf(const std::string &folder, const std::string &prefix = {});

/// SysFile::line of a file; empty if the file does not exist.
std::string lineOf(const std::string &path);

/// SysFile::number of a file that is read once.
Result<long long> numberOf(const std::string &path);

/// The first `most` bytes of a file that is read once.
Result<std::string> textOf(const std::string &path, std::size_t most);

} // namespace jetscope
