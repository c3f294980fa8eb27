// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/device/device.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/paths/externalbufferregistry.h"
#include "gpu/paths/outputpath.h"
#include "gpu/paths/transferbuffer.h"
#include "gpu/pipeline/framepool.h"
#include "gpu/pipeline/outputpool.h"
#include "gpu/sync/framesync.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace jetscope {

struct PipelineSetup;

/// A device, the timer of its work, and the external buffers registered with it. Shared by the resources that use it,
/// so that it outlives them.
struct DeviceContext {
    std::unique_ptr<Device> device;
    std::unique_ptr<GpuTimer> timer; ///< Destroyed before the device, like the registry.
    std::unique_ptr<ExternalBufferRegistry> externalBuffers;

    /// The device of this id, watched and decorated as the pipeline's setup says; `device` if it is open already.
    static Result<std::shared_ptr<DeviceContext>> open(const std::string &deviceId, const PipelineSetup &setup,
                                                       Tracer &tracer, std::unique_ptr<Device> device = nullptr);
};

/// The resources of one frame in flight besides its input and output.
struct FrameSlot {
    std::unique_ptr<Event> done;
    std::unique_ptr<TransferBuffer> result; ///< Null if results are not requested.
    /// Set from posting the CPU stage's job until it ends; cleared on the stage's thread.
    std::atomic<bool> cpuStageBusy{false};
};

struct ResourcesSetup {
    PipelineConfig config;
    ImageLayout input;
    Result<ExternalBufferView> externalBuffers; ///< Property of the source, like the next.
    bool throughStream = false;
    std::shared_ptr<DeviceContext> deviceContext;
    GlQueue &queue;
    bool forWindow = false;
    std::size_t captureBuffers = 0; ///< Required input buffers besides those of frames in flight.
    std::uint32_t generation = 0;
    std::function<void()> wake;
};

/// All resources of a configuration: created completely while the previous ones still run, then swapped in. Pipeline
/// thread.
class PipelineResources {
public:
    static Result<std::unique_ptr<PipelineResources>> create(const ResourcesSetup &setup);
    ~PipelineResources();

    Stream &streamOf(std::uint32_t frame) { return *m_streams[frame % m_streams.size()]; }
    FrameSlot &slotOf(std::uint32_t frame) { return *m_frameSlots[frame % m_frameSlots.size()]; }
    Device &device() { return *m_deviceContext->device; }
    GpuTimer &timer() { return *m_deviceContext->timer; }
    const std::shared_ptr<DeviceContext> &deviceContext() const { return m_deviceContext; }
    FrameSync &sync() { return *m_sync; }
    OutputPath &output() { return *m_output; }
    const std::shared_ptr<FramePool> &pool() const { return m_pool; }
    std::uint32_t generation() const { return m_generation; }

    OutputPool &outputs() { return m_outputs; }

private:
    PipelineResources(const ResourcesSetup &setup);
    Status build(const ResourcesSetup &setup);
    Status buildSlots(const ResourcesSetup &setup, const TransferContext &context);

    std::shared_ptr<DeviceContext> m_deviceContext;
    const std::uint32_t m_generation;
    std::vector<std::unique_ptr<Stream>> m_streams;
    std::unique_ptr<FrameSync> m_sync;
    std::shared_ptr<FramePool> m_pool;
    std::unique_ptr<OutputPath> m_output;
    OutputPool m_outputs; ///< The textures of m_output.
    std::vector<std::unique_ptr<FrameSlot>> m_frameSlots;
};

/// Whether a switch between two configurations needs new resources.
bool needsNewResources(const PipelineConfig &from, const PipelineConfig &to);

} // namespace jetscope
