// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudaflag.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/cudamemory.h"

namespace jetscope {

namespace {

/// More than any cache line, so that nothing else is fetched with the word.
constexpr std::size_t kFlagBytes = 256;
/// CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER; the newer function refuses it.
constexpr unsigned kNoBarrier = 1;

std::uint32_t *wordOf(const Buffer &memory)
{
    return reinterpret_cast<std::uint32_t *>(memory.host());
}

} // namespace

CudaFlag::CudaFlag(const StreamWriteApi &api, std::unique_ptr<Buffer> memory)
    : StreamFlag(wordOf(*memory)), m_api(api), m_memory(std::move(memory))
{
}

Result<std::unique_ptr<CudaFlag>> CudaFlag::create()
{
    JETSCOPE_TRY_ASSIGN(const StreamWriteApi api, loadDriver<StreamWriteApi>("libcuda.so.1"));
    if (!api.write && !api.writeV1)
        return sentence("the NVIDIA driver has no function cuStreamWriteValue32; update it (JetPack on a Jetson)");
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> memory, CudaBuffer::allocate(Allocation::PinnedMapped, kFlagBytes));
    *wordOf(*memory) = 0;
    return std::unique_ptr<CudaFlag>(new CudaFlag(api, std::move(memory)));
}

Status CudaFlag::write(std::uint32_t value, WriteOrder order, cudaStream_t stream)
{
    const auto address = reinterpret_cast<std::uint64_t>(m_memory->device());
    const bool isOrdered = order == WriteOrder::AfterAll;
    const int code = m_api.write && isOrdered ? m_api.write(stream, address, value, 0)
        : m_api.writeV1                       ? m_api.writeV1(stream, address, value, isOrdered ? 0 : kNoBarrier)
                                              : static_cast<int>(cudaErrorNotSupported);
    // The driver's codes are the runtime's.
    return cudaStatus("cuStreamWriteValue32", static_cast<cudaError_t>(code));
}

} // namespace jetscope
