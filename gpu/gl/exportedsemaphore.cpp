// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/exportedsemaphore.h"

#include "gpu/gl/vulkanapi.h"

#include <algorithm>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

namespace jetscope {

namespace {

template <class Pointer>
Pointer cast(vulkan::Function function)
{
    return reinterpret_cast<Pointer>(function);
}

Error vulkanError(const char *call, int code)
{
    return Error{call, code, "Vulkan makes no semaphore that OpenGL ES and CUDA could share"};
}

/// The loader, or the driver itself where there is no loader.
Result<void *> loadVulkan()
{
    if (void *const loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL))
        if (void *const function = dlsym(loader, "vkGetInstanceProcAddr"))
            return function;
    for (const char *const name : {"libEGL_nvidia.so.0", "libGLX_nvidia.so.0"}) {
        void *const driver = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!driver)
            continue;
        // A loader says first which interface it speaks.
        if (void *const negotiate = dlsym(driver, "vk_icdNegotiateLoaderICDInterfaceVersion")) {
            std::uint32_t version = 5;
            if (reinterpret_cast<int (*)(std::uint32_t *)>(negotiate)(&version) != 0)
                continue;
        }
        if (void *const function = dlsym(driver, "vk_icdGetInstanceProcAddr"))
            return function;
    }
    return sentence("there is no Vulkan on this machine, which alone can make a semaphore that CUDA and OpenGL ES "
                    "import; install libvulkan1 and the driver's part for it");
}

/// The process's instance. It is never destroyed: in vkDestroyInstance NVIDIA's driver (seen with 580.159 on an H200)
/// ends the EGL displays of the whole process, and work of their contexts is lost without an error.
class VulkanInstance {
public:
    /// Any thread. A failure is kept: it is not tried again.
    static Result<const VulkanInstance *> shared()
    {
        static const Result<VulkanInstance> instance = create();
        if (!instance.ok())
            return instance.error();
        return &instance.value();
    }

    vulkan::Function function(const char *name) const { return m_get(m_instance, name); }
    Result<void *> physicalDevice(const ExportedSemaphore::Uuid &gpu) const;

private:
    static Result<VulkanInstance> create()
    {
        VulkanInstance made;
        JETSCOPE_TRY_ASSIGN(void *const get, loadVulkan());
        made.m_get = reinterpret_cast<vulkan::GetInstanceFunction>(get);
        const vulkan::ApplicationInfo application;
        vulkan::InstanceInfo info;
        info.application = &application;
        const auto create =
            cast<int (*)(const vulkan::InstanceInfo *, const void *, void **)>(made.m_get(nullptr, "vkCreateInstance"));
        if (!create)
            return vulkanError("vkCreateInstance", 0);
        if (const int code = create(&info, nullptr, &made.m_instance); code != 0)
            return vulkanError("vkCreateInstance", code);
        return made;
    }

    vulkan::GetInstanceFunction m_get = nullptr;
    void *m_instance = nullptr;
};

Result<void *> VulkanInstance::physicalDevice(const ExportedSemaphore::Uuid &gpu) const
{
    const auto list = cast<int (*)(void *, std::uint32_t *, void **)>(function("vkEnumeratePhysicalDevices"));
    const auto describe = cast<void (*)(void *, vulkan::Properties2 *)>(function("vkGetPhysicalDeviceProperties2"));
    std::uint32_t count = 0;
    if (!list || !describe)
        return vulkanError("vkEnumeratePhysicalDevices", 0);
    if (const int code = list(m_instance, &count, nullptr); code != 0)
        return vulkanError("vkEnumeratePhysicalDevices", code);
    std::vector<void *> devices(count);
    if (const int code = list(m_instance, &count, devices.data()); code != 0)
        return vulkanError("vkEnumeratePhysicalDevices", code);
    for (void *const device : devices) {
        vulkan::IdProperties id;
        vulkan::Properties2 properties;
        properties.next = &id;
        describe(device, &properties);
        if (std::equal(gpu.begin(), gpu.end(), id.deviceUuid))
            return device;
    }
    return sentence("Vulkan does not know this GPU (it knows " + std::to_string(count) + " others)");
}

/// A device of the wanted GPU, for as long as the semaphore is exported.
class VulkanDevice {
public:
    ~VulkanDevice()
    {
        if (m_device)
            cast<void (*)(void *, const void *)>(function("vkDestroyDevice"))(m_device, nullptr);
    }

    Status open(const ExportedSemaphore::Uuid &gpu)
    {
        JETSCOPE_TRY_ASSIGN(const VulkanInstance *const instance, VulkanInstance::shared());
        JETSCOPE_TRY_ASSIGN(void *const physical, instance->physicalDevice(gpu));
        return create(*instance, physical);
    }

    vulkan::Function function(const char *name) const { return m_get(m_device, name); }
    void *native() const { return m_device; }

private:
    Status create(const VulkanInstance &instance, void *physical)
    {
        static constexpr const char *kExtensions[] = {"VK_KHR_external_semaphore_fd"};
        constexpr float kPriority = 1;
        vulkan::TimelineFeatures timeline;
        vulkan::QueueInfo queue;
        queue.priorities = &kPriority;
        vulkan::DeviceInfo info;
        info.next = &timeline;
        info.queues = &queue;
        info.extensionCount = 1;
        info.extensions = kExtensions;
        const auto create = cast<int (*)(void *, const vulkan::DeviceInfo *, const void *, void **)>(
            instance.function("vkCreateDevice"));
        m_get = cast<vulkan::GetDeviceFunction>(instance.function("vkGetDeviceProcAddr"));
        if (!create || !m_get)
            return vulkanError("vkCreateDevice", 0);
        if (const int code = create(physical, &info, nullptr, &m_device); code != 0)
            return vulkanError("vkCreateDevice", code);
        return {};
    }

    vulkan::GetDeviceFunction m_get = nullptr;
    void *m_device = nullptr;
};

} // namespace

Result<std::unique_ptr<ExportedSemaphore>> ExportedSemaphore::create(const Uuid &gpu)
{
    VulkanDevice vulkanDevice;
    JETSCOPE_TRY(vulkanDevice.open(gpu));
    const vulkan::SemaphoreTypeInfo timeline;
    vulkan::ExportSemaphoreInfo exported;
    exported.next = &timeline;
    vulkan::SemaphoreInfo info;
    info.next = &exported;
    const auto create = cast<int (*)(void *, const vulkan::SemaphoreInfo *, const void *, std::uint64_t *)>(
        vulkanDevice.function("vkCreateSemaphore"));
    const auto destroy =
        cast<void (*)(void *, std::uint64_t, const void *)>(vulkanDevice.function("vkDestroySemaphore"));
    const auto fileOf =
        cast<int (*)(void *, const vulkan::SemaphoreFdInfo *, int *)>(vulkanDevice.function("vkGetSemaphoreFdKHR"));
    if (!create || !destroy || !fileOf)
        return vulkanError("vkGetSemaphoreFdKHR", 0);
    vulkan::SemaphoreFdInfo wanted;
    if (const int code = create(vulkanDevice.native(), &info, nullptr, &wanted.semaphore); code != 0)
        return vulkanError("vkCreateSemaphore", code);
    std::unique_ptr<ExportedSemaphore> made(new ExportedSemaphore);
    int code = 0;
    for (int &file : made->m_files)
        code = code == 0 ? fileOf(vulkanDevice.native(), &wanted, &file) : code;
    destroy(vulkanDevice.native(), wanted.semaphore, nullptr); // What was exported lives on.
    if (code != 0)
        return vulkanError("vkGetSemaphoreFdKHR", code);
    return made;
}

ExportedSemaphore::~ExportedSemaphore()
{
    for (const int file : m_files)
        if (file >= 0)
            close(file);
}

void ExportedSemaphore::taken(int file)
{
    std::replace(m_files.begin(), m_files.end(), file, -1);
}

} // namespace jetscope
