// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/greencontext.h"

#include "gpu/cuda/check.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kMultiprocessors = 1;         // CU_DEV_RESOURCE_TYPE_SM
constexpr unsigned kGreenDefaultStream = 1; // CU_GREEN_CTX_DEFAULT_STREAM, which is required.
constexpr unsigned kNonBlockingStream = 1;  // CU_STREAM_NON_BLOCKING

/// The driver's codes are the runtime's.
Status greenStatus(const char *call, int code)
{
    return cudaStatus(call, static_cast<cudaError_t>(code));
}

} // namespace

Result<std::shared_ptr<GreenContext>> GreenContext::create(int ordinal, GpuShare share)
{
    JETSCOPE_TRY_ASSIGN(const GreenContextApi api, loadDriver<GreenContextApi>("libcuda.so.1"));
    int device = 0;
    driver::DeviceResource all;
    JETSCOPE_TRY(greenStatus("cuDeviceGet", api.deviceGet(&device, ordinal)));
    JETSCOPE_TRY(greenStatus("cuDeviceGetDevResource", api.resourceOf(device, &all, kMultiprocessors)));
    const auto wanted = static_cast<unsigned>(std::lround(static_cast<double>(all.multiprocessors) * partOf(share)));
    driver::DeviceResource part;
    unsigned parts = 1;
    JETSCOPE_TRY(
        greenStatus("cuDevSmResourceSplitByCount", api.split(&part, &parts, &all, nullptr, 0, std::max(1U, wanted))));
    if (parts != 1)
        return sentence("the driver cannot give " + std::to_string(wanted) + " of "
                        + std::to_string(all.multiprocessors) + " multiprocessors to one context");
    void *description = nullptr;
    void *context = nullptr;
    JETSCOPE_TRY(greenStatus("cuDevResourceGenerateDesc", api.describe(&description, &part, 1)));
    JETSCOPE_TRY(greenStatus("cuGreenCtxCreate", api.create(&context, description, device, kGreenDefaultStream)));
    return std::shared_ptr<GreenContext>(new GreenContext(api, context, part.multiprocessors));
}

GreenContext::~GreenContext()
{
    // Fails only if the primary context is lost, and this one with it.
    static_cast<void>(m_api.destroy(m_context));
}

Result<cudaStream_t> GreenContext::createStream(int priority)
{
    cudaStream_t stream = nullptr;
    JETSCOPE_TRY(
        greenStatus("cuGreenCtxStreamCreate", m_api.createStream(&stream, m_context, kNonBlockingStream, priority)));
    return stream;
}

} // namespace jetscope
