// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/filters/arithmetic.h"

#include <cuda_fp16.h>

// Several small numbers in one 32-bit word: what makes the kernels wait for memory and not for arithmetic. The values
// are those of gpu/filters/arithmetic.h; here is only how they are packed. Halves hold integers up to 2048 exactly, and
// every sum that is formed in them stays below.
namespace jetscope::cuda {

using Word = std::uint32_t;

/// Four bytes out of the eight of two words; a selector nibble of 8 and more repeats the byte's sign bit.
__device__ __forceinline__ Word permute(Word low, Word high, Word selector)
{
    Word out;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(low), "r"(high), "r"(selector));
    return out;
}

/// Red and blue (bytes 0 and 2) or green and alpha (1 and 3) of a pixel, as two 16-bit numbers.
__device__ __forceinline__ Word evenBytes(Word rgba)
{
    return rgba & 0x00ff00ffu;
}
__device__ __forceinline__ Word oddBytes(Word rgba)
{
    return permute(rgba, 0, 0x4341);
}

/// packRgba of four numbers clamped to bytes.
__device__ __forceinline__ Word packClamped(int r, int g, int b, int a)
{
    Word high;
    Word out;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(a), "r"(b));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(g), "r"(r), "r"(high));
    return out;
}

/// Two numbers clamped to bytes, as 16-bit numbers.
__device__ __forceinline__ Word splitClamped(int low, int high)
{
    Word upper;
    Word out;
    asm("cvt.pack.sat.u8.s32.b32 %0, 0, %1, 0;" : "=r"(upper) : "r"(high));
    asm("cvt.pack.sat.u8.s32.b32 %0, 0, %1, %2;" : "=r"(out) : "r"(low), "r"(upper));
    return out;
}

__device__ __forceinline__ __half2 asHalves(Word word)
{
    return *reinterpret_cast<__half2 *>(&word);
}
__device__ __forceinline__ Word asWord(__half2 halves)
{
    return *reinterpret_cast<Word *>(&halves);
}
__device__ __forceinline__ __half2 halvesOf(float value)
{
    return __float2half2_rn(value);
}

/// The half of 1024 + n has n in its low bits: bytes become halves, and halves bytes, by moving bits.
inline constexpr Word kHalf1024 = 0x6400;
inline constexpr Word kHalves1024 = 0x64006400;

/// Luma in byte 2 and the upper byte of the half 1024 in byte 3. The weights are doubled, so that the shift by 15
/// becomes a choice of bytes.
__device__ __forceinline__ Word lumaInByte2(Word rgba)
{
    static_assert(arithmetic::kLumaShift == 15);
    constexpr Word redGreen = Word{2 * arithmetic::kLumaRed} | Word{2 * arithmetic::kLumaGreen} << 16;
    constexpr Word blue = Word{2 * arithmetic::kLumaBlue};
    constexpr Word rounding = (kHalf1024 << 16) + 0x8000;
    return __dp2a_hi(blue, rgba, __dp2a_lo(redGreen, rgba, rounding));
}

} // namespace jetscope::cuda
