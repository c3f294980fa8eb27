// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The wide gaussian: a block sums a tile's columns from device memory into shared memory, in 16 bits, then the tile's rows from there. RGBA8
// in and out; the radius is too large for a march, whose registers would hold 15 rows.
#include "gpu/cuda/marchlaunch.h"
#include "gpu/cuda/pixels.cuh"

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
/// Rows of pairs lie four words apart in the banks, so that eight rows can be read at once.
constexpr int kPairStride = kTilePairs + 1;

static_assert(kTileWidth % kRowPixels == 0 && kTileHeight % kColumnRows == 0 && kRadius % 2 == 1);

/// The column sums of two neighbouring pixels, 16 bits each: per channel a word, the left pixel in its low half.
using PairSums = uint4;

struct Pair {
    Word left;
    Word right;
};

__device__ __forceinline__ Word pixelAt(const PassInput &in, int x, int y)
{
    x = static_cast<unsigned>(x) < static_cast<unsigned>(in.width) ? x : arithmetic::reflect101(x, in.width);
    y = static_cast<unsigned>(y) < static_cast<unsigned>(in.height) ? y : arithmetic::reflect101(y, in.height);
    return isAligned(in.pixels, 4) ? load<unsigned>(in.pixels, 4 * x, y) : readPixel<PixelFormat::Rgba8>(in, x, y);
}

__device__ __forceinline__ Pair pairAt(const PassInput &in, int x, int y, bool isWhole)
{
    if (!isWhole)
        return {pixelAt(in, x, y), pixelAt(in, x + 1, y)};
    y = static_cast<unsigned>(y) < static_cast<unsigned>(in.height) ? y : arithmetic::reflect101(y, in.height);
    const uint2 both = load<uint2>(in.pixels, 4 * x, y);
    return {both.x, both.y};
}

/// Bytes of two pixels in 16 bits each; at most 255 * 256, so that no sum runs into its neighbour.
__device__ __forceinline__ Word columnSum(const Word *centre)
{
    Word sum = static_cast<Word>(arithmetic::gaussian15Weight(0)) * centre[0];
#pragma unroll
    for (int k = 1; k <= kRadius; ++k)
        sum += static_cast<Word>(arithmetic::gaussian15Weight(k)) * (centre[-k] + centre[k]);
    return sum;
}

/// One channel pair (red and blue, or green and alpha) of both pixels, for kColumnRows rows.
template <class Bytes>
__device__ __forceinline__ void sumColumns(const Pair *rows, Word (&low)[kColumnRows], Word (&high)[kColumnRows],
                                           const Bytes &bytes)
{
    constexpr int count = kColumnRows + 2 * kRadius;
    Word left[count];
    Word right[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
        left[i] = bytes(rows[i].left);
        right[i] = bytes(rows[i].right);
    }
#pragma unroll
    for (int i = 0; i < kColumnRows; ++i) {
        const Word l = columnSum(left + kRadius + i);
        const Word r = columnSum(right + kRadius + i);
        low[i] = permute(l, r, 0x5410);
        high[i] = permute(l, r, 0x7632);
    }
}

__device__ void columnsOfTile(const PassInput &in, PairSums (&sums)[kTileHeight][kPairStride], int tileX, int tileY)
{
    for (int task = static_cast<int>(threadIdx.x); task < kTilePairs * (kTileHeight / kColumnRows); task += kThreads) {
        const int pair = task % kTilePairs;
        const int row = task / kTilePairs * kColumnRows;
        const int x = tileX - (kRadius + 1) + 2 * pair;
        if (x > in.width + kRadius || tileY + row >= in.height)
            continue;
        const bool isWhole = x >= 0 && x + 1 < in.width && isAligned(in.pixels, 8);
        Pair rows[kColumnRows + 2 * kRadius];
#pragma unroll
        for (int i = 0; i < kColumnRows + 2 * kRadius; ++i)
            rows[i] = pairAt(in, x, tileY + row + i - kRadius, isWhole);
        Word red[kColumnRows];
        Word green[kColumnRows];
        Word blue[kColumnRows];
        Word alpha[kColumnRows];
        sumColumns(rows, red, blue, evenBytes);
        sumColumns(rows, green, alpha, oddBytes);
#pragma unroll
        for (int i = 0; i < kColumnRows; ++i)
            sums[row + i][pair] = make_uint4(red[i], green[i], blue[i], alpha[i]);
    }
}

/// The weights by which pixels `position` and `position + 1` of the tile's row enter output pixel `pixel`, as two bytes.
__device__ constexpr Word weightsOf(int position, int pixel)
{
    const int left = arithmetic::absolute(position - pixel);
    const int right = arithmetic::absolute(position + 1 - pixel);
    return static_cast<Word>(left <= kRadius ? arithmetic::gaussian15Weight(left) : 0)
        | static_cast<Word>(right <= kRadius ? arithmetic::gaussian15Weight(right) : 0) << 8;
}

/// kRowPixels output pixels from the pairs around them; the first pair is kRadius + 1 pixels to the left.
__device__ __forceinline__ void sumRow(const PairSums *pairs, Word (&out)[kRowPixels])
{
    Word sums[kRowPixels][4];
#pragma unroll
    for (int i = 0; i < kRowPixels; ++i)
        for (int c = 0; c < 4; ++c)
            sums[i][c] = 32768;
#pragma unroll
    for (int pair = 0; pair < kRowPixels / 2 + kRadius + 1; ++pair) {
        const PairSums column = pairs[pair];
#pragma unroll
        for (int i = 0; i < kRowPixels; ++i) {
            const Word weights = weightsOf(2 * pair - (kRadius + 1), i);
            if (weights == 0)
                continue;
            sums[i][0] = __dp2a_lo(column.x, weights, sums[i][0]);
            sums[i][1] = __dp2a_lo(column.y, weights, sums[i][1]);
            sums[i][2] = __dp2a_lo(column.z, weights, sums[i][2]);
            sums[i][3] = __dp2a_lo(column.w, weights, sums[i][3]);
        }
    }
#pragma unroll
    for (int i = 0; i < kRowPixels; ++i)
        out[i] = permute(permute(sums[i][0], sums[i][1], 0x0062), permute(sums[i][2], sums[i][3], 0x0062), 0x5410);
}

__device__ void rowsOfTile(const PassInput &in, const PassOutput &out, const PairSums (&sums)[kTileHeight][kPairStride],
                           int tileX, int tileY)
{
    for (int task = static_cast<int>(threadIdx.x); task < kTileHeight * (kTileWidth / kRowPixels); task += kThreads) {
        const int row = task % kTileHeight;
        const int group = task / kTileHeight;
        const int x = tileX + group * kRowPixels;
        const int y = tileY + row;
        if (x >= in.width || y >= in.height)
            continue;
        Word pixels[kRowPixels];
        sumRow(sums[row] + group * (kRowPixels / 2), pixels);
        for (int i = 0; i < kRowPixels; i += 4)
            if (x + i < in.width)
                writeQuad(out.rgba, in.width, x + i, y, {{pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]}});
    }
}

__global__ void __launch_bounds__(kThreads)
gaussian15Tiles(const __grid_constant__ PassInput in, const __grid_constant__ PassOutput out)
{
    __shared__ PairSums sums[kTileHeight][kPairStride];
    const int tileX = static_cast<int>(blockIdx.x) * kTileWidth;
    const int tileY = static_cast<int>(blockIdx.y) * kTileHeight;
    columnsOfTile(in, sums, tileX, tileY);
    __syncthreads();
    rowsOfTile(in, out, sums, tileX, tileY);
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
