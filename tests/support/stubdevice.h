// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/stages/stagehost.h"

#include <functional>
#include <memory>

namespace jetscope::testing {

/// A device without features: fakes override the functions that they need; all others return an error.
class StubDevice : public Device {
public:
    StageHost &stages() override { return m_stages; }
    Result<std::unique_ptr<Stream>> createStream() override { return notHere(); }
    Result<std::unique_ptr<Event>> createEvent(Timing) override { return notHere(); }
    Status record(Event &, Stream &) override { return notHere(); }
    Result<bool> query(const Event &) override { return notHere(); }
    Result<std::int64_t> elapsedNs(const Event &, const Event &) override { return notHere(); }
    Status wait(Stream &, const Event &) override { return notHere(); }
    Status synchronize(const Event &) override { return notHere(); }
    Status synchronize(Stream &) override { return notHere(); }
    Status synchronize() override { return notHere(); }
    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &) override { return notHere(); }
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &) override { return notHere(); }
    Result<std::unique_ptr<Buffer>> allocate(Allocation, std::size_t) override { return notHere(); }
    Result<std::unique_ptr<Buffer>> registerHost(std::byte *, std::size_t) override { return notHere(); }
    Status attach(Buffer &, Attach, Stream &) override { return notHere(); }
    Status copyAsync(const BufferRange &, const BufferRange &, CopyKind, Stream &) override { return notHere(); }
    Status launchHost(Stream &, std::function<void()>) override { return notHere(); }
    Status launch(const ChainLaunch &, Stream &) override { return notHere(); }
    Status setWaitPolicy(WaitPolicy) override { return notHere(); }
    WaitPolicy waitPolicy() const override { return WaitPolicy::Auto; }
    Result<std::unique_ptr<Image>> registerEglImage(void *, int, int) override { return notHere(); }
    Result<MemoryInfo> memoryInfo() override { return notHere(); }

protected:
    /// `purpose`: sentence for its errors.
    StubDevice(const char *name, const char *purpose) : Device(stubFacts()), m_name(name), m_purpose(purpose) {}
    Error notHere() const { return Error{m_name, 0, m_purpose}; }

private:
    static DeviceFacts stubFacts()
    {
        DeviceFacts facts;
        facts.kernelBinaries = Capability::yes(); // It has no kernels to compile.
        return facts;
    }

    StageHost m_stages;
    const char *const m_name;
    const char *const m_purpose;
};

} // namespace jetscope::testing
