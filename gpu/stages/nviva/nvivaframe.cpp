// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/nviva/nvivaframe.h"

#include "core/time/clock.h"
#include "gpu/base/symbols.h"

#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kPitchUnit = 512; ///< As cudaMallocPitch rounds.

/// Adds the time of a scope.
class AddTime {
public:
    explicit AddTime(std::int64_t &sum) : m_sum(sum), m_fromNs(nowNs()) {}
    ~AddTime() { m_sum += nowNs() - m_fromNs; }
    AddTime(const AddTime &) = delete;
    AddTime &operator=(const AddTime &) = delete;

private:
    std::int64_t &m_sum;
    const std::int64_t m_fromNs;
};

} // namespace

NvivaFrame &NvivaFrame::get()
{
    static NvivaFrame frame;
    return frame;
}

nviva_stand_ins NvivaFrame::standIns()
{
    return {[](void **resource, void *image, unsigned flags) { return get().registerImage(resource, image, flags); },
            [](nviva_egl_frame *frame, void *resource, unsigned index, unsigned level) {
                return get().mappedFrame(frame, resource, index, level);
            },
            [](void *resource) { return get().unregister(resource); }, [] { return get().synchronize(); }};
}

Status NvivaFrame::openDevice(const NvivaWords &words)
{
    JETSCOPE_TRY_ASSIGN(m_driver, KernelDriver::load(words.driver));
    int device = 0;
    void *context = nullptr;
    JETSCOPE_TRY(m_driver->check("cuInit", m_driver->init(0)));
    JETSCOPE_TRY(m_driver->check("cuDeviceGet", m_driver->deviceGet(&device, words.ordinal)));
    JETSCOPE_TRY(m_driver->check("cuDevicePrimaryCtxRetain", m_driver->retainPrimaryContext(&context, device)));
    JETSCOPE_TRY(m_driver->check("cuCtxSetCurrent", m_driver->setCurrentContext(context)));
    m_surfaceLibrary = words.surfaces;
    SymbolTable symbols(dlopen(words.driver.c_str(), RTLD_NOW | RTLD_LOCAL));
    m_graphics.register_image = symbols.find("cuGraphicsEGLRegisterImage");
    m_graphics.mapped_frame = symbols.find("cuGraphicsResourceGetMappedEglFrame");
    m_graphics.unregister = symbols.find("cuGraphicsUnregisterResource");
    if (!symbols.missing().empty())
        m_graphics = {};
    return {};
}

Status NvivaFrame::resize(int width, int height)
{
    if (m_width == width && m_height == height)
        return {};
    m_surface.reset();
    m_width = width;
    m_height = height;
    // Any reason: pitched memory works everywhere.
    return makeSurface(width, height).ok() ? Status() : allocate();
}

/// Tries what the library is going to do.
Status NvivaFrame::makeSurface(int width, int height)
{
    if (!m_graphics.register_image)
        return sentence("the driver registers no EGLImages");
    JETSCOPE_TRY_ASSIGN(const NvivaSurfaceApi api, NvivaSurfaceApi::load(m_surfaceLibrary));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<NvivaSurface> surface, NvivaSurface::create(api, width, height));
    void *resource = nullptr;
    JETSCOPE_TRY(
        m_driver->check("cuGraphicsEGLRegisterImage", m_graphics.register_image(&resource, surface->image(), 0)));
    nviva_egl_frame frame{};
    const int mapped = m_graphics.mapped_frame(&frame, resource, 0, 0);
    JETSCOPE_TRY(m_driver->check("cuGraphicsUnregisterResource", m_graphics.unregister(resource)));
    if (mapped != 0 || frame.frame_type != NVIVA_PITCH_FRAME)
        return sentence("CUDA does not give the buffer as pitch-linear memory");
    m_surface = std::move(surface);
    return {};
}

Status NvivaFrame::allocate()
{
    if (const std::uint64_t former = std::exchange(m_memory, 0); former != 0)
        JETSCOPE_TRY(m_driver->check("cuMemFree", m_driver->free(former)));
    m_pitch = (rowBytes() + kPitchUnit - 1) / kPitchUnit * kPitchUnit;
    return m_driver->check("cuMemAlloc", m_driver->allocate(&m_memory, m_pitch * static_cast<std::size_t>(m_height)));
}

Status NvivaFrame::copy(std::byte *host, bool toDevice)
{
    if (m_surface) {
        JETSCOPE_TRY(m_driver->check("cuCtxSynchronize", m_driver->synchronizeContext()));
        return toDevice ? m_surface->write(host) : m_surface->read(host);
    }
    driver::Copy2d copy;
    driver::CopyEnd &own = toDevice ? copy.to : copy.from;
    driver::CopyEnd &other = toDevice ? copy.from : copy.to;
    own.device = m_memory;
    own.pitch = m_pitch;
    other.memory = driver::kHostMemory;
    other.host = host;
    other.pitch = rowBytes();
    copy.widthBytes = rowBytes();
    copy.height = static_cast<std::size_t>(m_height);
    JETSCOPE_TRY(m_driver->check("cuMemcpy2DAsync", m_driver->copy2dAsync(&copy, nullptr)));
    return m_driver->check("cuCtxSynchronize", m_driver->synchronizeContext());
}

void NvivaFrame::pin(NvivaMapping &shared)
{
    const std::size_t bytes = shared.bytes() - kNvivaFrameOffset;
    m_pinned = m_driver->registerHost(shared.frame(), bytes, 0) == 0 ? shared.frame() : nullptr;
}

void NvivaFrame::unpin()
{
    if (std::byte *const memory = std::exchange(m_pinned, nullptr))
        static_cast<void>(m_driver->unregisterHost(memory));
}

int NvivaFrame::registerImage(void **resource, void *image, unsigned flags)
{
    if (!resource || !m_work || image != this->image())
        return NVIVA_INVALID_VALUE;
    const AddTime time(m_work->registrationNs);
    if (m_surface) {
        if (const int code = m_graphics.register_image(resource, image, flags); code != 0)
            return code;
    } else {
        if (m_registrations > 0)
            return NVIVA_INVALID_VALUE;
        *resource = &m_registrations;
    }
    ++m_registrations;
    ++m_work->registrations;
    return 0;
}

int NvivaFrame::mappedFrame(nviva_egl_frame *frame, void *resource, unsigned index, unsigned level)
{
    if (!frame || !m_work || m_registrations == 0)
        return NVIVA_INVALID_VALUE;
    const AddTime time(m_work->registrationNs);
    if (m_surface)
        return m_graphics.mapped_frame(frame, resource, index, level);
    if (resource != &m_registrations || index != 0 || level != 0)
        return NVIVA_INVALID_VALUE;
    *frame = {};
    frame->planes[0] = reinterpret_cast<void *>(m_memory); // NOLINT(performance-no-int-to-ptr)
    frame->width = static_cast<unsigned>(m_width);
    frame->height = static_cast<unsigned>(m_height);
    frame->pitch = static_cast<unsigned>(m_pitch);
    frame->plane_count = 1;
    frame->channels = 4;
    frame->frame_type = NVIVA_PITCH_FRAME;
    frame->egl_format = NVIVA_ABGR_FRAME;
    frame->element = NVIVA_BYTE_ELEMENT;
    return 0;
}

int NvivaFrame::unregister(void *resource)
{
    if (!m_work || m_registrations == 0)
        return NVIVA_INVALID_VALUE;
    const AddTime time(m_work->registrationNs);
    if (m_surface) {
        if (const int code = m_graphics.unregister(resource); code != 0)
            return code;
    } else if (resource != &m_registrations) {
        return NVIVA_INVALID_VALUE;
    }
    --m_registrations;
    return 0;
}

/// Also called without a device, in the trial.
int NvivaFrame::synchronize()
{
    if (!m_driver || !m_work)
        return 0;
    const std::int64_t from = nowNs();
    const int code = m_driver->synchronizeContext();
    if (m_work->waits < NvivaWork::kMaxWaits)
        m_work->waited[m_work->waits] = {from, nowNs()};
    ++m_work->waits;
    return code;
}

} // namespace jetscope
