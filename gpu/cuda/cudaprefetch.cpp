// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudaprefetch.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/cudadriver.h"

namespace jetscope {

namespace {

// cudaMemLocationType, of which CUDA 11 declares the first only.
constexpr int kPlaceDevice = 1;
constexpr int kPlaceHost = 2;

/// One of the two fits the toolkit. cudaMemPrefetchAsync up to CUDA 12 takes a device's number.
[[maybe_unused]] cudaError_t prefetchBy(cudaError_t (*call)(const void *, std::size_t, int, cudaStream_t),
                                        Buffer &memory, PrefetchTo side, int ordinal, cudaStream_t stream)
{
    return call(memory.device(), memory.bytes(), side == PrefetchTo::Device ? ordinal : cudaCpuDeviceId, stream);
}

/// From CUDA 13 on it takes a location.
[[maybe_unused]] cudaError_t prefetchBy(cudaError_t (*call)(const void *, std::size_t, cudaMemLocation, unsigned,
                                                            cudaStream_t),
                                        Buffer &memory, PrefetchTo side, int ordinal, cudaStream_t stream)
{
    cudaMemLocation place{};
    place.type = static_cast<cudaMemLocationType>(side == PrefetchTo::Device ? kPlaceDevice : kPlaceHost);
    place.id = side == PrefetchTo::Device ? ordinal : 0;
    return call(memory.device(), memory.bytes(), place, 0, stream);
}

/// Whether the driver took the call.
bool discardAndPrefetch(Buffer &memory, PrefetchTo side, int ordinal, cudaStream_t stream)
{
    const MemoryDriver &driver = MemoryDriver::loaded();
    if (!driver.discardAndPrefetch)
        return false;
    auto address = reinterpret_cast<std::uint64_t>(memory.device());
    std::size_t bytes = memory.bytes();
    MemoryPlace place{side == PrefetchTo::Device ? kPlaceDevice : kPlaceHost, side == PrefetchTo::Device ? ordinal : 0};
    std::size_t first = 0;
    return driver.discardAndPrefetch(&address, &bytes, 1, &place, &first, 1, 0, stream) == 0;
}

} // namespace

Status prefetchManaged(Buffer &managed, PrefetchTo side, Content content, int ordinal, cudaStream_t stream)
{
    if (content == Content::Discarded && discardAndPrefetch(managed, side, ordinal, stream))
        return {};
    return cudaStatus("cudaMemPrefetchAsync", prefetchBy(cudaMemPrefetchAsync, managed, side, ordinal, stream));
}

} // namespace jetscope
