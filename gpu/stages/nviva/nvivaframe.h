// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/nviva/nvivaabi.h"
#include "gpu/stages/nviva/nvivaboard.h"
#include "gpu/stages/nviva/nvivachild.h"
#include "gpu/stages/nviva/nvivasurface.h"

#include <memory>
#include <optional>
#include <string>

namespace jetscope {

/// The frame in the process of an nvivafilter library. Where the device registers the EGLImage of a pitch-linear
/// buffer, it is one, and the library's calls go on to the driver. Elsewhere it is pitched memory of the device, and
/// the library's calls are answered here. One for the process, because the calls of a library say nothing of us.
class NvivaFrame {
public:
    static NvivaFrame &get();
    static nviva_stand_ins standIns();

    /// Makes the context of the device, which stays current.
    Status openDevice(const NvivaWords &words);
    Status resize(int width, int height);
    /// From the rows of the host to the frame, or back. No work is pending afterwards.
    Status copy(std::byte *host, bool toDevice);
    /// Copies from and to memory that is not pinned take a detour of the driver. Failures do no harm.
    void pin(NvivaMapping &shared);
    void unpin();

    void *image() { return m_surface ? m_surface->image() : this; } ///< What the library takes for an EGLImage.
    bool isByEglImage() const { return m_surface != nullptr; }
    void begin(NvivaWork &work) { m_work = &work; }
    bool isRegistered() const { return m_registrations > 0; }

private:
    NvivaFrame() = default;
    int registerImage(void **resource, void *image, unsigned flags);
    int mappedFrame(nviva_egl_frame *frame, void *resource, unsigned index, unsigned level);
    int unregister(void *resource);
    int synchronize();
    Status makeSurface(int width, int height);
    Status allocate();
    std::size_t rowBytes() const { return static_cast<std::size_t>(m_width) * 4; }

    std::optional<KernelDriver> m_driver;
    nviva_stand_ins m_graphics{};            ///< The driver's own functions; null where it lacks them.
    std::string m_surfaceLibrary;            ///< NvivaWords::surfaces
    std::unique_ptr<NvivaSurface> m_surface; ///< Null where frames are pitched memory.
    NvivaWork *m_work = nullptr;
    std::uint64_t m_memory = 0;
    std::byte *m_pinned = nullptr;
    std::size_t m_pitch = 0;
    int m_width = 0;
    int m_height = 0;
    int m_registrations = 0; ///< That the library did not give back yet.
};

} // namespace jetscope
