// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/gpufields.h"
#include "gpu/remote/pipelinehost.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

namespace jetscope::testing {

/// Through bytes and back; ends the test program when that loses something.
template <class T>
T throughWire(const T &value)
{
    std::optional<T> copy = fromBytes<T>(toBytes(value));
    if (!copy)
        std::abort();
    return std::move(*copy);
}

/// A pipeline at the other end of a wire: every message goes through bytes, and ids of names are not those of this
/// process.
class WireControl final : public PipelineControl {
public:
    explicit WireControl(std::unique_ptr<PipelineControl> far) : m_far(std::move(far)) {}

    void post(PipelineCommand command) override { m_far->post(throughWire(command)); }
    PipelineUpdate drainUpdates() override
    {
        PipelineUpdate update = throughWire(m_far->drainUpdates());
        shiftIds(update);
        return update;
    }
    void collectAlone() override { m_far->collectAlone(); }
    void setSink(std::shared_ptr<TraceSink> sink) override
    {
        m_far->setSink(sink ? std::make_shared<WireSink>(std::move(sink)) : nullptr);
    }
    PipelineStatus status() const override { return throughWire(m_far->status()); }
    void waitForEnd() override { m_far->waitForEnd(); }
    FramePort *framePort() override { return m_far->framePort(); }
    Inspection *inspection() override { return m_far->inspection(); }

private:
    static constexpr std::uint32_t kShift = 7;

    /// As if the other process had interned a few other names first.
    static void shiftIds(TraceUpdate &update)
    {
        if (update.firstName == 0)
            update.names.insert(update.names.begin(), kShift, SpanName{"of the other process", Category::Tool, {}});
        else
            update.firstName += kShift;
        for (Span &span : update.spans)
            span.name = static_cast<NameId>(span.name + kShift);
        for (PathPiece &piece : update.path)
            if (piece.name != kNoPathName)
                piece.name += kShift;
        for (PathGain &gain : update.pathGains)
            if (gain.kind.name != kNoPathName)
                gain.kind.name += kShift;
    }

    class WireSink final : public TraceSink {
    public:
        explicit WireSink(std::shared_ptr<TraceSink> sink) : m_sink(std::move(sink)) {}
        void take(const TraceUpdate &update) override
        {
            PipelineUpdate whole;
            static_cast<TraceUpdate &>(whole) = update;
            whole = throughWire(whole);
            shiftIds(whole);
            m_sink->take(whole);
        }

    private:
        const std::shared_ptr<TraceSink> m_sink;
    };

    const std::unique_ptr<PipelineControl> m_far;
};

/// A machine at the other end of a wire.
class WireHost final : public PipelineHost {
public:
    explicit WireHost(PipelineHost &far) : m_far(far) {}

    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override
    {
        JETSCOPE_TRY_ASSIGN(auto opened, m_far.open(throughWire(request)));
        return std::unique_ptr<PipelineControl>(std::make_unique<WireControl>(std::move(opened)));
    }
    std::vector<DeviceCandidate> devices() override { return throughWire(m_far.devices()); }
    std::vector<CameraInfo> cameras() override { return throughWire(m_far.cameras()); }
    PlatformFacts platform() override { return throughWire(m_far.platform()); }

private:
    PipelineHost &m_far;
};

} // namespace jetscope::testing
