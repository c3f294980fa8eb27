// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/stages.cuh"

#include <climits>

// How a picture is cut into strips, one for each warp, and what happens at its borders.
namespace jetscope::cuda {

// A block is one warp, so that what belongs to a strip is known to be the same for all lanes and costs them nothing.
inline constexpr int kThreads = 32;
#ifdef __CUDA_ARCH__
inline constexpr int kArchitecture = __CUDA_ARCH__;
#else
inline constexpr int kArchitecture = 0;
#endif
/// Warps that a multiprocessor must hold, as far as registers decide it: fewer do not hide how late memory answers.
/// What converts colours computes enough to hide it, and is better off with more registers. Chips for small machines
/// hold 16 blocks at most.
constexpr int warpsWanted(bool convertsColours)
{
    return convertsColours ? 16 : kArchitecture == 800 || kArchitecture >= 900 ? 20 : 16;
}
/// Rows fetched before they are needed: memory answers late. Those behind a strip's end are fetched in vain, which
/// counts where nothing is computed and strips are short.
__host__ __device__ constexpr int rowsAhead(int radius)
{
    return radius == 0 ? 2 : 4;
}

__host__ __device__ constexpr int lanesBeside(int radius)
{
    return (radius + 3) / 4;
}
__host__ __device__ constexpr int pixelsPerWarp(int radius)
{
    return 4 * (32 - 2 * lanesBeside(radius));
}

inline int stripsBeneath(int height, int rows)
{
    return (height + rows - 1) / rows;
}

/// How many rows a strip has: long strips read few rows twice, short ones share the work out evenly. The last strips
/// must not run alone, so what counts is how often all of the GPU's places are filled. Even, so that strips begin with
/// an upper row.
inline int rowsPerWarp(int height, int columns, int radius, int resident)
{
    if (radius == 0)
        return 3 * rowsAhead(0); // Nothing is read twice.
    // The cheap filters wait for memory, and many short strips wait better; the others are better off computing little
    // twice.
    const int most = radius == 1 ? 12 : 64;
    int best = 2;
    int lowest = INT_MAX;
    for (int rows = 2; rows <= most; rows += 2) {
        const int rounds = (columns * stripsBeneath(height, rows) + resident - 1) / resident;
        const int steps = (rows + 2 * radius + rowsAhead(radius) - 1) / rowsAhead(radius);
        const int cost = rounds * (steps + 1); // Filling the pipeline takes about as long as a step.
        if (cost <= lowest) {                  // Of equals the longest, which read least twice.
            best = rows;
            lowest = cost;
        }
    }
    return best;
}

/// Gives the lanes beside the picture the mirror image of their neighbours inside. Reading it from memory would make
/// the warps at the borders slower than all others.
class BorderLanes {
public:
    __device__ BorderLanes(int x, int width) : m_isLeft(x == -4), m_isRight(x == width) {}

    __device__ __forceinline__ void mirror(Quad &quad) const
    {
        // Pixels -3, -2, -1 are 3, 2, 1; behind the last pixel come the ones before it.
        const Quad inside = quad;
        for (int i = 1; i < 4; ++i) {
            const Word fromRight = fromRightLane(inside.px[4 - i]);
            const Word fromLeft = fromLeftLane(inside.px[3 - i]);
            if (m_isLeft)
                quad.px[i] = fromRight;
            if (m_isRight)
                quad.px[i - 1] = fromLeft;
        }
    }

private:
    const bool m_isLeft;
    const bool m_isRight;
};

/// Where a warp's strip lies.
struct Strip {
    template <int radius>
    __device__ static __forceinline__ Strip of(const PassInput &in, int rows)
    {
        constexpr int beside = lanesBeside(radius);
        const int lane = static_cast<int>(threadIdx.x);
        const int left = static_cast<int>(blockIdx.x) * pixelsPerWarp(radius) - 4 * beside;
        Strip strip;
        strip.x = left + 4 * lane;
        strip.first = static_cast<int>(blockIdx.y) * rows;
        strip.end = arithmetic::smaller(strip.first + rows, in.height);
        strip.writes = lane >= beside && lane < 32 - beside && strip.x < in.width;
        strip.isAtBorder = left < 0 || left + 4 * 32 > in.width;
        strip.readsOutside = strip.first < radius || strip.end + radius + 2 * rowsAhead(radius) > in.height;
        return strip;
    }

    int x;
    int first;
    int end;
    bool writes;       ///< Whether this lane's quads are complete and inside the picture.
    bool isAtBorder;   ///< Whether there are lanes beside the picture.
    bool readsOutside; ///< Whether rows above or below the picture are read.
};

} // namespace jetscope::cuda
