// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/jpegpicture.h"

namespace jetscope {

const char *jpegTrouble()
{
    return "this build has no JPEG: build it with libturbojpeg0-dev installed";
}

Result<std::vector<std::byte>> jpegOf(const RgbaPicture &, int)
{
    return Error{"JPEG", 0, jpegTrouble()};
}

Result<RgbaPicture> readJpeg(std::span<const std::byte>, int)
{
    return Error{"JPEG", 0, jpegTrouble()};
}

} // namespace jetscope
