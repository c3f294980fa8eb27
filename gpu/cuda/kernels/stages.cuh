// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/pixels.cuh"

// The filters as stages of the streaming kernel, which goes down the picture row by row: `push` takes the next row's
// quad and returns the quad of the row `radius` rows above it. A warp's 32 lanes hold neighbouring quads, so a pixel's
// neighbours in its row come from the lanes beside; quads at the ends of a warp are not complete and the caller drops
// them. `isGrey`: red, green and blue come out equal.
//
// `isEven` alternates from row to row and is known when the kernel is compiled.
//
// Borders need no stage's attention: every filter is symmetric, so filtering the mirrored picture gives the mirror of
// the filtered one, and reading the input mirrored is enough for any number of stages.
namespace jetscope::cuda {

__device__ __forceinline__ Word fromLeftLane(Word word)
{
    return __shfl_up_sync(0xffffffffu, word, 1);
}
__device__ __forceinline__ Word fromRightLane(Word word)
{
    return __shfl_down_sync(0xffffffffu, word, 1);
}

class InvertStage {
public:
    using Input = Quad;
    static constexpr int radius = 0;
    static constexpr bool isGrey = false;
    __device__ __forceinline__ Quad push(const Quad &in, bool)
    {
        return {{arithmetic::invert(in.px[0]), arithmetic::invert(in.px[1]), arithmetic::invert(in.px[2]),
                 arithmetic::invert(in.px[3])}};
    }
};

class ThresholdStage {
public:
    using Input = Quad;
    static constexpr int radius = 0;
    static constexpr bool isGrey = true;
    __device__ __forceinline__ Quad push(const Quad &in, bool)
    {
        Quad out;
        // Luma is at least 128 where its upper bit is set: that bit fills red, green and blue.
        for (int i = 0; i < 4; ++i)
            out.px[i] = permute(lumaInByte2(in.px[i]), 0xffffffffu, 0x4aaa);
        return out;
    }
};

/// 1 4 6 4 1 of bytes in 16 bits each: one direction is at most 4080, both with the rounding 65408.
struct Gaussian5Sums {
    /// Across, with a sixteenth of the rounding, since the weights down sum to 16.
    __device__ static __forceinline__ Word across(Word a, Word b, Word c, Word d, Word e)
    {
        Word outer = a + e + 0x00080008u;
        asm("" : "+r"(outer)); // Keeps the three terms together: they are one instruction.
        return 6 * c + (4 * (b + d) + outer);
    }

    /// Down: twice 1 2 1, which is twice 1 1. Sums of two neighbours are formed in every second row only, since three
    /// terms are one instruction: the row between adds the two terms themselves.
    __device__ __forceinline__ Word push(Word s0, bool isEven)
    {
        if (isEven) {
            const Word once = s0 + m_row + m_rowPair;
            const Word twice = once + m_once + m_oncePair;
            m_rowPair = m_row; // The row before alone; likewise below.
            m_row = s0;
            m_oncePair = m_once;
            m_once = once;
            return twice;
        }
        const Word rowPair = s0 + m_row;
        const Word once = rowPair + m_row + m_rowPair;
        const Word oncePair = once + m_once;
        const Word twice = oncePair + m_once + m_oncePair;
        m_rowPair = rowPair;
        m_row = s0;
        m_oncePair = oncePair;
        m_once = once;
        return twice;
    }
    Word m_row = 0;
    Word m_rowPair = 0; ///< Before an even row the last two rows' sum, before an odd one the last but one.
    Word m_once = 0;
    Word m_oncePair = 0;
};

/// Four pixels' even or odd bytes.
class Gaussian5Bytes {
public:
    __device__ __forceinline__ void push(const Word (&own)[4], Word (&out)[4], bool isEven)
    {
        const Word w[8] = {fromLeftLane(own[2]),  fromLeftLane(own[3]), own[0], own[1], own[2], own[3],
                           fromRightLane(own[0]), fromRightLane(own[1])};
        for (int i = 0; i < 4; ++i)
            out[i] = m_sums[i].push(Gaussian5Sums::across(w[i], w[i + 1], w[i + 2], w[i + 3], w[i + 4]), isEven);
    }

private:
    Gaussian5Sums m_sums[4];
};

class Gaussian5Stage {
public:
    using Input = Quad;
    static constexpr int radius = arithmetic::kGaussian5Radius;
    static constexpr bool isGrey = false;
    __device__ __forceinline__ Quad push(const Quad &in, bool isEven)
    {
        const Word even[4] = {evenBytes(in.px[0]), evenBytes(in.px[1]), evenBytes(in.px[2]), evenBytes(in.px[3])};
        const Word odd[4] = {oddBytes(in.px[0]), oddBytes(in.px[1]), oddBytes(in.px[2]), oddBytes(in.px[3])};
        Word evenSums[4];
        Word oddSums[4];
        m_even.push(even, evenSums, isEven);
        m_odd.push(odd, oddSums, isEven);
        Quad out;
        for (int i = 0; i < 4; ++i)
            out.px[i] = permute(evenSums[i], oddSums[i], 0x7351);
        return out;
    }

private:
    Gaussian5Bytes m_even;
    Gaussian5Bytes m_odd;
};

/// The same for a stage behind that looks at luma only: alpha is left undefined, which makes it cheaper by a quarter.
/// Two pixels' green shares a word: 0 and 2, 1 and 3, so that a pixel's neighbours mostly share one too.
class Gaussian5LumaStage {
public:
    using Input = SplitQuad;
    static constexpr int radius = arithmetic::kGaussian5Radius;
    static constexpr bool isGrey = false;
    __device__ __forceinline__ Quad push(const Quad &in, bool isEven) { return push(split(in), isEven); }
    __device__ __forceinline__ Quad push(const SplitQuad &in, bool isEven)
    {
        Word sums[4];
        m_even.push(in.redBlue, sums, isEven);
        const Word outer = in.green02;
        const Word inner = in.green13;
        const Word beforeOuter = permute(fromLeftLane(outer), outer, 0x5432);  // Pixels -2 and 0,
        const Word beforeInner = permute(fromLeftLane(inner), inner, 0x5432);  // -1 and 1,
        const Word behindOuter = permute(outer, fromRightLane(outer), 0x5432); // 2 and 4,
        const Word behindInner = permute(inner, fromRightLane(inner), 0x5432); // 3 and 5.
        const Word green02 =
            m_outer.push(Gaussian5Sums::across(beforeOuter, beforeInner, outer, inner, behindOuter), isEven);
        const Word green13 =
            m_inner.push(Gaussian5Sums::across(beforeInner, outer, inner, behindOuter, behindInner), isEven);
        return {{permute(sums[0], green02, 0x0351), permute(sums[1], green13, 0x0351),
                 permute(sums[2], green02, 0x0371), permute(sums[3], green13, 0x0371)}};
    }

private:
    Gaussian5Bytes m_even;
    Gaussian5Sums m_outer;
    Gaussian5Sums m_inner;
};

/// Luma in halves: pixels 0 and 2 in one word, 1 and 3 in the other, so that a pixel's neighbours mostly share a word.
class SobelStage {
public:
    using Input = Quad;
    static constexpr int radius = arithmetic::kSobelRadius;
    static constexpr bool isGrey = true;
    __device__ __forceinline__ Quad push(const Quad &in, bool)
    {
        Word luma[4];
        for (int i = 0; i < 4; ++i)
            luma[i] = lumaInByte2(in.px[i]);
        const __half2 bias = halvesOf(-1024);
        const Word outer = asWord(__hadd2(asHalves(permute(luma[0], luma[2], 0x7632)), bias));
        const Word inner = asWord(__hadd2(asHalves(permute(luma[1], luma[3], 0x7632)), bias));
        const Word leftOfOuter = permute(fromLeftLane(inner), inner, 0x5432);
        const Word rightOfInner = permute(outer, fromRightLane(outer), 0x5432);

        const __half2 even = m_even.push(asHalves(leftOfOuter), asHalves(outer), asHalves(inner));
        const __half2 odd = m_odd.push(asHalves(outer), asHalves(inner), asHalves(rightOfInner));
        constexpr Word opaque = 0xffffffff;
        return {{permute(asWord(even), opaque, 0x4000), permute(asWord(odd), opaque, 0x4000),
                 permute(asWord(even), opaque, 0x4222), permute(asWord(odd), opaque, 0x4222)}};
    }

private:
    /// Two pixels' columns. Gives their magnitudes in the low bytes.
    struct Columns {
        __device__ __forceinline__ __half2 push(__half2 left, __half2 centre, __half2 right)
        {
            const __half2 difference = __hsub2(right, left);
            const __half2 smooth = __hfma2(centre, halvesOf(2), __hadd2(left, right));
            const __half2 differences = __hadd2(difference, m_difference);
            const __half2 gx = __hadd2(differences, m_differences);
            const __half2 gy = __hsub2(smooth, m_smoothBefore);
            m_differences = differences;
            m_difference = difference;
            m_smoothBefore = m_smooth;
            m_smooth = smooth;
            const __half2 magnitude = __hmin2(__hadd2(__habs2(gx), __habs2(gy)), halvesOf(255));
            return __hadd2(magnitude, halvesOf(1024));
        }
        __half2 m_difference = halvesOf(0);
        __half2 m_differences = halvesOf(0);
        __half2 m_smooth = halvesOf(0);
        __half2 m_smoothBefore = halvesOf(0);
    };

    Columns m_even;
    Columns m_odd;
};

/// In halves, 1024 above the value so that the clamped one ends up in the low byte. Sums beyond 2048 lose their last
/// bit, and are clamped to 255 all the same.
class SharpenStage {
public:
    using Input = Quad;
    static constexpr int radius = arithmetic::kSharpenRadius;
    static constexpr bool isGrey = false;
    __device__ __forceinline__ Quad push(const Quad &in, bool)
    {
        Word even[6];
        Word odd[6];
        for (int i = 0; i < 4; ++i) {
            even[1 + i] = centred(evenBytes(in.px[i]) | kHalves1024);
            odd[1 + i] = centred(permute(in.px[i], kHalves1024, 0x5351));
        }
        even[0] = fromLeftLane(even[4]);
        even[5] = fromRightLane(even[1]);
        odd[0] = fromLeftLane(odd[4]);
        odd[5] = fromRightLane(odd[1]);
        Quad out;
        for (int i = 0; i < 4; ++i) {
            const Word rgb = permute(m_even[i].push(even + i), m_odd[i].push(odd + i), 0x0240);
            out.px[i] = permute(rgb, m_last.px[i], 0x7210);
            m_last.px[i] = in.px[i];
        }
        return out;
    }

private:
    __device__ static __forceinline__ Word centred(Word halves)
    {
        return asWord(__hadd2(asHalves(halves), halvesOf(-1024)));
    }

    struct Column {
        __device__ __forceinline__ Word push(const Word *w)
        {
            const __half2 centre = asHalves(w[1]);
            const __half2 sharpened = __hsub2(m_withoutSouth, centre);
            const __half2 sides = __hsub2(__hsub2(halvesOf(1024), asHalves(w[0])), asHalves(w[2]));
            m_withoutSouth = __hfma2(centre, halvesOf(5), __hsub2(sides, m_north));
            m_north = centre;
            return asWord(__hmin2(__hmax2(sharpened, halvesOf(1024)), halvesOf(1024 + 255)));
        }
        __half2 m_withoutSouth = halvesOf(0);
        __half2 m_north = halvesOf(0);
    };

    Column m_even[4];
    Column m_odd[4];
    Quad m_last = {};
};

/// Several stages as one. No stage is the identity.
template <class... Stages>
class StageChain;

template <>
class StageChain<> {
public:
    using Input = Quad;
    static constexpr int radius = 0;
    static constexpr bool isGrey = false;
    __device__ __forceinline__ Quad push(const Quad &in, bool) { return in; }
};

template <class First, class... Rest>
class StageChain<First, Rest...> {
public:
    using Input = typename First::Input;
    static constexpr int radius = First::radius + StageChain<Rest...>::radius;
    static constexpr bool isGrey = sizeof...(Rest) == 0 ? First::isGrey : StageChain<Rest...>::isGrey;
    template <class Pixels>
    __device__ __forceinline__ Quad push(const Pixels &in, bool isEven)
    {
        return m_rest.push(m_first.push(in, isEven), isEven);
    }

private:
    First m_first;
    StageChain<Rest...> m_rest;
};

} // namespace jetscope::cuda
