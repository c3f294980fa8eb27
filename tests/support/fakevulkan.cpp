// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/vulkanapi.h"

#include <EGL/egl.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

// A library with the functions of Vulkan that Jetscope calls, for tests: one GPU whose UUID is 0, 1, ... 15, and
// semaphores that are files of the kernel. As NVIDIA's driver does, it ends EGL's display where an instance is
// destroyed.

namespace {

namespace vulkan = jetscope::vulkan;

int devices = 0;
int semaphores = 0;
bool failing = false;
int anything;

int createInstance(const vulkan::InstanceInfo *info, const void *, void **instance)
{
    *instance = &anything;
    return info->application->apiVersion >= vulkan::kVersion12 ? 0 : -9; // VK_ERROR_INCOMPATIBLE_DRIVER
}

void destroyInstance(void *, const void *)
{
    eglTerminate(eglGetCurrentDisplay());
}

int enumerate(void *, std::uint32_t *count, void **physical)
{
    if (physical)
        *physical = &anything;
    *count = 1;
    return 0;
}

void describe(void *, vulkan::Properties2 *properties)
{
    auto *const id = static_cast<vulkan::IdProperties *>(properties->next);
    std::iota(std::begin(id->deviceUuid), std::end(id->deviceUuid), std::uint8_t{0});
}

int createDevice(void *, const vulkan::DeviceInfo *, const void *, void **device)
{
    ++devices;
    *device = &anything;
    return 0;
}

void destroyDevice(void *, const void *)
{
    --devices;
}

int createSemaphore(void *, const vulkan::SemaphoreInfo *, const void *, std::uint64_t *semaphore)
{
    if (failing)
        return -1; // VK_ERROR_OUT_OF_HOST_MEMORY
    ++semaphores;
    *semaphore = 1;
    return 0;
}

void destroySemaphore(void *, std::uint64_t, const void *)
{
    --semaphores;
}

int fileOf(void *, const vulkan::SemaphoreFdInfo *, int *file)
{
    *file = eventfd(0, EFD_CLOEXEC);
    return *file < 0 ? -1 : 0;
}

struct Entry {
    const char *name;
    vulkan::Function function;
};

vulkan::Function functionOf(void *, const char *name)
{
    static const Entry kEntries[] = {
        {"vkCreateInstance", reinterpret_cast<vulkan::Function>(createInstance)},
        {"vkDestroyInstance", reinterpret_cast<vulkan::Function>(destroyInstance)},
        {"vkEnumeratePhysicalDevices", reinterpret_cast<vulkan::Function>(enumerate)},
        {"vkGetPhysicalDeviceProperties2", reinterpret_cast<vulkan::Function>(describe)},
        {"vkCreateDevice", reinterpret_cast<vulkan::Function>(createDevice)},
        {"vkDestroyDevice", reinterpret_cast<vulkan::Function>(destroyDevice)},
        {"vkCreateSemaphore", reinterpret_cast<vulkan::Function>(createSemaphore)},
        {"vkDestroySemaphore", reinterpret_cast<vulkan::Function>(destroySemaphore)},
        {"vkGetSemaphoreFdKHR", reinterpret_cast<vulkan::Function>(fileOf)},
        {"vkGetDeviceProcAddr", reinterpret_cast<vulkan::Function>(functionOf)},
    };
    const auto *const found = std::find_if(std::begin(kEntries), std::end(kEntries),
                                           [&](const Entry &entry) { return std::strcmp(entry.name, name) == 0; });
    return found == std::end(kEntries) ? nullptr : found->function;
}

} // namespace

extern "C" {
vulkan::Function vkGetInstanceProcAddr(void *instance, const char *name)
{
    return functionOf(instance, name);
}
/// What was made and not destroyed.
int fakeVulkanObjects()
{
    return devices + semaphores;
}
void fakeVulkanFails(bool fails)
{
    failing = fails;
}
}
