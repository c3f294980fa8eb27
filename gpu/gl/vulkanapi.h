// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/symbols.h"

#include <cstdint>

/// The few structures and functions of Vulkan 1.2 that export a semaphore, as its registry has them.
namespace jetscope::vulkan {

// VkStructureType
constexpr std::int32_t kApplicationInfo = 0;
constexpr std::int32_t kInstanceInfo = 1;
constexpr std::int32_t kQueueInfo = 2;
constexpr std::int32_t kDeviceInfo = 3;
constexpr std::int32_t kSemaphoreInfo = 9;
constexpr std::int32_t kProperties2 = 1000059001;
constexpr std::int32_t kIdProperties = 1000071004;
constexpr std::int32_t kExportSemaphoreInfo = 1000077000;
constexpr std::int32_t kSemaphoreFdInfo = 1000079001;
constexpr std::int32_t kTimelineFeatures = 1000207000;
constexpr std::int32_t kSemaphoreTypeInfo = 1000207002;

constexpr std::uint32_t kVersion12 = (1U << 22) | (2U << 12);
constexpr std::uint32_t kOpaqueFd = 1;    // VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
constexpr std::int32_t kTimelineType = 1; // VK_SEMAPHORE_TYPE_TIMELINE

struct ApplicationInfo {
    std::int32_t type = kApplicationInfo;
    const void *next = nullptr;
    const char *application = nullptr;
    std::uint32_t applicationVersion = 0;
    const char *engine = nullptr;
    std::uint32_t engineVersion = 0;
    std::uint32_t apiVersion = kVersion12;
};

struct InstanceInfo {
    std::int32_t type = kInstanceInfo;
    const void *next = nullptr;
    std::uint32_t flags = 0;
    const ApplicationInfo *application = nullptr;
    std::uint32_t layerCount = 0;
    const char *const *layers = nullptr;
    std::uint32_t extensionCount = 0;
    const char *const *extensions = nullptr;
};

struct IdProperties {
    std::int32_t type = kIdProperties;
    void *next = nullptr;
    std::uint8_t deviceUuid[16]{};
    std::uint8_t driverUuid[16]{};
    std::uint8_t luid[8]{};
    std::uint32_t nodeMask = 0;
    std::uint32_t luidValid = 0;
};

struct Properties2 {
    std::int32_t type = kProperties2;
    void *next = nullptr;
    std::uint64_t properties[256]{}; ///< VkPhysicalDeviceProperties is shorter.
};

struct QueueInfo {
    std::int32_t type = kQueueInfo;
    const void *next = nullptr;
    std::uint32_t flags = 0;
    std::uint32_t family = 0;
    std::uint32_t count = 1;
    const float *priorities = nullptr;
};

struct TimelineFeatures {
    std::int32_t type = kTimelineFeatures;
    void *next = nullptr;
    std::uint32_t timelineSemaphore = 1;
};

struct DeviceInfo {
    std::int32_t type = kDeviceInfo;
    const void *next = nullptr;
    std::uint32_t flags = 0;
    std::uint32_t queueCount = 1;
    const QueueInfo *queues = nullptr;
    std::uint32_t layerCount = 0;
    const char *const *layers = nullptr;
    std::uint32_t extensionCount = 0;
    const char *const *extensions = nullptr;
    const void *features = nullptr;
};

struct ExportSemaphoreInfo {
    std::int32_t type = kExportSemaphoreInfo;
    const void *next = nullptr;
    std::uint32_t handleTypes = kOpaqueFd;
};

struct SemaphoreTypeInfo {
    std::int32_t type = kSemaphoreTypeInfo;
    const void *next = nullptr;
    std::int32_t semaphoreType = kTimelineType;
    std::uint64_t initialValue = 0;
};

struct SemaphoreInfo {
    std::int32_t type = kSemaphoreInfo;
    const void *next = nullptr;
    std::uint32_t flags = 0;
};

struct SemaphoreFdInfo {
    std::int32_t type = kSemaphoreFdInfo;
    const void *next = nullptr;
    std::uint64_t semaphore = 0;
    std::uint32_t handleType = kOpaqueFd;
};

using Function = void (*)();
using GetInstanceFunction = Function (*)(void *instance, const char *name);
using GetDeviceFunction = Function (*)(void *device, const char *name);

} // namespace jetscope::vulkan
