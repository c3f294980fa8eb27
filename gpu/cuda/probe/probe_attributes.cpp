// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/probe/probe.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/cudadriver.h"

#include <array>

namespace jetscope {

namespace {

struct AttributeRow {
    const char *name;
    cudaDeviceAttr attribute;
};

constexpr std::array<AttributeRow, 13> kReported = {{
    {"integrated", cudaDevAttrIntegrated},
    {"concurrentManagedAccess", cudaDevAttrConcurrentManagedAccess},
    {"pageableMemoryAccess", cudaDevAttrPageableMemoryAccess},
    {"canMapHostMemory", cudaDevAttrCanMapHostMemory},
    {"managedMemory", cudaDevAttrManagedMemory},
    {"hostRegisterSupported", cudaDevAttrHostRegisterSupported},
    {"hostNativeAtomicSupported", cudaDevAttrHostNativeAtomicSupported},
    {"canUseHostPointerForRegisteredMem", cudaDevAttrCanUseHostPointerForRegisteredMem},
    {"directManagedMemAccessFromHost", cudaDevAttrDirectManagedMemAccessFromHost},
    {"computePreemptionSupported", cudaDevAttrComputePreemptionSupported},
    {"asyncEngineCount", cudaDevAttrAsyncEngineCount},
    {"memoryPoolsSupported", cudaDevAttrMemoryPoolsSupported},
    {"hostAllocDmaBufSupported", static_cast<cudaDeviceAttr>(MemoryDriver::kHostAllocDmabuf)},
}};

} // namespace

void reportAttributes(DeviceFacts &facts, int ordinal)
{
    for (const AttributeRow &row : kReported) {
        int value = 0;
        const Status read =
            cudaStatus("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&value, row.attribute, ordinal));
        facts.attributes.push_back(read.ok() ? DeviceAttribute{row.name, value, {}}
                                             : DeviceAttribute{row.name, std::nullopt, read.error().message()});
    }
    std::size_t freeBytes = 0;
    std::size_t totalBytes = 0;
    if (cudaStatus("cudaMemGetInfo", cudaMemGetInfo(&freeBytes, &totalBytes)).ok())
        facts.reportedMemory = ReportedMemory{freeBytes, totalBytes};
    std::array<char, 32> bus{};
    if (cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), ordinal) == cudaSuccess)
        facts.pciBusId = bus.data();
    int version = 0;
    if (cudaDriverGetVersion(&version) == cudaSuccess && version > 0)
        facts.driverVersion = version;
    if (cudaRuntimeGetVersion(&version) == cudaSuccess && version > 0)
        facts.runtimeVersion = version;
}

} // namespace jetscope
