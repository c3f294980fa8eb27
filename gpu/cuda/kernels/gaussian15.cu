// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The wide gaussian: a block sums a tile's columns from device memory into shared memory, in 16 bits, then the tile's
// rows from there. RGBA8 in and out, words aligned to words; the radius is too large for the streaming kernel, whose
// registers would hold 15 rows.
#include "gpu/cuda/kernels/pixels.cuh"
#include "gpu/cuda/kernels/stamping.cuh"
#include "gpu/cuda/kernels/streaminglaunch.h"

namespace jetscope::cuda {

namespace {

constexpr int kRadius = arithmetic::kGaussian15Radius;
constexpr int kTileWidth = 112;
constexpr int kTileHeight = 16;
constexpr int kThreads = 128;
constexpr int kColumnRows = 8; ///< Rows that one thread sums columns for.
constexpr int kRowPixels = 8;  ///< Pixels that one thread sums rows for.
/// Two neighbouring pixels with both sides' reach, rounded up to whole pairs.
constexpr int kTilePairs = kTileWidth / 2 + kRadius + 1;
/// Rows of pairs lie two words apart in the banks, so that sixteen rows can be read at once.
constexpr int kPairStride = kTilePairs + 1;

static_assert(kTileWidth % kRowPixels == 0 && kThreads == kTilePairs * (kTileHeight / kColumnRows) && kRadius % 2 == 1);

/// What blocks share. Two neighbouring pixels' column sums of a channel are one word, the left pixel in its low half;
/// red and blue come in one plane, green and alpha in the other.
struct Tile {
    uint2 sums[2][kTileHeight][kPairStride];
    int lines[kTileHeight + 2 * kRadius]; ///< Of the picture, mirrored at its borders.
};

// Both phases do one plane after the other in a loop that is not unrolled: straight code for both would not fit the
// instruction cache.

/// Which bytes of a pixel a plane takes, in 16 bits each.
__device__ constexpr Word bytesOf(int plane)
{
    return plane == 0 ? 0x4240 : 0x4341;
}
/// Where the bytes 2 of a plane's two sums belong in a pixel; bytes 3 are 0.
__device__ constexpr Word placesOf(int plane)
{
    return plane == 0 ? 0x3632 : 0x6323;
}

/// 15 weighted bytes in 16 bits each; at most 255 * 256, so that no sum runs into its neighbour.
__device__ __forceinline__ Word columnSum(const Word *centre)
{
    Word sum = static_cast<Word>(arithmetic::gaussian15Weight(0)) * centre[0];
#pragma unroll
    for (int k = 1; k <= kRadius; ++k)
        sum += static_cast<Word>(arithmetic::gaussian15Weight(k)) * (centre[-k] + centre[k]);
    return sum;
}

/// A pair of columns, kColumnRows rows from `row` of the tile on.
__device__ __forceinline__ void sumColumns(const PassInput &in, Tile &tile, int pair, int row, int x)
{
    constexpr int count = kColumnRows + 2 * kRadius;
    const int leftByte = 4 * arithmetic::reflect101(x, in.width);
    const int rightByte = 4 * arithmetic::reflect101(x + 1, in.width);
    Word left[count];
    Word right[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
        left[i] = load<unsigned>(in.pixels, leftByte, tile.lines[row + i]);
        right[i] = load<unsigned>(in.pixels, rightByte, tile.lines[row + i]);
    }
#pragma unroll 1
    for (int plane = 0; plane < 2; ++plane) {
        const Word bytes = bytesOf(plane);
        Word l[count];
        Word r[count];
#pragma unroll
        for (int i = 0; i < count; ++i) {
            l[i] = permute(left[i], 0, bytes);
            r[i] = permute(right[i], 0, bytes);
        }
#pragma unroll
        for (int i = 0; i < kColumnRows; ++i) {
            const Word leftSum = columnSum(l + kRadius + i);
            const Word rightSum = columnSum(r + kRadius + i);
            tile.sums[plane][row + i][pair] =
                make_uint2(permute(leftSum, rightSum, 0x5410), permute(leftSum, rightSum, 0x7632));
        }
    }
}

/// The weights by which pixels `position` and `position + 1` of the tile's row enter output pixel `pixel`, as two
/// bytes.
__device__ constexpr Word weightsOf(int position, int pixel)
{
    const int left = arithmetic::absolute(position - pixel);
    const int right = arithmetic::absolute(position + 1 - pixel);
    return static_cast<Word>(left <= kRadius ? arithmetic::gaussian15Weight(left) : 0)
        | static_cast<Word>(right <= kRadius ? arithmetic::gaussian15Weight(right) : 0) << 8;
}

/// kRowPixels output pixels from the pairs around them; the first pair is kRadius + 1 pixels to the left.
__device__ __forceinline__ void sumRow(const Tile &tile, int row, int firstPair, Word (&out)[kRowPixels])
{
#pragma unroll
    for (int i = 0; i < kRowPixels; ++i)
        out[i] = 0;
#pragma unroll 1
    for (int plane = 0; plane < 2; ++plane) {
        const uint2 *pairs = tile.sums[plane][row] + firstPair;
        Word first[kRowPixels];
        Word second[kRowPixels];
#pragma unroll
        for (int i = 0; i < kRowPixels; ++i)
            first[i] = second[i] = 32768;
#pragma unroll
        for (int pair = 0; pair < kRowPixels / 2 + kRadius + 1; ++pair) {
            const uint2 columns = pairs[pair];
#pragma unroll
            for (int i = 0; i < kRowPixels; ++i) {
                const Word weights = weightsOf(2 * pair - (kRadius + 1), i);
                if (weights == 0)
                    continue;
                first[i] = __dp2a_lo(columns.x, weights, first[i]);
                second[i] = __dp2a_lo(columns.y, weights, second[i]);
            }
        }
        const Word places = placesOf(plane);
#pragma unroll
        for (int i = 0; i < kRowPixels; ++i)
            out[i] |= permute(first[i], second[i], places);
    }
}

__global__ void __launch_bounds__(kThreads)
    gaussian15Tiles(const __grid_constant__ PassInput in, const __grid_constant__ PassOutput out)
{
    stampStart(out.stamp);
    __shared__ Tile tile;
    const int thread = static_cast<int>(threadIdx.x);
    const int tileX = static_cast<int>(blockIdx.x) * kTileWidth;
    const int tileY = static_cast<int>(blockIdx.y) * kTileHeight;
    if (thread < kTileHeight + 2 * kRadius)
        tile.lines[thread] = arithmetic::reflect101(tileY - kRadius + thread, in.height);
    __syncthreads();

    const int pair = thread % kTilePairs;
    sumColumns(in, tile, pair, thread / kTilePairs * kColumnRows, tileX - (kRadius + 1) + 2 * pair);
    __syncthreads();

#pragma unroll 1
    for (int task = thread; task < kTileHeight * (kTileWidth / kRowPixels); task += kThreads) {
        const int row = task % kTileHeight;
        const int column = task / kTileHeight * kRowPixels;
        const int x = tileX + column;
        if (x >= in.width || tileY + row >= in.height)
            continue;
        Word pixels[kRowPixels];
        sumRow(tile, row, column / 2, pixels);
#pragma unroll
        for (int i = 0; i < kRowPixels; i += 4)
            if (x + i < in.width)
                writeQuad(out.rgba, in.width, x + i, tileY + row,
                          {{pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]}});
    }
    stampEnd(out.stamp);
}

} // namespace

cudaError_t gaussian15(const PassInput &input, const PassOutput &output, cudaStream_t stream)
{
    const dim3 grid(static_cast<unsigned>((input.width + kTileWidth - 1) / kTileWidth),
                    static_cast<unsigned>((input.height + kTileHeight - 1) / kTileHeight));
    gaussian15Tiles<<<grid, kThreads, 0, stream>>>(input, output);
    return cudaGetLastError();
}

} // namespace jetscope::cuda
