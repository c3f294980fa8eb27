// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/api.h"

#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>

namespace jetscope {

/// All calls on events and on the EGLSyncs for them. EGLSync interop exists only on Tegra and its rules concern the
/// order of calls. So the calls go through this table, and tests can substitute a fake that enforces the order.
struct EventApi {
    cudaError_t (*create)(cudaEvent_t *event, unsigned flags);
    cudaError_t (*createFromEglSync)(cudaEvent_t *event, EGLSync sync, unsigned flags);
    cudaError_t (*record)(cudaEvent_t event, cudaStream_t stream);
    cudaError_t (*streamWait)(cudaStream_t stream, cudaEvent_t event, unsigned flags);
    cudaError_t (*query)(cudaEvent_t event);
    cudaError_t (*synchronize)(cudaEvent_t event);
    cudaError_t (*elapsed)(float *ms, cudaEvent_t from, cudaEvent_t to);
    cudaError_t (*destroy)(cudaEvent_t event);
    EGLSync (*createSync)(EGLDisplay display, EGLenum type, const EGLAttrib *attributes);
    EGLBoolean (*waitSync)(EGLDisplay display, EGLSync sync, EGLint flags);
    EGLBoolean (*destroySync)(EGLDisplay display, EGLSync sync);
};

/// The functions of the CUDA runtime and of EGL.
const EventApi &realEventApi();

/// A wait as the back end itself uses it, below the Device.
class CudaGlWait : public GlWait {
public:
    using GlWait::serverWait;
};

/// A cudaEvent_t: an ordinary one, or one that stands for an EGLSync and may only be waited for (rule D4).
class CudaEvent final : public Event {
public:
    /// `blocking`: a thread that waits for the event sleeps instead of spinning.
    static Result<std::unique_ptr<CudaEvent>> create(const EventApi &api, Device::Timing timing, bool blocking);
    static Result<std::unique_ptr<CudaEvent>> fromEglSync(const EventApi &api, EGLSync sync);
    ~CudaEvent() override;

    /// The way of waiting is fixed when an event is created, so a changed wait policy recreates the event.
    Status record(cudaStream_t stream, bool blocking);
    Status makeWait(cudaStream_t stream) const;
    Result<bool> query() const;
    Status synchronize() const;
    Result<std::int64_t> elapsedNsTo(const CudaEvent &to) const;

    /// The EGLSync of the latest record. Nothing may come between that record and this call (rule D1).
    Result<std::unique_ptr<CudaGlWait>> glWait(const std::shared_ptr<EglDisplay> &display) const;

private:
    enum class Origin : std::uint8_t { Cuda, EglSync };
    CudaEvent(const EventApi &api, cudaEvent_t event, Origin origin, Device::Timing timing, bool blocking);

    const EventApi &m_api;
    cudaEvent_t m_event;
    Origin m_origin;
    Device::Timing m_timing;
    bool m_blocking;
    bool m_recorded = false;
};

} // namespace jetscope
