// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/kernelsource.h"
#include "gpu/stages/stage.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace jetscope {

/// The machine code of an own kernel in the current context, and its launches. The driver's table outlives it; no
/// launch is pending when it goes.
class KernelModule {
public:
    static Result<std::unique_ptr<KernelModule>> load(const KernelDriver &driver, const std::string &cubin);
    ~KernelModule();
    KernelModule(const KernelModule &) = delete;
    KernelModule &operator=(const KernelModule &) = delete;

    const KernelForm &form() const { return m_form; }
    /// Puts the kernel into the stream: a thread for each pixel, in blocks of 32x8. Surfaces are arrays of this module,
    /// one pair for each stream, into and out of which the pictures are copied.
    /// `name` is what the frame's observer calls the kernel.
    Status launch(const StageFrame &frame, NameId name = 0);
    /// Gives back what was made for a stream of which no work is pending.
    void forgetStream(void *stream);

private:
    struct Surface {
        void *array = nullptr;
        std::uint64_t object = 0;
    };
    struct Surfaces {
        Surface input;
        Surface output;
        int width = 0;
        int height = 0;
    };
    KernelModule(const KernelDriver &driver, const KernelForm &form) : m_driver(driver), m_form(form) {}
    Status launchOn(const StageFrame &frame, NameId name, void **arguments);
    Status launchOnSurfaces(const StageFrame &frame, NameId name);
    Status copy(const StageFrame &frame, const StageImage &image, void *array, bool intoArray);
    Status makeSurface(Surface &surface, const StageImage &image);
    void destroy(Surfaces &surfaces);

    const KernelDriver &m_driver;
    const KernelForm &m_form;
    void *m_module = nullptr;
    void *m_function = nullptr;
    std::map<void *, Surfaces> m_surfaces; ///< By stream.
};

} // namespace jetscope
