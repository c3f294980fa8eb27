// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/recording/tracer.h"
#include "core/result.h"
#include "gpu/device/cpuaccess.h"
#include "gpu/device/device.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/paths/transferbuffer.h"
#include "gpu/sync/framesync.h"
#include "gpu/verify/verifyworld.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace jetscope {

using PixelBytes = std::vector<std::byte>;

/// What a check works with: the device with a stream, and a queue of GL where there is a display. One thread.
class Workbench {
public:
    static Result<std::unique_ptr<Workbench>> open(const VerifyWorld &world);
    ~Workbench();
    Workbench(const Workbench &) = delete;
    Workbench &operator=(const Workbench &) = delete;

    Device &device() { return *m_device; }
    const DeviceFacts &facts() const { return m_device->facts(); }
    Stream &stream() { return *m_stream; }
    const std::shared_ptr<EglDisplay> &display() const { return m_display; }
    /// The queue of GL, made when first asked for; an error without a display.
    Result<GlQueue *> queue();
    /// For the paths of the pipeline; makes the queue, or without a display one that does nothing.
    Result<TransferContext> context();
    FrameSync &sync(SyncMode mode);

    /// Runs the chain on the input, whose memory the device reaches, and brings the RGBA8 picture to the CPU: its rows
    /// one after another. Waits for it.
    Result<PixelBytes> run(ChainLaunch launch);
    /// The same for bytes of the CPU, in device memory.
    Result<PixelBytes> runOn(const PixelBytes &input, const ImageLayout &layout,
                             const std::vector<Filter> &filters = {}, PixelBytes *grey = nullptr);
    /// A launch that writes this RGBA8 picture, without padding, to `launch.output…`, which the caller sets.
    Result<ChainLaunch> pictureLaunch(const PixelBytes &rgba, int width, int height);

private:
    Workbench() = default;
    Result<Buffer *> deviceCopy(const PixelBytes &input);

    std::shared_ptr<EglDisplay> m_display;
    std::string m_noDisplay; ///< Why there is none.
    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    Tracer m_tracer;
    std::unique_ptr<GpuTimer> m_timer;
    std::unique_ptr<GlQueue> m_queue;
    std::unique_ptr<GlQueue> m_noQueue;
    std::unique_ptr<FrameSync> m_sync;
    std::unique_ptr<Buffer> m_input;
    std::unique_ptr<Buffer> m_output;
};

/// PixelBytes that differ for each seed and are the same on every machine.
PixelBytes patternOf(std::size_t bytes, std::uint32_t seed);

/// What the CPU's own filters make of a frame: RGBA8 rows one after another, and the grey half-size picture in rows of
/// `greyPitch`.
PixelBytes referenceOf(const PixelBytes &input, const ImageLayout &layout, const std::vector<Filter> &filters,
                       PixelBytes *grey = nullptr, std::size_t greyPitch = 0);

/// Nothing if they are equal; else where they differ first, as a reason.
std::string differenceOf(const PixelBytes &found, const PixelBytes &wanted);

} // namespace jetscope
