// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/eventapi.h"
#include "gpu/device/device.h"

#include <cstdint>
#include <memory>

namespace jetscope {

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
