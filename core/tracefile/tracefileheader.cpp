// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/tracefilewriter.h"

namespace jetscope {

namespace {

std::string saidOf(const Capability &capability)
{
    return capability.available ? "yes" : "no: " + capability.reason;
}

std::string saidOf(bool value)
{
    return value ? "yes" : "no";
}

} // namespace

TraceFileHeader traceFileHeader(TraceOrigin origin, const DeviceFacts &facts, const PipelineConfig &config)
{
    const std::string compute = std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor);
    origin.config = config;
    return {std::move(origin),
            {
                {"device_id", facts.id},
                {"software", saidOf(facts.software)},
                {"integrated", saidOf(facts.integrated)},
                {"compute_capability", compute},
                {"concurrent_managed_access", saidOf(facts.concurrentManagedAccess)},
                {"pageable_memory_access", saidOf(facts.pageableMemoryAccess)},
                {"map_host_memory", saidOf(facts.mapHostMemory)},
                {"managed_memory", saidOf(facts.managedMemory)},
                {"host_register", saidOf(facts.hostRegister)},
                {"egl_image", saidOf(facts.eglImage)},
                {"egl_sync", saidOf(facts.eglSync)},
                {"gl_interop", saidOf(facts.glInterop)},
                {"egl_stream", saidOf(facts.eglStream)},
                {"nvbuf", saidOf(facts.nvBuf)},
                {"system_memory", saidOf(facts.systemMemory)},
                {"prefetch", saidOf(facts.prefetch)},
                {"host_register_io", saidOf(facts.hostRegisterIo)},
                {"memory_pools", saidOf(facts.memoryPools)},
                {"dmabuf", saidOf(facts.dmabuf)},
            }};
}

} // namespace jetscope
