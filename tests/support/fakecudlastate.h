// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fakecudla.h"
#include "tests/support/fakenvsci.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

// The state of the made-up cuDLA, whose structures are declared anew, after the reference.
namespace fakecudla {

enum CudlaStatus {
    Success = 0,
    InvalidParam = 1,
    InvalidAddress = 4,
    Umd = 7,
    InvalidDevice = 8,
    InvalidAttribute = 9,
    MemoryRegistered = 11,
    InvalidModule = 12,
    UnsupportedOperation = 13,
    NvSci = 14
};

struct TensorDesc {
    char name[80 + 1];
    std::uint64_t size, n, c, h, w;
    std::uint8_t dataFormat, dataType, dataCategory, pixelFormat, pixelMapping;
    std::uint32_t stride[8];
};

union ModuleAttribute {
    std::uint32_t number;
    TensorDesc *descriptors;
};

struct DlaFence {
    FakeSciFence *fence;
    int type;
};
struct DlaWaitEvents {
    const DlaFence *preFences;
    std::uint32_t numEvents;
};
struct DlaSignalEvents {
    std::uint64_t *const *devPtrs;
    DlaFence *eofFences;
    std::uint32_t numEvents;
};

struct CudlaTask {
    void *moduleHandle;
    std::uint64_t *const *outputTensor;
    std::uint32_t numOutputTensors;
    std::uint32_t numInputTensors;
    const std::uint64_t *const *inputTensor;
    const DlaWaitEvents *waitEvents;
    DlaSignalEvents *signalEvents;
};

struct DlaDevice;
struct DlaModule {
    DlaDevice *device = nullptr;
    std::string operation;
    TensorDesc input{};
    TensorDesc output{};
};
struct DlaMemory {
    void *memory = nullptr;
    std::size_t bytes = 0;
    FakeSciBuffer *buffer = nullptr; ///< That was imported.
};
struct DlaDevice {
    DlaModule *module = nullptr;
    bool isStandalone = false;
    std::map<const void *, DlaMemory> registered; ///< By the address for tasks, as those below.
    std::map<const void *, FakeSciSync *> semaphores;
};
/// What a task does.
struct DlaWork {
    const DlaModule *module = nullptr;
    std::vector<unsigned char> input; ///< As it is when the task may begin.
    unsigned char *out = nullptr;
};

struct CudlaState {
    std::mutex mutex;
    std::set<void *> devices;
    std::set<void *> modules;
    std::vector<std::string> violations;
    std::string failing;
    int error = 0;
    std::vector<unsigned char> input;
    std::uint64_t count = 2;
    void (*onTask)() = nullptr;
    bool skewsStandalone = false;
};
extern CudlaState g_cudla;

inline DlaDevice *deviceOf(void *handle)
{
    return g_cudla.devices.count(handle) == 1 ? static_cast<DlaDevice *>(handle) : nullptr;
}

/// Takes a copy of the input; false if memory is not registered with as many bytes as the module needs.
bool findMemory(const DlaDevice &device, const CudlaTask &task, DlaWork &work);
void execute(const DlaWork &work);
/// Of memory or a semaphore; false if it is not registered.
bool forgetRegistered(DlaDevice &device, const void *registered);
/// The status. The task waits for its fences, and is executed when its end is waited for.
int submitStandalone(DlaDevice &device, const CudlaTask &task, const void *stream);

} // namespace fakecudla

#define CUDLA_FAILS(function)                                                                                          \
    const std::lock_guard lock(fakecudla::g_cudla.mutex);                                                              \
    if (fakecudla::g_cudla.failing == #function)                                                                       \
    return fakecudla::Umd
