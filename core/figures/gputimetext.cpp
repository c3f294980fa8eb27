// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/gputimetext.h"

#include <array>
#include <cstdio>

namespace jetscope {

std::string gpuTimeText(GpuTime source, std::int64_t unseenNs)
{
    std::string text(nameOf(source));
    if (unseenNs <= 0)
        return text;
    std::array<char, 64> bound{};
    std::snprintf(bound.data(), bound.size(), ", a kernel at least, at most %.1f us more",
                  static_cast<double>(unseenNs) / 1e3);
    return text + bound.data();
}

} // namespace jetscope
