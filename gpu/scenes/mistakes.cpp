// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/scenes/mistakes.h"

#include "gpu/device/cpuaccess.h"
#include "gpu/device/forwardingdevice.h"

namespace jetscope::mistakes {

namespace {

class NewMemory final : public ForwardingDevice {
public:
    explicit NewMemory(Wrapped device) : ForwardingDevice(std::move(device)) {}
    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        JETSCOPE_TRY(ForwardingDevice::launch(work, stream));
        constexpr std::size_t kBytes = 4096;
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> fresh, allocate(Allocation::Managed, kBytes));
        const CpuWrite write(*this, wholeOf(*fresh));
        return {};
    }
};

class NoWait final : public ForwardingDevice {
public:
    explicit NoWait(Wrapped device) : ForwardingDevice(std::move(device)) {}
    using ForwardingDevice::synchronize;
    Status synchronize(const Event &) override { return {}; }
};

class HostAttached final : public ForwardingDevice {
public:
    explicit HostAttached(Wrapped device) : ForwardingDevice(std::move(device)) {}
    Status attach(Buffer &managed, Attach, Stream &stream) override
    {
        return ForwardingDevice::attach(managed, Attach::Host, stream);
    }
};

class CallingBack final : public ForwardingDevice {
public:
    explicit CallingBack(Wrapped device) : ForwardingDevice(std::move(device)) {}
    Status launchHost(Stream &stream, std::function<void()> function) override
    {
        if (!m_event) {
            JETSCOPE_TRY_ASSIGN(m_event, createEvent(Timing::Off));
        }
        return ForwardingDevice::launchHost(stream, [this, function = std::move(function)] {
            static_cast<void>(query(*m_event)); // CUDA refuses it, too.
            function();
        });
    }

private:
    std::unique_ptr<Event> m_event;
};

class OtherStream final : public ForwardingDevice {
public:
    explicit OtherStream(Wrapped device) : ForwardingDevice(std::move(device)) {}
    Status wait(Stream &, const Event &event) override
    {
        if (!m_other) {
            JETSCOPE_TRY_ASSIGN(m_other, createStream());
        }
        return ForwardingDevice::wait(*m_other, event);
    }

private:
    std::unique_ptr<Stream> m_other;
};

class Registering final : public ForwardingDevice {
public:
    explicit Registering(Wrapped device) : ForwardingDevice(std::move(device)) {}
    Result<std::unique_ptr<Image>> registerEglImage(void *eglImage, int width, int height) override
    {
        m_eglImage = eglImage;
        m_width = width;
        m_height = height;
        return ForwardingDevice::registerEglImage(eglImage, width, height);
    }
    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        if (work.outputImage && m_eglImage)
            JETSCOPE_TRY(ForwardingDevice::registerEglImage(m_eglImage, m_width, m_height));
        return ForwardingDevice::launch(work, stream);
    }

private:
    void *m_eglImage = nullptr; ///< The newest one.
    int m_width = 0;
    int m_height = 0;
};

class LateSync final : public ForwardingDevice {
public:
    explicit LateSync(Wrapped device) : ForwardingDevice(std::move(device)) {}
    Status record(Event &event, Stream &stream) override
    {
        m_stream = &stream;
        return ForwardingDevice::record(event, stream);
    }
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) override
    {
        if (m_stream)
            JETSCOPE_TRY(launchHost(*m_stream, [] {}));
        return ForwardingDevice::glWaitFor(event);
    }

private:
    Stream *m_stream = nullptr; ///< Of the newest record.
};

} // namespace

Wrapped newMemoryWhileKernelsRun(Wrapped device)
{
    return std::make_unique<NewMemory>(std::move(device));
}

Wrapped attachWithoutWait(Wrapped device)
{
    return std::make_unique<NoWait>(std::move(device));
}

Wrapped attachedToTheHost(Wrapped device)
{
    return std::make_unique<HostAttached>(std::move(device));
}

Wrapped callInHostFunction(Wrapped device)
{
    return std::make_unique<CallingBack>(std::move(device));
}

Wrapped waitInAnotherStream(Wrapped device)
{
    return std::make_unique<OtherStream>(std::move(device));
}

Wrapped registrationPerFrame(Wrapped device)
{
    return std::make_unique<Registering>(std::move(device));
}

Wrapped lateSync(Wrapped device)
{
    return std::make_unique<LateSync>(std::move(device));
}

} // namespace jetscope::mistakes
