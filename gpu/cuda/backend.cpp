// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/backend.h"

#include "core/text/parsenumber.h"
#include "gpu/cuda/check.h"
#include "gpu/cuda/cudadevice.h"

namespace jetscope {

namespace {

// Counting devices and reading their attributes initialises the driver but creates no context.

/// The runtime also reports "insufficient driver" if no driver is installed.
Error explainedFailure(cudaError_t code)
{
    int driver = 0;
    if (code == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) {
        static_cast<void>(cudaGetLastError());
        return Error{"cudaGetDeviceCount", static_cast<long>(code),
                     "there is no NVIDIA driver on this machine; install it, or pass the GPU into the container"};
    }
    return cudaFailure("cudaGetDeviceCount", code);
}

Result<int> deviceCount()
{
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess)
        return explainedFailure(code);
    if (count == 0)
        return cudaFailure("cudaGetDeviceCount", cudaErrorNoDevice);
    return count;
}

bool isIntegrated(int ordinal)
{
    int integrated = 0;
    return cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, ordinal) == cudaSuccess && integrated != 0;
}

DeviceCandidate candidateOf(int ordinal)
{
    DeviceCandidate candidate{"cuda:" + std::to_string(ordinal), "CUDA", Capability::yes()};
    cudaDeviceProp properties{};
    if (const cudaError_t code = cudaGetDeviceProperties(&properties, ordinal); code != cudaSuccess)
        candidate.usable = Capability::no(cudaFailure("cudaGetDeviceProperties", code).message());
    else
        candidate.name = properties.name;
    candidate.integrated = isIntegrated(ordinal);
    return candidate;
}

std::vector<DeviceCandidate> listCuda()
{
    const Result<int> count = deviceCount();
    if (!count.ok())
        return {{"cuda:0", "CUDA", Capability::no(count.error().message())}};
    std::vector<DeviceCandidate> candidates;
    for (int ordinal = 0; ordinal < count.value(); ++ordinal)
        candidates.push_back(candidateOf(ordinal));
    return candidates;
}

Result<std::unique_ptr<Device>> openCuda(std::string_view id, const std::shared_ptr<EglDisplay> &display)
{
    JETSCOPE_TRY_ASSIGN(const int count, deviceCount());
    const std::optional<int> ordinal = parseNumber<int>(id.substr(id.find(':') + 1), 0, count - 1);
    if (!ordinal)
        return Error{"--device", 0,
                     "there is no device \"" + std::string(id) + "\"; this machine has cuda:0"
                         + (count > 1 ? " to cuda:" + std::to_string(count - 1) : std::string())};
    return CudaDevice::open(*ordinal, display);
}

} // namespace

Backend cudaBackend()
{
    return {"cuda", {"cuda:N"}, listCuda, openCuda};
}

} // namespace jetscope
