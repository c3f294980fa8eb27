// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/cudaevent.h"
#include "gpu/glqueue/glqueue.h"
#include "tests/support/stubdevice.h"

#include <memory>

namespace jetscope::testing {

class ContractStream final : public Stream {};

/// The part of a CUDA device that hand-overs need: its events are real CudaEvents over a table of calls. Executes
/// nothing.
class ContractDevice : public StubDevice {
public:
    ContractDevice(const EventApi &api, std::shared_ptr<EglDisplay> display)
        : StubDevice("ContractDevice", "this device only hands over"), m_api(api), m_display(std::move(display))
    {
    }

    Result<std::unique_ptr<Stream>> createStream() override { return std::unique_ptr<Stream>(new ContractStream); }
    Result<std::unique_ptr<Event>> createEvent(Timing timing) override
    {
        return widened(CudaEvent::create(m_api, timing, false));
    }
    Status record(Event &event, Stream &) override { return own(event).record(nullptr, false); }
    Status wait(Stream &, const Event &event) override { return own(event).makeWait(nullptr); }
    Result<bool> query(const Event &event) override { return own(event).query(); }
    using StubDevice::synchronize;
    Status synchronize(const Event &event) override { return own(event).synchronize(); }
    Result<std::int64_t> elapsedNs(const Event &from, const Event &to) override
    {
        return own(from).elapsedNsTo(own(to));
    }
    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) override
    {
        return widened(CudaEvent::fromEglSync(m_api, fence.native()));
    }
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) override
    {
        Result<std::unique_ptr<CudaGlWait>> wait = own(event).glWait(m_display);
        if (!wait.ok())
            return wait.error();
        return std::unique_ptr<GlWait>(std::move(wait).value());
    }

private:
    static CudaEvent &own(Event &event) { return static_cast<CudaEvent &>(event); }
    static const CudaEvent &own(const Event &event) { return static_cast<const CudaEvent &>(event); }
    static Result<std::unique_ptr<Event>> widened(Result<std::unique_ptr<CudaEvent>> event)
    {
        if (!event.ok())
            return event.error();
        return std::unique_ptr<Event>(std::move(event).value());
    }

    const EventApi &m_api;
    const std::shared_ptr<EglDisplay> m_display;
};

/// Runs all commands at once on the calling thread.
class ContractQueue final : public GlQueue {
public:
    explicit ContractQueue(std::shared_ptr<EglDisplay> display) : GlQueue(std::move(display)) {}
    Status run(Command command) override { return command(); }
    bool isThreaded() const override { return false; }
    void *nativeContext() const override { return nullptr; }

protected:
    void append(const Turn &, Command command) override { note(command()); }
    void appendTimed(NameId, std::uint32_t, const Turn &, Command command) override { note(command()); }
    GlFence appendFence() override { return {}; }
    void appendWait(Device &device, std::unique_ptr<GlWait> deviceEvent, std::uint32_t) override
    {
        note(device.glWait(*deviceEvent));
    }
    Status finishAll() override { return {}; }
};

} // namespace jetscope::testing
