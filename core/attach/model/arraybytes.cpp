// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/arraybytes.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

constexpr std::uint32_t kLayered = 0x01;            // CUDA_ARRAY3D_LAYERED
constexpr std::uint32_t kCubemap = 0x04;            // CUDA_ARRAY3D_CUBEMAP: its depth is a number of faces.
constexpr std::uint32_t kGivenMemory = 0x40 | 0x80; // CUDA_ARRAY3D_SPARSE, CUDA_ARRAY3D_DEFERRED_MAPPING
constexpr std::uint64_t kMaxLevels = 32;
constexpr std::uint64_t kMaxOnASide = 1 << 17; ///< More than any GPU allows: arguments may be anything.
constexpr std::uint64_t kMaxChannels = 4;

/// A range of CUarray_format.
struct Format {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t bits = 0; ///< Of a texel, or of a channel of it.
    bool isOfChannel = false;
    bool isInBlocks = false; ///< Of four by four texels.
};

// As in cuda.h of 11.4 to 13.0. Of pictures in planes the bits are those of all planes.
constexpr std::array kFormats = {
    Format{0x01, 0x01, 8, true},
    Format{0x02, 0x02, 16, true},
    Format{0x03, 0x03, 32, true},
    Format{0x08, 0x08, 8, true},
    Format{0x09, 0x09, 16, true},
    Format{0x0a, 0x0a, 32, true},
    Format{0x10, 0x10, 16, true},
    Format{0x20, 0x20, 32, true},
    Format{0x50, 0x50, 32},
    Format{0x91, 0x92, 4, false, true},
    Format{0x93, 0x96, 8, false, true},
    Format{0x97, 0x98, 4, false, true},
    Format{0x99, 0x9e, 8, false, true},
    Format{0x9f, 0x9f, 24},
    Format{0xa1, 0xa1, 24},
    Format{0xb0, 0xb0, 12},
    Format{0xc0, 0xc0, 8},
    Format{0xc1, 0xc1, 16},
    Format{0xc2, 0xc2, 32},
    Format{0xc3, 0xc3, 16},
    Format{0xc4, 0xc4, 32},
    Format{0xc5, 0xc5, 64},
    Format{0xc6, 0xc6, 8},
    Format{0xc7, 0xc7, 16},
    Format{0xc8, 0xc8, 32},
    Format{0xc9, 0xc9, 16},
    Format{0xca, 0xca, 32},
    Format{0xcb, 0xcb, 64},
};

std::uint64_t upper(std::uint64_t word)
{
    return word >> 32;
}
std::uint64_t lower(std::uint64_t word)
{
    return word & UINT32_MAX;
}

} // namespace

std::optional<std::uint64_t> arrayBytes(const AttachEvent &event)
{
    const auto &argument = event.argument;
    const std::uint64_t format = lower(argument[3]);
    const auto row = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const Format &each) { return each.first <= format && format <= each.last; });
    if (row == kFormats.end())
        return std::nullopt;
    const auto flags = static_cast<std::uint32_t>(upper(argument[2]) >> 8);
    if ((flags & kGivenMemory) != 0)
        return 0;
    const auto atLeastOne = [](std::uint64_t size) { return std::max<std::uint64_t>(size, 1); };
    std::uint64_t width = atLeastOne(lower(argument[1]));
    std::uint64_t height = atLeastOne(upper(argument[1]));
    std::uint64_t depth = atLeastOne(lower(argument[2]));
    const std::uint64_t channels = row->isOfChannel ? upper(argument[3]) : 1;
    if (std::max({width, height, depth}) > kMaxOnASide || channels > kMaxChannels)
        return std::nullopt;
    std::uint64_t bits = 0;
    for (auto level = std::clamp<std::uint64_t>(upper(argument[2]) & 0xff, 1, kMaxLevels); level > 0; --level) {
        const auto whole = [&](std::uint64_t size) { return row->isInBlocks ? (size + 3) / 4 * 4 : size; };
        bits += whole(width) * whole(height) * depth * row->bits * channels;
        width = atLeastOne(width / 2);
        height = atLeastOne(height / 2);
        if ((flags & (kLayered | kCubemap)) == 0)
            depth = atLeastOne(depth / 2);
    }
    return bits / 8;
}

} // namespace jetscope
