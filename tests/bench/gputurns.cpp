// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gputurns.h"

#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/device/backends.h"
#include "gpu/gl/api.h"
#include "gpu/gl/texture.h"
#include "gpu/glqueue/glqueue.h"
#include "tests/bench/gpubench.h"

#include <array>

namespace jetscope {

namespace {

constexpr int kFrames = 300;
constexpr int kWarmUp = 30;
constexpr std::size_t kInFlight = 3;
constexpr int kDrawn = 64;

/// Some work for GL.
struct Draw {
    std::unique_ptr<GlTexture> from = need(GlTexture::create(kDrawn, kDrawn));
    std::unique_ptr<GlTexture> to = need(GlTexture::create(kDrawn, kDrawn));
    std::unique_ptr<GlFramebuffer> source = need(GlFramebuffer::create(from->id(), kDrawn, kDrawn));
    std::unique_ptr<GlFramebuffer> target = need(GlFramebuffer::create(to->id(), kDrawn, kDrawn));

    void operator()() const
    {
        source->bind();
        target->bindForDrawing();
        glBlitFramebuffer(0, 0, kDrawn, kDrawn, 0, 0, kDrawn, kDrawn, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
};

struct Slot {
    std::unique_ptr<Buffer> output;
    std::unique_ptr<Event> done;
    GlFence drawn;
};

} // namespace

GpuTurns measureTurns(const std::string &deviceId, int width, int height, int passes)
{
    const std::shared_ptr<EglDisplay> display = need(openHeadlessDisplay(deviceId));
    const std::unique_ptr<Device> device = need(openDevice(deviceId, display));
    Tracer tracer(Tracer::Recording::Off);
    const std::unique_ptr<GlQueue> queue = need(GlQueue::create(display, GlQueue::Execution::Inline, nullptr, tracer));
    const std::unique_ptr<Stream> stream = need(device->createStream());
    ChainLaunch launch;
    launch.inputLayout = makeImageLayout(PixelFormat::Rgba8, width, height);
    launch.filters.assign(static_cast<std::size_t>(passes), Filter::Gaussian15);
    launch.outputPitch = std::size_t{4} * static_cast<std::size_t>(width);
    const std::unique_ptr<Buffer> input = need(device->allocate(Allocation::Device, launch.inputLayout.bytes));
    launch.input = wholeOf(*input);
    std::array<Slot, kInFlight> slots;
    for (Slot &slot : slots)
        slot = {need(device->allocate(Allocation::Device, launch.inputLayout.bytes)),
                need(device->createEvent(Device::Timing::Off)),
                {}};
    const Draw draw;

    const auto periodUs = [&](bool draws) {
        std::int64_t start = 0;
        for (int frame = 0; frame < kFrames; ++frame) {
            start = frame == kWarmUp ? nowNs() : start;
            Slot &slot = slots[static_cast<std::size_t>(frame) % kInFlight];
            need(device->synchronize(*slot.done));
            if (draws) {
                draw();
                slot.drawn = queue->fence(*device);
                need(slot.drawn.clientWait());
            }
            launch.output = wholeOf(*slot.output);
            need(device->launch(launch, *stream));
            need(device->record(*slot.done, *stream));
        }
        need(device->synchronize());
        return static_cast<double>(nowNs() - start) / 1e3 / (kFrames - kWarmUp);
    };
    const double alone = periodUs(false);
    return {alone, periodUs(true)};
}

} // namespace jetscope
