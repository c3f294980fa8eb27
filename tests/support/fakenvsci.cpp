// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// NVIDIA's NvSciBuf for tests, or its NvSciSync with FAKE_NVSCI_SYNC. It returns the documented errors, and remembers
// as violations what is not allowed but has no status: the functions that return nothing panic in the real libraries.
// Constants are written anew, after nvscibuf.h and nvscierror.h.
#include "tests/support/fakenvsci.h"

#include <cstddef>
#include <memory>
#include <set>

#ifndef FAKE_NVSCI_MAJOR
#define FAKE_NVSCI_MAJOR 2
#endif
#ifdef FAKE_NVSCI_SYNC
#define SCI(name) NvSciSync##name
constexpr bool kIsOfSyncs = true;
#else
#define SCI(name) NvSciBuf##name
constexpr bool kIsOfSyncs = false;
#endif

namespace {

enum SciStatus {
    Success = 0,
    ResourceError = 0x32,
    BadParameter = 0x100,
    NotReconciled = 0x10100,
    Unsupported = 0x02000001
};

struct SciPair {
    int key;
    const void *value;
    std::size_t bytes;
};

struct SciState {
    std::set<void *> modules;
    std::vector<std::unique_ptr<FakeSciList>> lists;
    std::vector<std::unique_ptr<FakeSciBuffer>> buffers;
    std::vector<std::unique_ptr<FakeSciSync>> syncs;
    std::vector<std::string> violations;
    std::string failing;
    bool prefersSemaphores = false;
} g_sci;

void violate(const std::string &what)
{
    g_sci.violations.push_back((kIsOfSyncs ? "NvSciSync: " : "NvSciBuf: ") + what);
}

FakeSciList *newList(void *module)
{
    g_sci.lists.push_back(std::make_unique<FakeSciList>());
    FakeSciList *const list = g_sci.lists.back().get();
    list->module = module;
    list->isOfSyncs = kIsOfSyncs;
    return list;
}

FakeSciList *listOf(void *handle)
{
    FakeSciList *const list = fakeSciObject<FakeSciList>(handle);
    return list && list->isOfSyncs == kIsOfSyncs ? list : nullptr;
}

bool setKey(FakeSciList &list, const SciPair &pair)
{
    const auto take = [&pair](auto &value) {
        if (pair.bytes != sizeof value)
            return false;
        std::memcpy(&value, pair.value, sizeof value);
        return true;
    };
    bool needsCpu = false;
    unsigned char gpu[16];
    switch (pair.key) {
    case 1:
        return take(list.type);
    case 2:
        return take(needsCpu);
    case 3:
        return take(list.permission) && (list.permission == 1 || list.permission == 3);
    case 5:
        return list.hasGpu = take(gpu) && gpu[0] == 0x6a; // As the made-up driver says.
    case 0x10000:
        return take(list.bytes) && list.bytes != 0;
    case 0x10001:
        return take(list.alignment) && (list.alignment & (list.alignment - 1)) == 0;
    default:
        return false;
    }
}

/// Writes what both need into the first; whether they go together.
bool join(FakeSciList &list, const FakeSciList &other)
{
    if (kIsOfSyncs) {
        list.cudaSignals |= other.cudaSignals;
        list.cudaWaits |= other.cudaWaits;
        list.dlaSignals |= other.dlaSignals;
        list.dlaWaits |= other.dlaWaits;
        return true;
    }
    list.type = other.type;
    list.bytes = other.bytes;
    list.alignment = other.alignment;
    list.permission = other.permission;
    list.hasGpu |= other.hasGpu;
    return list.type == 1 && list.bytes != 0 && list.permission == 3;
}

} // namespace

#define SCI_FAILS(name, status)                                                                                        \
    if (g_sci.failing == #name)                                                                                        \
    return status

extern "C" {

int fakeSciLive()
{
    int live = static_cast<int>(g_sci.modules.size());
    for (const auto &each : g_sci.lists)
        live += each->isFreed ? 0 : 1;
    for (const auto &each : g_sci.buffers)
        live += each->isFreed ? 0 : 1;
    for (const auto &each : g_sci.syncs)
        live += (each->isFreed ? 0 : 1) + each->fences;
    return live;
}
const char *fakeSciViolations()
{
    static std::string all;
    all.clear();
    for (const std::string &each : g_sci.violations)
        all += each + "\n";
    g_sci.violations.clear();
    return all.c_str();
}
void fakeSciFail(const char *function)
{
    g_sci.failing = function;
}
void fakeSciPreferSemaphores(bool prefers)
{
    g_sci.prefersSemaphores = prefers;
}
void fakeSciForget()
{
    for (void *const module : g_sci.modules)
        delete static_cast<int *>(module);
    g_sci = {};
}

int SCI(CheckVersionCompatibility)(std::uint32_t major, std::uint32_t minor, bool *isCompatible)
{
    SCI_FAILS(CheckVersionCompatibility, BadParameter);
    *isCompatible = major == FAKE_NVSCI_MAJOR && minor <= 8;
    return Success;
}
int SCI(ModuleOpen)(void **module)
{
    SCI_FAILS(ModuleOpen, ResourceError);
    *module = *g_sci.modules.insert(new int(0)).first;
    return Success;
}
void SCI(ModuleClose)(void *module)
{
    if (g_sci.modules.erase(module) != 1)
        return violate("a module is closed that is not open");
    if (g_sci.modules.empty() && fakeSciLive() != 0)
        violate("the last module is closed while lists, objects or fences exist");
    delete static_cast<int *>(module);
}
int SCI(AttrListCreate)(void *module, void **list)
{
    SCI_FAILS(AttrListCreate, BadParameter);
    if (g_sci.modules.count(module) != 1)
        return BadParameter;
    *list = newList(module);
    return Success;
}
void SCI(AttrListFree)(void *handle)
{
    if (FakeSciList *const list = listOf(handle))
        list->isFreed = true;
    else
        violate("a list is freed that does not exist");
}
int SCI(AttrListSetAttrs)(void *handle, const SciPair *pairs, std::size_t count)
{
    SCI_FAILS(AttrListSetAttrs, BadParameter);
    FakeSciList *const list = listOf(handle);
    if (!list || list->isReconciled || kIsOfSyncs || !pairs || count == 0)
        return BadParameter;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned bit = 1u << (pairs[i].key >= 0x10000 ? pairs[i].key - 0x10000 + 16 : pairs[i].key);
        if ((list->keys & bit) != 0 || !setKey(*list, pairs[i]))
            return BadParameter;
        list->keys |= bit;
    }
    return Success;
}
int SCI(AttrListReconcile)(void *const *lists, std::size_t count, void **reconciled, void **conflicts)
{
    if (!lists || count == 0 || !reconciled || !conflicts)
        return BadParameter;
    FakeSciList joint;
    bool isGood = g_sci.failing != "AttrListReconcile";
    for (std::size_t i = 0; i < count; ++i) {
        const FakeSciList *const list = listOf(lists[i]);
        if (!list || list->isReconciled || list->module != listOf(lists[0])->module)
            return BadParameter;
        isGood = join(joint, *list) && isGood;
    }
    if (kIsOfSyncs && !((joint.cudaSignals || joint.dlaSignals) && (joint.cudaWaits || joint.dlaWaits)))
        return Unsupported;
    FakeSciList *const made = newList(listOf(lists[0])->module);
    if (!isGood) {
        *conflicts = made;
        return NotReconciled;
    }
    void *const module = made->module;
    *made = joint;
    made->module = module;
    made->isOfSyncs = kIsOfSyncs;
    made->isReconciled = true;
    *reconciled = made;
    return Success;
}
int SCI(ObjAlloc)(void *handle, void **object)
{
    SCI_FAILS(ObjAlloc, ResourceError);
    const FakeSciList *const list = listOf(handle);
    if (!list || !list->isReconciled || !object)
        return BadParameter;
    if (kIsOfSyncs) {
        g_sci.syncs.push_back(std::make_unique<FakeSciSync>());
        FakeSciSync &sync = *g_sci.syncs.back();
        sync.module = list->module;
        sync.isSyncPoint = !g_sci.prefersSemaphores;
        sync.cudaSignals = list->cudaSignals;
        sync.cudaWaits = list->cudaWaits;
        sync.dlaSignals = list->dlaSignals;
        sync.dlaWaits = list->dlaWaits;
        *object = &sync;
        return Success;
    }
    g_sci.buffers.push_back(std::make_unique<FakeSciBuffer>());
    FakeSciBuffer &buffer = *g_sci.buffers.back();
    buffer.module = list->module;
    buffer.alignment = list->alignment;
    buffer.hasGpu = list->hasGpu;
    buffer.bytes.assign(list->bytes, 0xee);
    *object = &buffer;
    return Success;
}
void SCI(ObjFree)(void *handle)
{
    FakeSciBuffer *const buffer = kIsOfSyncs ? nullptr : fakeSciObject<FakeSciBuffer>(handle);
    FakeSciSync *const sync = kIsOfSyncs ? fakeSciObject<FakeSciSync>(handle) : nullptr;
    if (!buffer && !sync)
        return violate("an object is freed that does not exist");
    if ((buffer ? buffer->imports : sync->imports) != 0)
        violate("an object is freed before what was imported of it");
    if (sync && sync->fences != 0)
        violate("a sync is freed before its fences are cleared");
    if (sync && sync->complete)
        violate("a sync is freed while a task has to signal it");
    (buffer ? buffer->isFreed : sync->isFreed) = true;
}
#ifdef FAKE_NVSCI_SYNC
void NvSciSyncFenceClear(FakeSciFence *fence)
{
    fakeClearFence(*fence);
}
#endif
}
