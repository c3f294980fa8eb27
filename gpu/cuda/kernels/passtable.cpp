// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/passtable.h"

#include <array>

namespace jetscope {

std::string_view nameOf(PassKind kind)
{
    static constexpr std::array<std::string_view, kPassKinds> kNames = {
        "convert", "invert", "threshold", "gaussian5", "sobel", "sharpen", "gaussian5+sobel", "gaussian15"};
    return kNames[static_cast<std::size_t>(kind)];
}

} // namespace jetscope
