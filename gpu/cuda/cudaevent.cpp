// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudaevent.h"

#include "gpu/cuda/check.h"
#include "gpu/gl/display.h"

#include <cmath>
#include <cuda_egl_interop.h>

namespace jetscope {

namespace {

// EGL_NV_cuda_event; some systems' registry headers lack these constants.
constexpr EGLenum kSyncCudaEvent = 0x323C;
constexpr EGLAttrib kCudaEventHandle = 0x323B;

/// Events with timing are only queried, so they need no interrupt for waiting threads.
unsigned eventFlags(Device::Timing timing, bool blocking)
{
    return timing == Device::Timing::On ? cudaEventDefault
                                        : cudaEventDisableTiming | (blocking ? cudaEventBlockingSync : 0u);
}

class EglSyncWait final : public CudaGlWait {
public:
    EglSyncWait(const EventApi &api, std::shared_ptr<EglDisplay> display, EGLSync sync)
        : m_api(api), m_display(std::move(display)), m_sync(sync)
    {
    }
    ~EglSyncWait() override { m_api.destroySync(m_display->native(), m_sync); }
    EglSyncWait(const EglSyncWait &) = delete;
    EglSyncWait &operator=(const EglSyncWait &) = delete;

    Status serverWait() override
    {
        if (!m_api.waitSync(m_display->native(), m_sync, 0))
            return eglError("eglWaitSync");
        return {};
    }

private:
    const EventApi &m_api;
    const std::shared_ptr<EglDisplay> m_display;
    const EGLSync m_sync;
};

} // namespace

CudaEvent::CudaEvent(const EventApi &api, cudaEvent_t event, Origin origin, Device::Timing timing, bool blocking)
    : m_api(api), m_event(event), m_origin(origin), m_timing(timing), m_blocking(blocking)
{
}

CudaEvent::~CudaEvent()
{
    // Fails only if the context is lost, and the event with it.
    static_cast<void>(m_api.destroy(m_event));
}

Result<std::unique_ptr<CudaEvent>> CudaEvent::create(const EventApi &api, Device::Timing timing, bool blocking)
{
    cudaEvent_t event = nullptr;
    JETSCOPE_TRY(cudaStatus("cudaEventCreateWithFlags", api.create(&event, eventFlags(timing, blocking))));
    return std::unique_ptr<CudaEvent>(new CudaEvent(api, event, Origin::Cuda, timing, blocking));
}

Result<std::unique_ptr<CudaEvent>> CudaEvent::fromEglSync(const EventApi &api, EGLSync sync)
{
    cudaEvent_t event = nullptr;
    JETSCOPE_TRY(cudaStatus("cudaEventCreateFromEGLSync", api.createFromEglSync(&event, sync, 0)));
    return std::unique_ptr<CudaEvent>(new CudaEvent(api, event, Origin::EglSync, Device::Timing::Off, false));
}

Status CudaEvent::record(cudaStream_t stream, bool blocking)
{
    if (m_origin == Origin::EglSync)
        return Error{"cudaEventRecord", cudaErrorInvalidValue,
                     "an event made from an EGLSync cannot be recorded (rule D4); create another event"};
    if (blocking != m_blocking && m_timing == Device::Timing::Off) {
        cudaEvent_t event = nullptr;
        JETSCOPE_TRY(cudaStatus("cudaEventCreateWithFlags", m_api.create(&event, eventFlags(m_timing, blocking))));
        static_cast<void>(m_api.destroy(m_event));
        m_event = event;
        m_blocking = blocking;
        m_recorded = false;
    }
    JETSCOPE_TRY(cudaStatus("cudaEventRecord", m_api.record(m_event, stream)));
    m_recorded = true;
    return {};
}

Status CudaEvent::makeWait(cudaStream_t stream) const
{
    return cudaStatus("cudaStreamWaitEvent", m_api.streamWait(stream, m_event, 0));
}

Result<bool> CudaEvent::query() const
{
    const cudaError_t code = m_api.query(m_event);
    if (code == cudaErrorNotReady) {
        // Not an error, but launches check the thread's last error, so clear it.
        static_cast<void>(cudaGetLastError());
        return false;
    }
    JETSCOPE_TRY(cudaStatus("cudaEventQuery", code));
    return true;
}

Status CudaEvent::synchronize() const
{
    return cudaStatus("cudaEventSynchronize", m_api.synchronize(m_event));
}

Result<std::int64_t> CudaEvent::elapsedNsTo(const CudaEvent &to) const
{
    for (const CudaEvent *event : {this, &to})
        if (event->m_timing == Device::Timing::Off || !event->m_recorded)
            return Error{"cudaEventElapsedTime", cudaErrorInvalidResourceHandle,
                         "both events must have timing and be recorded"};
    float ms = 0;
    JETSCOPE_TRY(cudaStatus("cudaEventElapsedTime", m_api.elapsed(&ms, m_event, to.m_event)));
    return static_cast<std::int64_t>(std::llround(static_cast<double>(ms) * 1e6));
}

Result<std::unique_ptr<CudaGlWait>> CudaEvent::glWait(const std::shared_ptr<EglDisplay> &display) const
{
    if (!m_recorded)
        return Error{"eglCreateSync(EGL_SYNC_CUDA_EVENT_NV)", 0,
                     "the event must be recorded before the sync is made (rule D2)"};
    // The extension's text requires a pointer to the event; NVIDIA's sample and driver use the event itself.
    const EGLAttrib attributes[] = {kCudaEventHandle, reinterpret_cast<EGLAttrib>(m_event), EGL_NONE};
    EGLSync sync = m_api.createSync(display->native(), kSyncCudaEvent, attributes);
    if (sync == EGL_NO_SYNC)
        return eglError("eglCreateSync(EGL_SYNC_CUDA_EVENT_NV)");
    return std::unique_ptr<CudaGlWait>(std::make_unique<EglSyncWait>(m_api, display, sync));
}

const EventApi &realEventApi()
{
    // Lambdas select the C overloads where the runtime's headers add C++ ones.
    static const EventApi api{
        [](cudaEvent_t *event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); },
        [](cudaEvent_t *event, EGLSync sync, unsigned flags) { return cudaEventCreateFromEGLSync(event, sync, flags); },
        [](cudaEvent_t event, cudaStream_t stream) { return cudaEventRecord(event, stream); },
        [](cudaStream_t stream, cudaEvent_t event, unsigned flags) {
            return cudaStreamWaitEvent(stream, event, flags);
        },
        [](cudaEvent_t event) { return cudaEventQuery(event); },
        [](cudaEvent_t event) { return cudaEventSynchronize(event); },
        [](float *ms, cudaEvent_t from, cudaEvent_t to) { return cudaEventElapsedTime(ms, from, to); },
        [](cudaEvent_t event) { return cudaEventDestroy(event); },
        [](EGLDisplay display, EGLenum type, const EGLAttrib *attributes) {
            return eglCreateSync(display, type, attributes);
        },
        [](EGLDisplay display, EGLSync sync, EGLint flags) { return eglWaitSync(display, sync, flags); },
        [](EGLDisplay display, EGLSync sync) { return eglDestroySync(display, sync); },
    };
    return api;
}

} // namespace jetscope
