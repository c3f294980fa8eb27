// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlalane.h"

#include "gpu/stages/dla/tensormath.h"

namespace jetscope {

Result<std::unique_ptr<DlaLane>> DlaLane::create(const DlaParts &parts)
{
    std::unique_ptr<DlaLane> lane = parts.exchange ? newStandaloneLane(parts) : newHybridLane(parts);
    lane->m_tensors.resize(parts.tensorBytes.size());
    JETSCOPE_TRY(lane->open());
    JETSCOPE_TRY(parts.driver.check("cuMemAlloc", parts.driver.allocate(&lane->m_top, sizeof(tensor::Top))));
    return lane;
}

DlaLane::~DlaLane()
{
    free(m_top);
}

Status DlaLane::submitTask(const cudla::WaitEvents *waits, cudla::SignalEvents *ends, void *stream) const
{
    std::vector<std::uint64_t *> outputs;
    for (std::size_t i = 1; i < m_tensors.size(); ++i)
        outputs.push_back(m_tensors[i].registered);
    const std::uint64_t *const input = m_tensors.front().registered;
    cudla::Task task;
    task.module = m_parts.module;
    task.outputs = outputs.data();
    task.outputCount = static_cast<std::uint32_t>(outputs.size());
    task.inputs = &input;
    task.inputCount = 1;
    task.waitEvents = waits;
    task.signalEvents = ends;
    const CudlaLibrary &library = m_parts.library;
    return library.check("cudlaSubmitTask", library.functions().submitTask(m_parts.device, &task, 1, stream, 0));
}

void DlaLane::unregister(std::uint64_t *registered) const
{
    if (registered)
        static_cast<void>(m_parts.library.functions().unregisterMemory(m_parts.device, registered));
}

void DlaLane::free(std::uint64_t memory) const
{
    if (memory != 0)
        static_cast<void>(m_parts.driver.free(memory));
}

Result<NvSciLibraries> NvSciLibraries::load(const std::string &buffers, const std::string &syncs)
{
    JETSCOPE_TRY_ASSIGN(NvSciLibrary bufferLibrary, NvSciLibrary::load(NvSciLibrary::Kind::Buffers, buffers));
    JETSCOPE_TRY_ASSIGN(NvSciLibrary syncLibrary, NvSciLibrary::load(NvSciLibrary::Kind::Syncs, syncs));
    return NvSciLibraries{std::move(bufferLibrary), std::move(syncLibrary)};
}

Result<std::unique_ptr<DlaExchange>> DlaExchange::open(const NvSciLibraries &libraries, const KernelDriver &driver,
                                                       const std::string &cudaLibrary)
{
    auto exchange = std::make_unique<DlaExchange>();
    JETSCOPE_TRY_ASSIGN(exchange->cuda, CudaExternal::load(cudaLibrary));
    const CudaExternal &cuda = exchange->cuda;
    JETSCOPE_TRY(driver.check("cuCtxGetDevice", cuda.currentDevice(&exchange->cudaDevice)));
    JETSCOPE_TRY(driver.check("cuDeviceGetUuid", cuda.deviceUuid(exchange->gpu.bytes, exchange->cudaDevice)));
    JETSCOPE_TRY_ASSIGN(exchange->buffers, NvSciModule::open(libraries.buffers));
    JETSCOPE_TRY_ASSIGN(exchange->syncs, NvSciModule::open(libraries.syncs));
    return exchange;
}

} // namespace jetscope
