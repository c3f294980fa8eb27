// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/devicefacts.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The GPU on which a display renders, as reported by its driver.
struct DisplayGpu {
    bool known = false;            ///< Whether the driver reports the display's EGL device.
    std::optional<int> cudaDevice; ///< The CUDA device of that EGL device (EGL_CUDA_DEVICE_NV); none if it has none.
};

/// The order in which to try EGL devices for a display without a window: the one of the wanted CUDA device first.
std::vector<std::size_t> headlessOrder(const std::vector<std::optional<int>> &cudaDevices, std::optional<int> wanted);

/// Whether images of a display can be shared with a CUDA device: both must use the same GPU. If the driver does not
/// report the display's GPU, this returns yes and the registration itself decides.
Capability canShareImages(const std::string &vendor, const std::string &renderer, const DisplayGpu &gpu,
                          int cudaDevice);

/// An initialised EGL display, either adopted from the window system's toolkit (then not terminated) or opened without
/// a window. Display, images and syncs must all belong to this one display. Outlives every context, image and fence
/// created on it; any thread.
class EglDisplay {
public:
    /// The EGL device of the wanted CUDA device, otherwise the first that initialises (a GPU before a software
    /// rasteriser), otherwise the surfaceless platform, otherwise the default display. All holders of one native
    /// display share one object.
    static Result<std::shared_ptr<EglDisplay>> openHeadless(std::optional<int> wantedCudaDevice = std::nullopt);

    /// `display` is an initialised EGLDisplay that outlives this object.
    static Result<std::shared_ptr<EglDisplay>> adopt(void *display);

    ~EglDisplay();
    EglDisplay(const EglDisplay &) = delete;
    EglDisplay &operator=(const EglDisplay &) = delete;

    void *native() const { return m_display; }

    /// False if something else in the process has called eglTerminate for the native display, as libraries that use EGL
    /// themselves may.
    bool isInitialised() const;
    /// Makes it usable again: contexts can be created. Those of before stay lost.
    Status initialiseAgain();

    bool hasExtension(std::string_view name) const;
    /// All extensions of the display, and those of its GLES contexts, separated by blanks.
    const std::string &extensions() const { return m_extensions; }
    const std::string &glExtensions() const { return m_glExtensions; }
    const std::string &vendor() const { return m_vendor; }
    const std::string &version() const { return m_version; }

    DisplayGpu gpu() const;

    /// GL_RENDERER and GL_VERSION of a GLES context on this display.
    const std::string &renderer() const { return m_renderer; }
    const std::string &glVersion() const { return m_glVersion; }

    /// Whether GL runs on the CPU (llvmpipe, softpipe, SwiftShader).
    bool isSoftwareRasteriser() const { return m_software; }

private:
    EglDisplay(void *display, bool owned);
    Status probe();

    void *m_display;
    bool m_owned;
    bool m_software = false;
    std::string m_extensions;
    std::string m_vendor;
    std::string m_version;
    std::string m_renderer;
    std::string m_glVersion;
    std::string m_glExtensions;
};

} // namespace jetscope
