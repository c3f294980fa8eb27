// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// NVIDIA's cuDLA for tests: "device memory" is host memory. In hybrid mode a task is done when it is submitted; in
// standalone mode (fakecudlaexternal.cpp) it is done when its end is waited for. It refuses what cuDLA refuses with the
// documented status, and remembers as violations what cuDLA leaves undefined. A
// loadable is a text: "fakedla OPERATION", then the input and the output as FORMAT TYPE C H W ROWSTRIDE PLANESTRIDE
// BYTES. OPERATION: "heat" copies the first channel to all, "class" takes the values of the first row, "inputs" has
// two inputs. The structures are declared here anew, after the reference.
#include "tests/support/fakecudlastate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#ifndef FAKE_CUDLA_VERSION
#define FAKE_CUDLA_VERSION 1002001
#endif

namespace fakecudla {

CudlaState g_cudla;

namespace {

int elementSize(const TensorDesc &tensor)
{
    return tensor.dataType == 1 ? 4 : tensor.dataType == 2 ? 2 : 1;
}

/// Where an element lies, after its format; what a stride leaves out lies without gaps.
std::size_t placeOf(const TensorDesc &t, std::uint64_t c, std::uint64_t y, std::uint64_t x)
{
    const auto size = static_cast<std::uint64_t>(elementSize(t));
    const std::uint64_t together = t.dataFormat == 3 ? 32 / size : t.dataFormat == 2 ? (t.c == 3 ? 4 : t.c) : 1;
    const std::uint64_t row = t.stride[1] != 0 ? t.stride[1] : t.w * together * size;
    const std::uint64_t plane = t.stride[2] != 0 ? t.stride[2] : t.h * row;
    return c / together * plane + y * row + (x * together + c % together) * size;
}

double valueAt(const TensorDesc &t, const unsigned char *bytes, std::uint64_t c, std::uint64_t y, std::uint64_t x)
{
    const unsigned char *const at = bytes + placeOf(t, c, y, x);
    if (t.dataType == 1) {
        float value = 0;
        std::memcpy(&value, at, 4);
        return value;
    }
    if (t.dataType == 2) {
        std::uint16_t half = 0;
        std::memcpy(&half, at, 2);
        const int exponent = half >> 10 & 31;
        const int mantissa = half & 1023;
        const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
        return (half & 0x8000) != 0 ? -magnitude : magnitude;
    }
    return t.dataType == 4 ? static_cast<double>(static_cast<std::int8_t>(*at)) : static_cast<double>(*at);
}

/// A value that came from an element of the same type.
void setValue(const TensorDesc &t, unsigned char *bytes, std::uint64_t c, std::uint64_t y, std::uint64_t x,
              double value)
{
    unsigned char *const at = bytes + placeOf(t, c, y, x);
    if (t.dataType == 1) {
        const auto single = static_cast<float>(value);
        std::memcpy(at, &single, 4);
    } else if (t.dataType == 2) {
        int exponent = 0;
        const double fraction = std::frexp(std::fabs(value), &exponent); // 0.5 to 1
        const int biased = value == 0 ? 0 : std::max(0, exponent + 14);
        const double mantissa = biased == 0 ? std::ldexp(std::fabs(value), 24) : std::ldexp(fraction, 11) - 1024;
        const auto half = static_cast<std::uint16_t>((value < 0 ? 0x8000 : 0) | biased << 10
                                                     | static_cast<int>(std::lround(mantissa)));
        std::memcpy(at, &half, 2);
    } else {
        *at = static_cast<unsigned char>(std::lround(value));
    }
}

bool readTensor(const char *&text, TensorDesc &tensor, const char *name)
{
    unsigned format = 0;
    unsigned type = 0;
    int used = 0;
    unsigned long long c = 0, h = 0, w = 0, row = 0, plane = 0, bytes = 0;
    if (std::sscanf(text, "%u %u %llu %llu %llu %llu %llu %llu%n", &format, &type, &c, &h, &w, &row, &plane, &bytes,
                    &used)
        != 8)
        return false;
    text += used;
    std::strncpy(tensor.name, name, 80);
    tensor.dataFormat = static_cast<std::uint8_t>(format);
    tensor.dataType = static_cast<std::uint8_t>(type);
    tensor.n = 1;
    tensor.c = c;
    tensor.h = h;
    tensor.w = w;
    tensor.stride[0] = static_cast<std::uint32_t>(elementSize(tensor));
    tensor.stride[1] = static_cast<std::uint32_t>(row);
    tensor.stride[2] = static_cast<std::uint32_t>(plane);
    tensor.size = bytes;
    return true;
}

} // namespace

bool findMemory(const DlaDevice &device, const CudlaTask &task, DlaWork &work)
{
    const auto memoryOf = [&device](const void *registered, std::uint64_t bytes) {
        const auto found = device.registered.find(registered);
        return found != device.registered.end() && found->second.bytes >= bytes
            ? static_cast<unsigned char *>(found->second.memory)
            : nullptr;
    };
    work.module = static_cast<DlaModule *>(task.moduleHandle);
    const unsigned char *const in = memoryOf(task.inputTensor[0], work.module->input.size);
    work.out = memoryOf(task.outputTensor[0], work.module->output.size);
    if (!in || !work.out)
        return false;
    work.input.assign(in, in + work.module->input.size);
    return true;
}

void execute(const DlaWork &work)
{
    g_cudla.input = work.input;
    const unsigned char *const in = work.input.data();
    const TensorDesc &from = work.module->input;
    const TensorDesc &to = work.module->output;
    const std::uint64_t skew = g_cudla.skewsStandalone && work.module->device->isStandalone ? 1 : 0;
    for (std::uint64_t c = 0; c < to.c; ++c)
        for (std::uint64_t y = 0; y < to.h; ++y)
            for (std::uint64_t x = 0; x < to.w; ++x)
                setValue(to, work.out, c, y, x,
                         work.module->operation == "class" ? valueAt(from, in, 0, 0, c % from.w)
                                                           : valueAt(from, in, 0, (y + skew) % from.h, x % from.w));
}

} // namespace fakecudla

using namespace fakecudla;

extern "C" {

int fakeCudlaLive()
{
    const std::lock_guard lock(g_cudla.mutex);
    std::size_t live = g_cudla.devices.size() + g_cudla.modules.size();
    for (const void *device : g_cudla.devices)
        live += static_cast<const DlaDevice *>(device)->registered.size()
            + static_cast<const DlaDevice *>(device)->semaphores.size();
    return static_cast<int>(live);
}
const char *fakeCudlaViolations()
{
    const std::lock_guard lock(g_cudla.mutex);
    static std::string all;
    all.clear();
    for (const std::string &each : g_cudla.violations)
        all += each + "\n";
    g_cudla.violations.clear();
    return all.c_str();
}
void fakeCudlaFail(const char *function)
{
    const std::lock_guard lock(g_cudla.mutex);
    g_cudla.failing = function;
}
void fakeCudlaError(int status)
{
    const std::lock_guard lock(g_cudla.mutex);
    g_cudla.error = status;
}
void fakeCudlaCount(int count)
{
    const std::lock_guard lock(g_cudla.mutex);
    g_cudla.count = static_cast<std::uint64_t>(count);
}
void fakeCudlaOnTask(void (*call)())
{
    const std::lock_guard lock(g_cudla.mutex);
    g_cudla.onTask = call;
}
void fakeCudlaSkewStandalone(bool skews)
{
    const std::lock_guard lock(g_cudla.mutex);
    g_cudla.skewsStandalone = skews;
}
void fakeCudlaForget()
{
    const std::lock_guard lock(g_cudla.mutex);
    for (void *const each : std::exchange(g_cudla.modules, {}))
        delete static_cast<DlaModule *>(each);
    for (void *const each : std::exchange(g_cudla.devices, {}))
        delete static_cast<DlaDevice *>(each);
    g_cudla.violations.clear();
}
std::size_t fakeCudlaInput(unsigned char *bytes, std::size_t room)
{
    const std::lock_guard lock(g_cudla.mutex);
    std::copy_n(g_cudla.input.begin(), std::min(room, g_cudla.input.size()), bytes);
    return g_cudla.input.size();
}

int cudlaGetVersion(std::uint64_t *version)
{
    CUDLA_FAILS(cudlaGetVersion);
    *version = FAKE_CUDLA_VERSION;
    return Success;
}
int cudlaDeviceGetCount(std::uint64_t *count)
{
    CUDLA_FAILS(cudlaDeviceGetCount);
    *count = g_cudla.count;
    return Success;
}
int cudlaCreateDevice(std::uint64_t device, void **handle, std::uint32_t flags)
{
    CUDLA_FAILS(cudlaCreateDevice);
    if (device > 1 || flags > 1 || !handle)
        return InvalidParam;
    auto *const made = new DlaDevice;
    made->isStandalone = flags == 1;
    g_cudla.devices.insert(made);
    *handle = made;
    return Success;
}
int cudlaDestroyDevice(void *handle)
{
    CUDLA_FAILS(cudlaDestroyDevice);
    DlaDevice *const device = deviceOf(handle);
    if (!device)
        return InvalidDevice;
    if (device->module || !device->registered.empty() || !device->semaphores.empty())
        g_cudla.violations.emplace_back("a device is destroyed with a module or registered memory");
    if (device->module && g_cudla.modules.erase(device->module) == 1)
        delete device->module;
    g_cudla.devices.erase(handle);
    delete device;
    return Success;
}
int cudlaMemRegister(void *handle, const std::uint64_t *memory, std::size_t bytes, std::uint64_t **registered,
                     std::uint32_t flags)
{
    CUDLA_FAILS(cudlaMemRegister);
    DlaDevice *const device = deviceOf(handle);
    if (!device)
        return InvalidDevice;
    if (device->isStandalone) {
        g_cudla.violations.emplace_back("memory of CUDA is registered in standalone mode");
        return UnsupportedOperation;
    }
    if (flags != 0 || !registered)
        return InvalidParam;
    if (!memory || bytes == 0)
        return InvalidAddress;
    for (const auto &[key, range] : device->registered)
        if (range.memory == memory)
            return MemoryRegistered;
    // The DLA has other addresses than CUDA.
    auto *const other = reinterpret_cast<std::uint64_t *>(reinterpret_cast<std::uintptr_t>(memory) + 4);
    device->registered[other] = {const_cast<std::uint64_t *>(memory), bytes, nullptr};
    *registered = other;
    return Success;
}
int cudlaMemUnregister(void *handle, const std::uint64_t *registered)
{
    CUDLA_FAILS(cudlaMemUnregister);
    DlaDevice *const device = deviceOf(handle);
    if (!device)
        return InvalidDevice;
    return forgetRegistered(*device, registered) ? Success : InvalidAddress;
}
int cudlaModuleLoadFromMemory(void *handle, const std::uint8_t *bytes, std::size_t count, void **module,
                              std::uint32_t flags)
{
    CUDLA_FAILS(cudlaModuleLoadFromMemory);
    DlaDevice *const device = deviceOf(handle);
    if (!device)
        return InvalidDevice;
    if (device->module)
        return UnsupportedOperation;
    if (!bytes || count == 0 || flags != 0)
        return InvalidParam;
    const std::string text(reinterpret_cast<const char *>(bytes), count);
    char operation[16] = {};
    int used = 0;
    auto *const made = new DlaModule;
    const char *at = text.c_str();
    const bool isLoadable = std::sscanf(at, "fakedla %15s%n", operation, &used) == 1
        && (at += used, readTensor(at, made->input, "data")) && readTensor(at, made->output, "prob");
    if (!isLoadable) {
        delete made;
        return InvalidModule;
    }
    made->device = device;
    made->operation = operation;
    device->module = made;
    g_cudla.modules.insert(made);
    *module = made;
    return Success;
}
int cudlaModuleUnload(void *handle, std::uint32_t flags)
{
    CUDLA_FAILS(cudlaModuleUnload);
    if (g_cudla.modules.erase(handle) != 1)
        return InvalidModule;
    if (flags != 0)
        return InvalidParam;
    auto *const module = static_cast<DlaModule *>(handle);
    module->device->module = nullptr;
    delete module;
    return Success;
}
int cudlaModuleGetAttributes(void *handle, int type, ModuleAttribute *attribute)
{
    CUDLA_FAILS(cudlaModuleGetAttributes);
    if (g_cudla.modules.count(handle) != 1)
        return InvalidModule;
    if (!attribute)
        return InvalidParam;
    const auto &module = *static_cast<const DlaModule *>(handle);
    switch (type) {
    case 0:
        attribute->number = module.operation == "inputs" ? 2 : module.operation == "many" ? 1000 : 1;
        return Success;
    case 1:
        attribute->number = 1;
        return Success;
    case 2:
        std::fill_n(attribute->descriptors, module.operation == "inputs" ? 2 : 1, module.input);
        return Success;
    case 3:
        attribute->descriptors[0] = module.output;
        return Success;
    default:
        return InvalidAttribute;
    }
}
int cudlaSubmitTask(void *handle, const CudlaTask *task, std::uint32_t count, void *stream, std::uint32_t flags)
{
    CUDLA_FAILS(cudlaSubmitTask);
    DlaDevice *const device = deviceOf(handle);
    if (!device)
        return InvalidDevice;
    if (!task || count != 1 || flags != 0)
        return InvalidParam;
    if (g_cudla.modules.count(task->moduleHandle) != 1
        || static_cast<DlaModule *>(task->moduleHandle)->device != device)
        return InvalidModule;
    if (task->numInputTensors != 1 || task->numOutputTensors != 1)
        return InvalidParam;
    if (g_cudla.onTask)
        g_cudla.onTask();
    if (device->isStandalone)
        return submitStandalone(*device, *task, stream);
    if (task->waitEvents || task->signalEvents || !task->inputTensor || !task->outputTensor)
        return UnsupportedOperation;
    if (reinterpret_cast<std::uintptr_t>(stream) <= 2)
        g_cudla.violations.emplace_back("a task is put into a default stream");
    DlaWork work;
    if (!findMemory(*device, *task, work))
        return InvalidAddress;
    execute(work);
    return Success;
}
int cudlaGetLastError(void *handle)
{
    const std::lock_guard lock(g_cudla.mutex);
    return deviceOf(handle) ? g_cudla.error : InvalidDevice;
}
} // extern "C"
