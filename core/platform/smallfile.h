// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/sysfile.h"

#include <cstddef>
#include <string>

namespace jetscope {

/// `path` below `root`.
inline std::string pathBelow(const std::string &root, const std::string &path)
{
    std::string whole = root.empty() ? "/" : root;
    if (whole.back() != '/')
        whole += '/';
    return whole + path.substr(path.starts_with('/') ? 1 : 0);
}

/// The content of a regular file below `root`, cut off at 256 KiB. Never blocks.
inline Result<std::string> readSmallFile(const std::string &root, const std::string &path)
{
    constexpr std::size_t kMax = 1 << 18;
    return textOf(pathBelow(root, path), kMax);
}

} // namespace jetscope
