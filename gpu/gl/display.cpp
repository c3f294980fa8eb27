// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/display.h"

#include "gpu/gl/api.h"
#include "gpu/gl/context.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <numeric>
#include <vector>

namespace jetscope {

namespace {

constexpr const char *kNoEgl = "no EGL display could be opened; install an EGL driver (Mesa: libegl1 libgl1-mesa-dri; "
                               "NVIDIA: the driver's own) and check that /dev/dri or /dev/nvidia* may be read";

EGLDisplay initialised(EGLDisplay display)
{
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
        return EGL_NO_DISPLAY;
    return display;
}

std::optional<int> cudaDeviceOf(EGLDeviceEXT device)
{
    EGLAttrib number = 0;
    if (!eglApi().queryDeviceAttribute || !eglApi().queryDeviceAttribute(device, EGL_CUDA_DEVICE_NV, &number)) {
        eglGetError(); // Not an error: most EGL devices are not CUDA devices.
        return std::nullopt;
    }
    return static_cast<int>(number);
}

EGLDisplay openDevicePlatform(std::optional<int> wantedCudaDevice)
{
    const EglApi &api = eglApi();
    if (!api.getPlatformDisplay || !api.queryDevices)
        return EGL_NO_DISPLAY;
    std::array<EGLDeviceEXT, 32> devices{};
    EGLint count = 0;
    if (!api.queryDevices(static_cast<EGLint>(devices.size()), devices.data(), &count))
        return EGL_NO_DISPLAY;
    std::vector<std::optional<int>> cudaDevices;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        cudaDevices.push_back(cudaDeviceOf(devices[i]));
    for (const std::size_t i : headlessOrder(cudaDevices, wantedCudaDevice)) {
        EGLDisplay display = initialised(api.getPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
        if (display != EGL_NO_DISPLAY)
            return display;
    }
    return EGL_NO_DISPLAY;
}

EGLDisplay openAnyHeadless(std::optional<int> wantedCudaDevice)
{
    const EglApi &api = eglApi();
    // Try EGL devices first if NVIDIA's driver is present: it has no surfaceless platform, and Mesa's would hide the
    // GPU.
    EGLDisplay display = openDevicePlatform(wantedCudaDevice);
    if (display == EGL_NO_DISPLAY && api.getPlatformDisplay)
        display = initialised(api.getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    if (display == EGL_NO_DISPLAY)
        display = initialised(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    return display;
}

std::string eglString(EGLDisplay display, EGLint name)
{
    const char *text = eglQueryString(display, name);
    return text ? text : "";
}

std::string glString(GLenum name)
{
    const auto *text = reinterpret_cast<const char *>(glGetString(name));
    return text ? text : "";
}

bool containsWord(std::string_view list, std::string_view word)
{
    for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
        const bool starts = at == 0 || list[at - 1] == ' ';
        const bool ends = at + word.size() == list.size() || list[at + word.size()] == ' ';
        if (starts && ends)
            return true;
    }
    return false;
}

} // namespace

EglDisplay::EglDisplay(void *display, bool owned) : m_display(display), m_owned(owned) {}

EglDisplay::~EglDisplay()
{
    if (m_owned)
        eglTerminate(m_display);
}

Result<std::shared_ptr<EglDisplay>> EglDisplay::openHeadless(std::optional<int> wantedCudaDevice)
{
    // EGL returns the same native display to every caller, and eglTerminate ends it for all of them. So one shared
    // object exists per native display.
    static std::mutex mutex;
    static std::map<void *, std::weak_ptr<EglDisplay>> shared;
    const std::lock_guard lock(mutex);
    void *native = openAnyHeadless(wantedCudaDevice);
    if (native == EGL_NO_DISPLAY)
        return Error{"eglInitialize", 0, kNoEgl};
    if (std::shared_ptr<EglDisplay> display = shared[native].lock())
        return display;
    std::shared_ptr<EglDisplay> display(new EglDisplay(native, true));
    JETSCOPE_TRY(display->probe());
    shared[native] = display;
    return display;
}

Result<std::shared_ptr<EglDisplay>> EglDisplay::adopt(void *display)
{
    std::shared_ptr<EglDisplay> adopted(new EglDisplay(display, false));
    JETSCOPE_TRY(adopted->probe());
    return adopted;
}

bool EglDisplay::isInitialised() const
{
    const bool is = eglQueryString(m_display, EGL_VERSION) != nullptr;
    if (!is)
        eglGetError();
    return is;
}

Status EglDisplay::initialiseAgain()
{
    if (initialised(m_display) == EGL_NO_DISPLAY)
        return Error{"eglInitialize", eglGetError(), "the EGL display was ended and cannot be initialised again"};
    return {};
}

Status EglDisplay::probe()
{
    m_extensions = eglString(m_display, EGL_EXTENSIONS);
    m_vendor = eglString(m_display, EGL_VENDOR);
    m_version = eglString(m_display, EGL_VERSION);
    if (!hasExtension("EGL_KHR_surfaceless_context"))
        return Error{"eglQueryString", 0,
                     "this EGL display has no EGL_KHR_surfaceless_context, which Jetscope's contexts need; "
                     "update the graphics driver"};

    // The context needs a shared_ptr to a display that outlives it; it does not outlive this function.
    const std::shared_ptr<EglDisplay> self(this, [](EglDisplay *) {});
    void *const previousContext = eglGetCurrentContext();
    void *const previousDraw = eglGetCurrentSurface(EGL_DRAW);
    void *const previousRead = eglGetCurrentSurface(EGL_READ);
    void *const previousDisplay = eglGetCurrentDisplay();
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<EglContext> context, EglContext::create(self));
    JETSCOPE_TRY(context->makeCurrent());
    m_renderer = glString(GL_RENDERER);
    m_glVersion = glString(GL_VERSION);
    m_glExtensions = glString(GL_EXTENSIONS);
    context->doneCurrent();
    if (previousContext != EGL_NO_CONTEXT)
        eglMakeCurrent(previousDisplay, previousDraw, previousRead, previousContext);
    for (std::string_view name : {"llvmpipe", "softpipe", "SwiftShader"})
        m_software = m_software || m_renderer.find(name) != std::string::npos;
    return {};
}

DisplayGpu EglDisplay::gpu() const
{
    EGLAttrib device = 0;
    if (!eglApi().queryDisplayAttribute || !eglApi().queryDisplayAttribute(m_display, EGL_DEVICE_EXT, &device)) {
        eglGetError(); // Not an error: some drivers do not report it.
        return {};
    }
    return {true, cudaDeviceOf(reinterpret_cast<EGLDeviceEXT>(device))};
}

bool EglDisplay::hasExtension(std::string_view name) const
{
    return containsWord(m_extensions, name);
}

std::vector<std::size_t> headlessOrder(const std::vector<std::optional<int>> &cudaDevices, std::optional<int> wanted)
{
    std::vector<std::size_t> order(cudaDevices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (wanted)
        std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return cudaDevices[i] == wanted; });
    return order;
}

Capability canShareImages(const std::string &vendor, const std::string &renderer, const DisplayGpu &gpu, int cudaDevice)
{
    if (vendor.find("NVIDIA") == std::string::npos)
        return Capability::no(
            "the EGL display is by " + vendor + " (" + renderer
            + "), with which CUDA cannot share images; install the NVIDIA driver's EGL, or start on its display");
    if (!gpu.known || gpu.cudaDevice == cudaDevice)
        return Capability::yes();
    if (!gpu.cudaDevice)
        return Capability::no("the EGL display is on a GPU that CUDA does not support; start on a display of cuda:"
                              + std::to_string(cudaDevice));
    return Capability::no("the EGL display is on cuda:" + std::to_string(*gpu.cudaDevice)
                          + "; take that device, or start on a display of this one");
}

} // namespace jetscope
