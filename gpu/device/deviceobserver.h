// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/gluse.h"

#include <cstdint>
#include <span>

namespace jetscope {

class EglStreamConsumer;
class FrameConsumer;
class GlFence;
class GlQueue;
class GlWait;
class Semaphore;
class Stream;

/// Is told what CPU and GL do with the memory that they share with a device, beside the device's own calls and in their
/// order (Device::tell). Decorators that want to know override what they need.
class DeviceObserver {
public:
    virtual ~DeviceObserver() = default;

    /// The calling thread starts to touch a range of a buffer, and has stopped. CpuAccess tells both, in pairs, on any
    /// thread.
    virtual void beginCpuAccess(const BufferRange &, Access) {}
    virtual void endCpuAccess(const BufferRange &, Access) {}
    /// Within such a scope for writing, the thread makes atomic read-modify-write accesses. CpuAtomics tells it.
    virtual void cpuAtomics(const BufferRange &) {}

    /// The stream's number in the trace: "CUDA stream 0". Pipeline thread.
    virtual void numberStream(const Stream &, int) {}

    // What GL does. The GL queue tells it on the pipeline thread, in the order in which its commands are submitted.

    /// Command `command` of the queue, counted from 1, is being submitted and will use these textures.
    virtual void glWill(const GlQueue &, std::uint64_t /*command*/, std::span<const GlUse>) {}
    /// The calling thread, which may be one of the queue's own, is about to run that command. Any thread.
    virtual void glRuns(const GlQueue &, std::uint64_t /*command*/) {}
    /// Later commands of the queue wait for the event.
    virtual void glWillWait(const GlQueue &, const GlWait &) {}
    /// The fence stands behind the queue's commands so far.
    virtual void glFenced(const GlQueue &, const GlFence &) {}
    /// Later commands of the queue wait for the fence, which may be another context's.
    virtual void glWillWaitForFence(const GlQueue &, const GlFence &) {}
    /// The semaphore gets the value behind the queue's commands so far.
    virtual void glSignalled(const GlQueue &, const Semaphore &, std::uint64_t /*value*/) {}
    /// glFinish has returned: the queue's commands so far are done.
    virtual void glFinished(const GlQueue &) {}

    /// The view has taken a frame; its own GL commands wait for `ready` and use the texture. Any thread.
    virtual void viewTakes(const GlUse &, const GlFence & /*ready*/) {}
    /// The view gives the frame back; `afterSampling` stands behind the last of these commands. Any thread.
    virtual void viewReleases(const GlUse &, const GlFence & /*afterSampling*/) {}

    // What only EGL knows of an EGLStream. Any thread.

    /// A GL texture has become the consumer of an EGLStream, and is about to end that.
    virtual void glConnected(const EglStreamConsumer &, const void * /*eglStream*/) {}
    virtual void glDisconnects(const EglStreamConsumer &) {}
    /// GL is about to draw the frame with this number (EGL_CONSUMER_FRAME_KHR), which its texture has acquired.
    virtual void glDrawsFrame(const EglStreamConsumer &, std::uint64_t /*number*/) {}
    /// The frame that Device::acquire gave has this number.
    virtual void frameNumber(const FrameConsumer &, std::uint64_t /*number*/) {}
};

} // namespace jetscope
