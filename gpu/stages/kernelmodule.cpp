// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/kernelmodule.h"

namespace jetscope {

namespace {

constexpr unsigned kKernelBlockWidth = 32;
constexpr unsigned kKernelBlockHeight = 8;

unsigned blocksFor(int pixels, unsigned block)
{
    return (static_cast<unsigned>(pixels) + block - 1) / block;
}

std::size_t rowBytesOf(const StageImage &image)
{
    return static_cast<std::size_t>(image.width) * (image.format == PixelFormat::Grey8 ? 1 : 4);
}

} // namespace

Result<std::unique_ptr<KernelModule>> KernelModule::load(const KernelDriver &driver, const std::string &cubin)
{
    JETSCOPE_TRY_ASSIGN(const KernelForm *const form, kernelFormIn(cubin));
    std::unique_ptr<KernelModule> module(new KernelModule(driver, *form));
    JETSCOPE_TRY(driver.check("cuModuleLoadData", driver.loadModule(&module->m_module, cubin.data())));
    JETSCOPE_TRY(
        driver.check("cuModuleGetFunction", driver.getFunction(&module->m_function, module->m_module, form->symbol)));
    return module;
}

KernelModule::~KernelModule()
{
    // These calls fail only if the context is lost, and all its objects with it.
    for (auto &[stream, surfaces] : m_surfaces)
        destroy(surfaces);
    if (m_module)
        static_cast<void>(m_driver.unloadModule(m_module));
}

void KernelModule::destroy(Surfaces &surfaces)
{
    for (const Surface *surface : {&surfaces.input, &surfaces.output}) {
        if (surface->object != 0)
            static_cast<void>(m_driver.destroySurface(surface->object));
        if (surface->array)
            static_cast<void>(m_driver.destroyArray(surface->array));
    }
    surfaces = {};
}

void KernelModule::forgetStream(void *stream)
{
    const auto found = m_surfaces.find(stream);
    if (found == m_surfaces.end())
        return;
    destroy(found->second);
    m_surfaces.erase(found);
}

Status KernelModule::launch(const StageFrame &frame, NameId name)
{
    if (m_form.onSurfaces)
        return launchOnSurfaces(frame, name);
    StageFrame own = frame;
    void *arguments[] = {&own.input.pixels, &own.input.pitch, &own.output.pixels,
                         &own.output.pitch, &own.input.width, &own.input.height};
    return launchOn(frame, name, arguments);
}

Status KernelModule::launchOn(const StageFrame &frame, NameId name, void **arguments)
{
    if (frame.kernels)
        static_cast<void>(frame.kernels->kernel(name)); // It does not write its times.
    return m_driver.check("cuLaunchKernel",
                          m_driver.launchKernel(m_function, blocksFor(frame.input.width, kKernelBlockWidth),
                                                blocksFor(frame.input.height, kKernelBlockHeight), 1, kKernelBlockWidth,
                                                kKernelBlockHeight, 1, 0, frame.stream, arguments, nullptr));
}

Status KernelModule::makeSurface(Surface &surface, const StageImage &image)
{
    driver::ArrayShape shape;
    shape.width = static_cast<std::size_t>(image.width);
    shape.height = static_cast<std::size_t>(image.height);
    shape.channels = image.format == PixelFormat::Grey8 ? 1 : 4;
    JETSCOPE_TRY(m_driver.check("cuArray3DCreate", m_driver.createArray(&surface.array, &shape)));
    driver::SurfaceTarget target;
    target.array = surface.array;
    return m_driver.check("cuSurfObjectCreate", m_driver.createSurface(&surface.object, &target));
}

Status KernelModule::copy(const StageFrame &frame, const StageImage &image, void *array, bool intoArray)
{
    static const NameId kInto = internName("copy into array", Category::Copy);
    static const NameId kOutOf = internName("copy out of array", Category::Copy);
    driver::Copy2d copy;
    driver::CopyEnd &memory = intoArray ? copy.from : copy.to;
    memory.device = reinterpret_cast<std::uintptr_t>(image.pixels);
    memory.pitch = image.pitch;
    driver::CopyEnd &other = intoArray ? copy.to : copy.from;
    other.memory = driver::kArrayMemory;
    other.array = array;
    copy.widthBytes = rowBytesOf(image);
    copy.height = static_cast<std::size_t>(image.height);
    if (frame.kernels)
        frame.kernels->copy(intoArray ? kInto : kOutOf, copy.widthBytes * copy.height);
    return m_driver.check("cuMemcpy2DAsync", m_driver.copy2dAsync(&copy, frame.stream));
}

Status KernelModule::launchOnSurfaces(const StageFrame &frame, NameId name)
{
    Surfaces &surfaces = m_surfaces[frame.stream];
    if (surfaces.width != frame.input.width || surfaces.height != frame.input.height) {
        destroy(surfaces);
        JETSCOPE_TRY(makeSurface(surfaces.input, frame.input));
        JETSCOPE_TRY(makeSurface(surfaces.output, frame.output));
        surfaces.width = frame.input.width;
        surfaces.height = frame.input.height;
    }
    JETSCOPE_TRY(copy(frame, frame.input, surfaces.input.array, true));
    StageFrame own = frame;
    void *arguments[] = {&surfaces.input.object, &surfaces.output.object, &own.input.width, &own.input.height};
    JETSCOPE_TRY(launchOn(frame, name, arguments));
    return copy(frame, frame.output, surfaces.output.array, false);
}

} // namespace jetscope
