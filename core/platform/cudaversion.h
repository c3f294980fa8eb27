// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope {

/// CUDA's version numbers, 1000 * major + 10 * minor: 12060 is "12.6".
inline std::string cudaVersionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace jetscope
