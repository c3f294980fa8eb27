// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/forwardingdevice.h"

#include <functional>
#include <memory>
#include <set>
#include <utility>

/// Devices that make one mistake each, on purpose. They stand around a device that the hazard ledger watches.
namespace jetscope::mistakes {

class Mistake : public ForwardingDevice {
public:
    explicit Mistake(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}
};

/// The CPU writes new managed memory while kernels run (A3). Only declares the access, so that a GPU survives it.
class NewMemoryWhileKernelsRun final : public Mistake {
public:
    using Mistake::Mistake;
    Status launch(const ChainLaunch &work, Stream &stream) override;
};

/// The CPU does not wait for the event behind an attach (A4).
class AttachWithoutWait final : public Mistake {
public:
    using ForwardingDevice::synchronize;
    using Mistake::Mistake;
    Status synchronize(const Event &) override { return {}; }
};

/// Memory that kernels are about to use is attached to the host (A5).
class AttachedToTheHost final : public Mistake {
public:
    using Mistake::Mistake;
    Status attach(Buffer &managed, Attach target, Stream &stream) override;
};

/// Host functions ask for the state of an event (B1).
class CallInHostFunction final : public Mistake {
public:
    using Mistake::Mistake;
    Status launchHost(Stream &stream, std::function<void()> function) override;

private:
    std::unique_ptr<Event> m_event;
};

/// Graphs hold memory that is freed when the capture ends (B7). They only declare that they read it, so that everything
/// survives it.
class FreedMemoryInGraphs final : public Mistake {
public:
    using Mistake::Mistake;
    Status beginCapture(Stream &stream) override;
    Result<std::unique_ptr<Graph>> endCapture(Stream &stream, std::unique_ptr<Graph> former) override;

private:
    std::unique_ptr<Buffer> m_used;
};

/// Flags are written without a memory barrier (B6).
class FlagWithoutBarrier final : public Mistake {
public:
    using Mistake::Mistake;
    Status write(StreamFlag &flag, std::uint32_t value, WriteOrder, Stream &stream) override
    {
        return ForwardingDevice::write(flag, value, WriteOrder::AnyTime, stream);
    }
};

/// Waits for GL are put into a stream of their own, in place of the stream of the kernels (B5).
class WaitInAnotherStream final : public Mistake {
public:
    using Mistake::Mistake;
    Status wait(Stream &stream, const Event &event) override;

private:
    std::unique_ptr<Stream> m_other;
};

/// Every frame registers its image once more (C5).
class RegistrationPerFrame final : public Mistake {
public:
    using Mistake::Mistake;
    Result<std::unique_ptr<Image>> registerEglImage(void *eglImage, int width, int height) override;
    Status launch(const ChainLaunch &work, Stream &stream) override;

private:
    void *m_eglImage = nullptr; ///< The newest one.
    int m_width = 0;
    int m_height = 0;
};

/// More work is appended between an event's record and its EGLSync (D1).
class LateSync final : public Mistake {
public:
    using Mistake::Mistake;
    Status record(Event &event, Stream &stream) override;
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) override;

private:
    Stream *m_stream = nullptr; ///< Of the newest record.
};

/// GL gives each texture new storage while CUDA has its image (C6). Only declares it: a texture of the pipeline is
/// immutable, so that GL would refuse the call.
class RespecifiedTexture final : public Mistake {
public:
    using Mistake::Mistake;
    void glWill(const GlQueue &queue, std::uint64_t command, std::span<const GlUse> uses) override;
};

/// The CPU counts frames by an atomic operation on pinned memory (A15).
class AtomicsOnPinnedMemory final : public Mistake {
public:
    using Mistake::Mistake;
    Status launch(const ChainLaunch &work, Stream &stream) override;

private:
    std::unique_ptr<Buffer> m_counter;
};

/// Memory of a pool is freed in the stream in front of the kernels that use it (A23).
class FreedBeforeUse final : public Mistake {
public:
    using Mistake::Mistake;
    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) override;
    Status freeInStream(Buffer &pooled, Stream &stream) override;

private:
    std::set<const Buffer *> m_freed;
};

/// A pool keeps nothing, and is waited for after each frame (A19).
class PoolThatKeepsNothing final : public Mistake {
public:
    using Mistake::Mistake;
    Result<PoolUse> poolUse() override;
    Status freeInStream(Buffer &pooled, Stream &stream) override;
};

/// The frame is discarded on its way to the device (A25).
class DiscardedFrame final : public Mistake {
public:
    using Mistake::Mistake;
    Status prefetch(Buffer &managed, PrefetchTo side, Content content, Stream &stream) override;
};

/// Kernels are given ordinary memory in place, where they do not reach it (A24). Only declares it, so that a GPU
/// survives.
class OrdinaryMemoryInPlace final : public Mistake {
public:
    using Mistake::Mistake;
    Status launch(const ChainLaunch &work, Stream &stream) override;

private:
    std::unique_ptr<Buffer> m_ordinary;
};

} // namespace jetscope::mistakes
