// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The part of the made-up CUDA driver that imports buffers and syncs of the made-up NvSci. Structures are declared here
// anew, after cuda.h.
#include "tests/support/fakeexternal.h"

#include "tests/support/fakenvsci.h"

#include <map>

namespace {

enum CudaResult {
    Success = 0,
    InvalidValue = 1,
    InvalidDevice = 101,
    InvalidHandle = 400,
    NotSupported = 801,
    Unknown = 999
};

struct MemoryDescription {
    int type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciBufObject;
    } handle;
    unsigned long long size;
    unsigned flags;
    unsigned reserved[16];
};
struct BufferDescription {
    unsigned long long offset;
    unsigned long long size;
    unsigned flags;
    unsigned reserved[16];
};
struct SemaphoreDescription {
    int type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciSyncObj;
    } handle;
    unsigned flags;
    unsigned reserved[16];
};
struct SemaphoreParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
        } keyedMutex;
        unsigned reserved[12];
    } params;
    unsigned flags;
    unsigned reserved[16];
};

struct ExternalMemory {
    FakeSciBuffer *buffer = nullptr;
    bool isMapped = false;
};

struct ExternalState {
    std::map<void *, ExternalMemory> memory;
    std::map<void *, FakeSciSync *> semaphores;
    std::vector<std::string> violations;
    std::string failing;
    std::uintptr_t handles = 0x1000;
} g_external;

void *newHandle()
{
    return reinterpret_cast<void *>(g_external.handles += 16); // NOLINT
}

} // namespace

extern "C" {

int fakeExternalLive()
{
    int live = static_cast<int>(g_external.memory.size() + g_external.semaphores.size());
    for (const auto &[handle, memory] : g_external.memory)
        live += memory.isMapped ? 1 : 0;
    return live;
}
const char *fakeExternalViolations()
{
    static std::string all;
    all.clear();
    for (const std::string &each : g_external.violations)
        all += "CUDA: " + each + "\n";
    g_external.violations.clear();
    return all.c_str();
}
void fakeExternalFail(const char *function)
{
    g_external.failing = function;
}
bool fakeExternalFails(const char *function)
{
    return g_external.failing == function;
}
void fakeExternalForget()
{
    g_external = {};
}
bool fakeExternalUnmap(std::uint64_t address)
{
    for (auto &[handle, memory] : g_external.memory)
        if (memory.isMapped && reinterpret_cast<std::uintptr_t>(memory.buffer->bytes.data()) == address) {
            memory.isMapped = false;
            return true;
        }
    return false;
}

int cuCtxGetDevice(int *device)
{
    if (fakeExternalFails("cuCtxGetDevice"))
        return Unknown;
    *device = 0;
    return Success;
}
int cuDeviceGetUuid(unsigned char *bytes, int device)
{
    if (fakeExternalFails("cuDeviceGetUuid"))
        return Unknown;
    std::memset(bytes, 0x6a, 16);
    return device == 0 ? Success : InvalidDevice;
}
int cuDeviceGetNvSciSyncAttributes(void *handle, int device, int flags)
{
    if (fakeExternalFails("cuDeviceGetNvSciSyncAttributes"))
        return Unknown;
    FakeSciList *const list = fakeSciObject<FakeSciList>(handle);
    if (!list || !list->isOfSyncs || list->isReconciled)
        return InvalidHandle;
    if (device != 0 || list->hasPermission || flags < 1 || flags > 3)
        return InvalidValue;
    list->hasPermission = true;
    list->cudaSignals = (flags & 1) != 0;
    list->cudaWaits = (flags & 2) != 0;
    return Success;
}
int cuImportExternalMemory(void **memory, const MemoryDescription *what)
{
    if (fakeExternalFails("cuImportExternalMemory"))
        return Unknown;
    FakeSciBuffer *const buffer = fakeSciObject<FakeSciBuffer>(what->handle.nvSciBufObject);
    if (what->type != 8 || !buffer || what->flags != 0)
        return InvalidHandle;
    if (!buffer->hasGpu || what->size == 0 || what->size > buffer->bytes.size())
        return InvalidValue; // Not for this GPU.
    ++buffer->imports;
    *memory = newHandle();
    g_external.memory[*memory] = {buffer, false};
    return Success;
}
int cuExternalMemoryGetMappedBuffer(std::uint64_t *mapped, void *handle, const BufferDescription *what)
{
    if (fakeExternalFails("cuExternalMemoryGetMappedBuffer"))
        return Unknown;
    const auto found = g_external.memory.find(handle);
    if (found == g_external.memory.end())
        return InvalidHandle;
    ExternalMemory &memory = found->second;
    if (what->flags != 0 || what->offset + what->size > memory.buffer->bytes.size() || what->size == 0)
        return InvalidValue;
    memory.isMapped = true;
    *mapped = reinterpret_cast<std::uintptr_t>(memory.buffer->bytes.data());
    return Success;
}
int cuDestroyExternalMemory(void *handle)
{
    const auto found = g_external.memory.find(handle);
    if (found == g_external.memory.end())
        return InvalidHandle;
    if (found->second.isMapped)
        g_external.violations.emplace_back("external memory is destroyed while it is mapped");
    if (fakeDriverIsHanging())
        g_external.violations.emplace_back("external memory is destroyed while work is pending");
    --found->second.buffer->imports;
    g_external.memory.erase(found);
    return Success;
}
int cuImportExternalSemaphore(void **semaphore, const SemaphoreDescription *what)
{
    if (fakeExternalFails("cuImportExternalSemaphore"))
        return Unknown;
    FakeSciSync *const sync = fakeSciObject<FakeSciSync>(what->handle.nvSciSyncObj);
    if (what->type != 6 || !sync || what->flags != 0)
        return InvalidHandle;
    ++sync->imports;
    *semaphore = newHandle();
    g_external.semaphores[*semaphore] = sync;
    return Success;
}
int cuDestroyExternalSemaphore(void *semaphore)
{
    const auto found = g_external.semaphores.find(semaphore);
    if (found == g_external.semaphores.end())
        return InvalidHandle;
    if (fakeDriverIsHanging())
        g_external.violations.emplace_back("a semaphore is destroyed while work is pending");
    --found->second->imports;
    g_external.semaphores.erase(found);
    return Success;
}
int cuSignalExternalSemaphoresAsync(void *const *semaphores, const SemaphoreParams *params, unsigned count, void *)
{
    if (fakeExternalFails("cuSignalExternalSemaphoresAsync"))
        return Unknown;
    if (count != 1 || g_external.semaphores.count(semaphores[0]) != 1 || !params->params.nvSciSync.fence)
        return InvalidHandle;
    FakeSciSync &sync = *g_external.semaphores[semaphores[0]];
    if (!sync.cudaSignals)
        return NotSupported;
    if (params->flags != 0)
        g_external.violations.emplace_back("a signal leaves memory out, so the DLA may see old bytes");
    fakeSignal(*static_cast<FakeSciFence *>(params->params.nvSciSync.fence), sync);
    return Success;
}
int cuWaitExternalSemaphoresAsync(void *const *semaphores, const SemaphoreParams *params, unsigned count, void *)
{
    if (fakeExternalFails("cuWaitExternalSemaphoresAsync"))
        return Unknown;
    if (count != 1 || g_external.semaphores.count(semaphores[0]) != 1 || !params->params.nvSciSync.fence)
        return InvalidHandle;
    const auto &fence = *static_cast<const FakeSciFence *>(params->params.nvSciSync.fence);
    FakeSciSync &sync = *g_external.semaphores[semaphores[0]];
    if (!sync.cudaWaits)
        return NotSupported;
    if (params->flags != 0)
        g_external.violations.emplace_back("a wait leaves memory out, so CUDA may see old bytes");
    if (fakeSyncOf(fence) && fakeSyncOf(fence) != &sync)
        g_external.violations.emplace_back("a semaphore waits for the fence of another one");
    if (const std::string wrong = fakeAwait(fence); !wrong.empty())
        g_external.violations.push_back(wrong);
    return Success;
}
}
