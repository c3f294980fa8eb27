// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The standalone mode of the made-up cuDLA: imported buffers and syncs of the made-up NvSci, and fences. With
// FAKE_CUDLA_HYBRID_ONLY its functions are not there.
#include "tests/support/fakecudlastate.h"

#include <set>

namespace fakecudla {
namespace {

void violate(const char *what)
{
    g_cudla.violations.emplace_back(what);
}

/// The sync of a fence that a task of this device may wait for; null otherwise.
FakeSciSync *awaitedSync(const DlaDevice &device, const DlaFence &fence)
{
    FakeSciSync *const sync = fence.fence ? fakeSyncOf(*fence.fence) : nullptr;
    for (const auto &[registered, each] : device.semaphores)
        if (each == sync && sync && sync->dlaWaits)
            return sync;
    return nullptr;
}

int checkWaits(const DlaDevice &device, const DlaWaitEvents *waits)
{
    if (!waits || waits->numEvents == 0) {
        violate("a task waits for nothing, so its input may not be there yet");
        return Success;
    }
    std::set<const void *> seen;
    for (std::uint32_t i = 0; i < waits->numEvents; ++i) {
        const DlaFence &fence = waits->preFences[i];
        if (fence.type != 1)
            return UnsupportedOperation;
        if (!awaitedSync(device, fence))
            return InvalidParam;
        if (!seen.insert(fence.fence).second)
            violate("a task waits for one fence twice");
        if (const std::string wrong = fakeAwait(*fence.fence); !wrong.empty())
            violate(wrong.c_str());
    }
    return Success;
}

/// The one sync that the task signals; more are not used here.
int checkSignals(const DlaDevice &device, const DlaSignalEvents *signals, FakeSciSync *&sync)
{
    if (!signals || signals->numEvents == 0) {
        violate("a task signals nothing, so its end is not known");
        return Success;
    }
    if (signals->numEvents > 1)
        return InvalidParam; // One sync point.
    if (signals->eofFences[0].type != 1 || !signals->eofFences[0].fence)
        return UnsupportedOperation;
    const auto found = device.semaphores.find(signals->devPtrs[0]);
    if (found == device.semaphores.end())
        return InvalidAddress;
    sync = found->second;
    if (!sync->dlaSignals)
        return NvSci;
    if (sync->complete)
        violate("the end of the task before was not waited for");
    return Success;
}

} // namespace

int submitStandalone(DlaDevice &device, const CudlaTask &task, const void *stream)
{
    if (stream)
        return InvalidParam;
    if (!task.inputTensor || !task.outputTensor)
        return UnsupportedOperation; // Submissions of events alone are not used here.
    DlaWork work;
    if (!findMemory(device, task, work))
        return InvalidAddress;
    if (const int status = checkWaits(device, task.waitEvents); status != Success)
        return status;
    FakeSciSync *sync = nullptr;
    if (const int status = checkSignals(device, task.signalEvents, sync); status != Success)
        return status;
    if (sync) {
        fakeSignal(*task.signalEvents->eofFences[0].fence, *sync);
        sync->work = std::make_shared<DlaWork>(work);
        sync->complete = [](void *done) { execute(*static_cast<const DlaWork *>(done)); };
    }
    return Success;
}

bool forgetRegistered(DlaDevice &device, const void *registered)
{
    if (const auto memory = device.registered.find(registered); memory != device.registered.end()) {
        if (memory->second.buffer)
            --memory->second.buffer->imports;
        device.registered.erase(memory);
        return true;
    }
    const auto semaphore = device.semaphores.find(registered);
    if (semaphore == device.semaphores.end())
        return false;
    if (semaphore->second->complete)
        violate("a semaphore is unregistered while a task has to signal it");
    --semaphore->second->imports;
    device.semaphores.erase(semaphore);
    return true;
}

} // namespace fakecudla

#ifndef FAKE_CUDLA_HYBRID_ONLY
using namespace fakecudla;

namespace {

struct MemoryHandle {
    const void *extBufObject;
    unsigned long long size;
};
struct SemaphoreHandle {
    const void *extSyncObject;
};

std::uint64_t *dlaAddress(void *object)
{
    return reinterpret_cast<std::uint64_t *>(reinterpret_cast<std::uintptr_t>(object) + 4); // NOLINT
}

} // namespace

extern "C" {

int cudlaGetNvSciSyncAttributes(std::uint64_t *handle, std::uint32_t flags)
{
    CUDLA_FAILS(cudlaGetNvSciSyncAttributes);
    FakeSciList *const list = fakeSciObject<FakeSciList>(handle);
    if (!list || !list->isOfSyncs || list->isReconciled || flags < 1 || flags > 3)
        return InvalidParam;
    if (list->hasPermission)
        return InvalidAttribute;
    list->hasPermission = true;
    list->dlaWaits = (flags & 1) != 0;
    list->dlaSignals = (flags & 2) != 0;
    return Success;
}
int cudlaImportExternalMemory(void *handle, const MemoryHandle *what, std::uint64_t **registered, std::uint32_t flags)
{
    CUDLA_FAILS(cudlaImportExternalMemory);
    DlaDevice *const device = deviceOf(handle);
    if (!device)
        return InvalidDevice;
    if (!device->isStandalone)
        return UnsupportedOperation;
    FakeSciBuffer *const buffer = what ? fakeSciObject<FakeSciBuffer>(what->extBufObject) : nullptr;
    if (!buffer)
        return NvSci;
    if (flags != 0 || !registered || what->size == 0 || what->size > buffer->bytes.size())
        return InvalidParam;
    if (device->registered.count(dlaAddress(buffer)) == 1)
        return MemoryRegistered;
    if (buffer->alignment < 512)
        violate("a buffer is not aligned as the DLA needs it");
    ++buffer->imports;
    *registered = dlaAddress(buffer);
    device->registered[*registered] = {buffer->bytes.data(), what->size, buffer};
    return Success;
}
int cudlaImportExternalSemaphore(void *handle, const SemaphoreHandle *what, std::uint64_t **registered,
                                 std::uint32_t flags)
{
    CUDLA_FAILS(cudlaImportExternalSemaphore);
    DlaDevice *const device = deviceOf(handle);
    if (!device)
        return InvalidDevice;
    if (!device->isStandalone)
        return UnsupportedOperation;
    FakeSciSync *const sync = what ? fakeSciObject<FakeSciSync>(what->extSyncObject) : nullptr;
    if (!sync)
        return NvSci;
    if (flags != 0 || !registered || !sync->isSyncPoint)
        return InvalidParam;
    if (!sync->dlaWaits && !sync->dlaSignals)
        return InvalidAttribute;
    if (device->semaphores.count(dlaAddress(sync)) == 1)
        return MemoryRegistered;
    ++sync->imports;
    *registered = dlaAddress(sync);
    device->semaphores[*registered] = sync;
    return Success;
}
}
#endif
