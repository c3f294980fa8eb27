// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/pixelstore.h"

#include "core/attach/format/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxLayouts = 1 << 12;
constexpr std::uint64_t kMaxInLayout = 1 << 20; ///< In a row, or rows of an image: so that no product overflows.

/// GL_UNPACK_ROW_LENGTH and its followers; those of GL_PACK_ROW_LENGTH are as many numbers higher.
constexpr std::uint64_t kRowLength = 0x0CF2, kSkipRows = 0x0CF3, kSkipPixels = 0x0CF4, kAlignment = 0x0CF5;
constexpr std::uint64_t kPack = 0x0D02 - kRowLength;

std::uint64_t componentsOf(std::uint64_t format)
{
    switch (format) {
    case 0x1903: // GL_RED
    case 0x1906: // GL_ALPHA
    case 0x1909: // GL_LUMINANCE
    case 0x8D94: // GL_RED_INTEGER
        return 1;
    case 0x8227: // GL_RG
    case 0x8228: // GL_RG_INTEGER
    case 0x190A: // GL_LUMINANCE_ALPHA
        return 2;
    case 0x1907: // GL_RGB
    case 0x80E0: // GL_BGR
    case 0x8D98: // GL_RGB_INTEGER
        return 3;
    case 0x1908: // GL_RGBA
    case 0x80E1: // GL_BGRA
    case 0x8D99: // GL_RGBA_INTEGER
        return 4;
    default:
        return 0;
    }
}

/// 0: not known.
std::uint64_t bytesOfPixel(std::uint64_t format, std::uint64_t type)
{
    switch (type) {
    case 0x1400: // GL_BYTE
    case 0x1401: // GL_UNSIGNED_BYTE
        return componentsOf(format);
    case 0x1402: // GL_SHORT
    case 0x1403: // GL_UNSIGNED_SHORT
    case 0x140B: // GL_HALF_FLOAT
    case 0x8D61: // GL_HALF_FLOAT_OES
        return componentsOf(format) * 2;
    case 0x1404: // GL_INT
    case 0x1405: // GL_UNSIGNED_INT
    case 0x1406: // GL_FLOAT
        return componentsOf(format) * 4;
    case 0x8033: // GL_UNSIGNED_SHORT_4_4_4_4
    case 0x8034: // GL_UNSIGNED_SHORT_5_5_5_1
    case 0x8363: // GL_UNSIGNED_SHORT_5_6_5
        return 2;
    case 0x8035: // GL_UNSIGNED_INT_8_8_8_8
    case 0x8367: // GL_UNSIGNED_INT_8_8_8_8_REV
    case 0x8368: // GL_UNSIGNED_INT_2_10_10_10_REV
        return 4;
    default:
        return 0;
    }
}

} // namespace

void PixelStore::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid)
{
    const auto &argument = event.argument;
    if (attachCall(event.call)->work != JSA_WORK_PIXELSTORE || argument[1] > INT32_MAX) // GL refuses numbers below 0.
        return;
    const Context context{pid, m_model.of(pid).contextOf(tid)};
    if (m_layouts.size() >= kMaxLayouts && !m_layouts.contains(context))
        return;
    const bool isPack = argument[0] >= kRowLength + kPack;
    Layouts &layouts = m_layouts[context];
    Layout &layout = isPack ? layouts.pack : layouts.unpack;
    switch (argument[0] - (isPack ? kPack : 0)) {
    case kRowLength:
        layout.rowLength = argument[1];
        return;
    case kSkipRows:
        layout.skippedRows = argument[1];
        return;
    case kSkipPixels:
        layout.skippedPixels = argument[1];
        return;
    case kAlignment:
        layout.alignment = std::clamp<std::uint64_t>(argument[1], 1, 8);
        return;
    default:
        return;
    }
}

PixelRows PixelStore::rowsOf(const AttachEvent &event, std::int32_t pid, std::int32_t tid) const
{
    const auto &argument = event.argument;
    const std::uint64_t width = argument[0] & UINT32_MAX, height = argument[1] & UINT32_MAX;
    const auto known = m_layouts.find({pid, m_model.of(pid).contextOf(tid)});
    const Layouts layouts = known == m_layouts.end() ? Layouts() : known->second;
    const Layout &layout = attachCall(event.call)->work == JSA_WORK_READBACK ? layouts.pack : layouts.unpack;
    const std::uint64_t pixel = bytesOfPixel(argument[3] & UINT32_MAX, argument[3] >> 32);
    const std::uint64_t most = std::max({width, height, layout.rowLength, layout.skippedRows, layout.skippedPixels});
    if (pixel == 0 || most > kMaxInLayout) // At least a byte a pixel.
        return {argument[2], width * height, 1, 0, !layout.hasGaps()};
    const std::uint64_t length = (layout.rowLength == 0 ? width : layout.rowLength) * pixel;
    const std::uint64_t pitch = (length + layout.alignment - 1) / layout.alignment * layout.alignment;
    return {argument[2] + layout.skippedRows * pitch + layout.skippedPixels * pixel, width * pixel, height, pitch,
            !layout.hasGaps()};
}

} // namespace jetscope
