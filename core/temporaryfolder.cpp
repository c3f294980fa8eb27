// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/temporaryfolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace jetscope {

Result<TemporaryFolder> TemporaryFolder::create()
{
    std::error_code missing;
    std::string path = (std::filesystem::temp_directory_path(missing) / "jetscope-XXXXXX").string();
    if (missing || !mkdtemp(path.data()))
        return sentence("no temporary file can be written (" + (missing ? missing.message() : std::strerror(errno))
                        + "): set TMPDIR to a folder with space");
    return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept : m_path(std::exchange(other.m_path, {})) {}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
}

} // namespace jetscope
