// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// A small file of a kernel, kept open: it is read anew from its start each time. Anything but a regular file is not
/// opened (a pipe would block).
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

    /// The whole number that the file consists of, but for space around it.
    std::optional<long long> number() const;
    /// Its first line, printable characters only, 64 at most.
    std::string line() const;

private:
    explicit SysFile(int descriptor) : m_descriptor(descriptor) {}

    int m_descriptor = -1;
};

/// Paths of the entries of a folder whose names begin with `prefix`, in order (2 before 10); none where it cannot be
/// read.
std::vector<std::string> entriesOf(const std::string &folder, const std::string &prefix = {});

/// SysFile::line of a file, empty where there is none.
std::string lineOf(const std::string &path);

} // namespace jetscope
