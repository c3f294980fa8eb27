// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

// What the made-up NvSciBuf and NvSciSync (fakenvsci.cpp) share with the made-up cuDLA and CUDA driver, which import
// their objects, and what tests ask of them. Objects that were freed stay in memory, so that their use is noticed. One
// thread at a time.

/// Of either library: what users have asked for, or what is reconciled.
struct FakeSciList {
    static constexpr std::uint32_t kMagic = 0x5c11157;
    std::uint32_t magic = kMagic;
    bool isOfSyncs = false;
    bool isReconciled = false;
    bool isFreed = false;
    void *module = nullptr;
    // Of NvSciBuf; lengths of 0 are not set.
    int type = 0;
    std::uint64_t bytes = 0;
    std::uint64_t alignment = 0;
    int permission = 0;
    bool hasGpu = false;
    unsigned keys = 0; ///< A bit for each that was set.
    // Of NvSciSync.
    bool cudaSignals = false;
    bool cudaWaits = false;
    bool dlaSignals = false;
    bool dlaWaits = false;
    bool hasPermission = false;
};

struct FakeSciBuffer {
    static constexpr std::uint32_t kMagic = 0x5c1b0f;
    std::uint32_t magic = kMagic;
    bool isFreed = false;
    bool hasGpu = false;
    int imports = 0;
    void *module = nullptr;
    std::uint64_t alignment = 0;
    std::vector<unsigned char> bytes;
};

struct FakeSciSync {
    static constexpr std::uint32_t kMagic = 0x5c1571c;
    std::uint32_t magic = kMagic;
    bool isFreed = false;
    bool isSyncPoint = true;
    bool cudaSignals = false;
    bool cudaWaits = false;
    bool dlaSignals = false;
    bool dlaWaits = false;
    int imports = 0;
    int fences = 0; ///< That were not cleared.
    void *module = nullptr;
    std::uint64_t signalled = 0; ///< The newest value that a signal was asked for.
    std::uint64_t awaited = 0;   ///< The newest value that a wait was asked for.
    /// What is done at the latest when the newest value is waited for: a task is complete then, and not before.
    void (*complete)(void *work) = nullptr;
    std::shared_ptr<void> work;
};

/// NvSciSyncFence
struct FakeSciFence {
    std::uint64_t payload[6];
};

template <class Object>
Object *fakeSciObject(const void *handle)
{
    auto *const object = static_cast<Object *>(const_cast<void *>(handle));
    return object && object->magic == Object::kMagic && !object->isFreed ? object : nullptr;
}
inline FakeSciSync *fakeSyncOf(const FakeSciFence &fence)
{
    return fakeSciObject<FakeSciSync>(reinterpret_cast<const void *>(fence.payload[0])); // NOLINT
}
inline void fakeClearFence(FakeSciFence &fence)
{
    if (FakeSciSync *const sync = fakeSyncOf(fence))
        --sync->fences;
    fence = {};
}
/// Asks for the next signal of a sync; the fence is what waits for it. Its former content is lost.
inline void fakeSignal(FakeSciFence &fence, FakeSciSync &sync)
{
    fakeClearFence(fence);
    fence.payload[0] = reinterpret_cast<std::uintptr_t>(&sync);
    fence.payload[1] = ++sync.signalled;
    ++sync.fences;
}
/// Asks for a wait; says what is wrong with that, or nothing.
inline std::string fakeAwait(const FakeSciFence &fence)
{
    FakeSciSync *const sync = fakeSyncOf(fence);
    if (!sync)
        return "a cleared fence is waited for";
    if (fence.payload[1] <= sync->awaited)
        return "a fence is waited for twice";
    if (fence.payload[1] != sync->signalled)
        return "a fence that is not the newest is waited for";
    sync->awaited = fence.payload[1];
    if (sync->complete)
        sync->complete(sync->work.get());
    sync->complete = nullptr;
    sync->work.reset();
    return {};
}

// Exported by both libraries.
extern "C" {
/// Modules, lists, objects and fences that exist.
int fakeSciLive();
/// What was done against the contract where NvSci gives no status, one line each; forgets it. Valid until the next
/// call.
const char *fakeSciViolations();
/// This function ("ObjAlloc") fails from now on; "": none.
void fakeSciFail(const char *function);
/// Syncs are semaphores in memory from now on, which cuDLA does not take.
void fakeSciPreferSemaphores(bool prefers);
/// Forgets all that exists.
void fakeSciForget();
}
