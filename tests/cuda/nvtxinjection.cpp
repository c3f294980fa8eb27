// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A fake of Nsight: the injection library that NVTX loads into a process. Writes its calls to a file for the test in
// the same process.
#include <nvtx3/nvToolsExt.h>

#include <cstdint>
#include <mutex>
#include <string>

namespace {

std::mutex g_mutex;
std::string g_seen;
int g_domain = 0;

void note(const std::string &line)
{
    const std::lock_guard lock(g_mutex);
    g_seen += line + "\n";
}

nvtxDomainHandle_t NVTX_API createDomain(const char *name)
{
    note(std::string("domain ") + name);
    return reinterpret_cast<nvtxDomainHandle_t>(&g_domain);
}

int NVTX_API pushRange(nvtxDomainHandle_t, const nvtxEventAttributes_t *attributes)
{
    const bool hasFrame = attributes->payloadType == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    note(std::string("push ") + attributes->message.ascii
         + (hasFrame ? " " + std::to_string(attributes->payload.ullValue) : ""));
    return 0;
}

int NVTX_API popRange(nvtxDomainHandle_t)
{
    note("pop");
    return 0;
}

void take(NvtxFunctionTable table, unsigned size, unsigned slot, NvtxFunctionPointer function)
{
    if (slot < size)
        *table[slot] = function;
}

} // namespace

extern "C" NVTX_DYNAMIC_EXPORT const char *nvtxSeen()
{
    return g_seen.c_str();
}

extern "C" NVTX_DYNAMIC_EXPORT int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t exportTable)
{
    const auto *callbacks = static_cast<const NvtxExportTableCallbacks *>(exportTable(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size))
        return 0;
    take(table, size, NVTX_CBID_CORE2_DomainCreateA, reinterpret_cast<NvtxFunctionPointer>(createDomain));
    take(table, size, NVTX_CBID_CORE2_DomainRangePushEx, reinterpret_cast<NvtxFunctionPointer>(pushRange));
    take(table, size, NVTX_CBID_CORE2_DomainRangePop, reinterpret_cast<NvtxFunctionPointer>(popRange));
    return 1;
}
