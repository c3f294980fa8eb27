// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/filters/arithmetic.h"

// Luma of many pixels. x86 multiplies and adds neighbouring 16-bit lanes in one instruction, twice as fast as the
// 32-bit products of the plain loop; no compiler finds it there, so this one loop is written by hand. Part of
// rowloops.h: everything is local to the including file.
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace jetscope {
namespace {

typedef std::uint32_t Pixel __attribute__((may_alias, aligned(1))); ///< View of an RGBA8 row at any address.

#if defined(__AVX512BW__)
using LumaLanes = __m512i;
LumaLanes multiplyAddPairs(LumaLanes a, LumaLanes b)
{
    return _mm512_madd_epi16(a, b);
}
#elif defined(__AVX2__)
using LumaLanes = __m256i;
LumaLanes multiplyAddPairs(LumaLanes a, LumaLanes b)
{
    return _mm256_madd_epi16(a, b);
}
#elif defined(__SSE2__)
using LumaLanes = __m128i;
LumaLanes multiplyAddPairs(LumaLanes a, LumaLanes b)
{
    return _mm_madd_epi16(a, b);
}
#endif

#if defined(__SSE2__)
// Arithmetic on whole vectors: 32-bit lanes, each a pixel or a pair of 16-bit numbers, the low one first.
typedef std::uint32_t PixelLanes __attribute__((vector_size(sizeof(LumaLanes))));
typedef std::uint32_t UnalignedPixelLanes __attribute__((vector_size(sizeof(LumaLanes)), may_alias, aligned(1)));

PixelLanes sumOfProducts(PixelLanes pairs, int lowFactor, int highFactor)
{
    const auto factors = static_cast<std::uint32_t>(lowFactor | highFactor << 16);
    return reinterpret_cast<PixelLanes>(
        multiplyAddPairs(reinterpret_cast<LumaLanes>(pairs), reinterpret_cast<LumaLanes>(PixelLanes{} + factors)));
}

PixelLanes lumaOf(PixelLanes rgba)
{
    using namespace arithmetic;
    const PixelLanes redAndBlue = rgba & 0x00ff00ffu;
    const PixelLanes greenAndOne = (rgba >> 8 & 0xffu) | 0x10000u;
    return (sumOfProducts(redAndBlue, kLumaRed, kLumaBlue)
            + sumOfProducts(greenAndOne, kLumaGreen, 1 << (kLumaShift - 1)))
        >> kLumaShift;
}
#endif

void lumaOfPixels(const Pixel *rgba, std::uint32_t *__restrict luma, int count)
{
    int x = 0;
#if defined(__SSE2__)
    // The loop is as fast as memory, and the hardware starts to fetch anew in every page. Beyond the image it does no
    // harm.
    constexpr int kPrefetchAhead = 512;
    constexpr int lanes = sizeof(PixelLanes) / sizeof(Pixel);
    for (; x + lanes <= count; x += lanes) {
        __builtin_prefetch(rgba + x + kPrefetchAhead);
        *reinterpret_cast<UnalignedPixelLanes *>(luma + x) =
            lumaOf(*reinterpret_cast<const UnalignedPixelLanes *>(rgba + x));
    }
#endif
    for (; x < count; ++x)
        luma[x] = static_cast<std::uint32_t>(arithmetic::luma(rgba[x]));
}

} // namespace
} // namespace jetscope
