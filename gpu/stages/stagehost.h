// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stage.h"

#include <memory>
#include <span>
#include <vector>

namespace jetscope {

/// What a device does for the stages of the chains that it launches (Device::stages). This one has none. Pipeline
/// thread.
class StageHost {
public:
    virtual ~StageHost() = default;

    /// Sets up the stages of a chain for frames of this size, so that no launch has to; an error says why one cannot be
    /// used. Waits for the device if there are stages to tear down, which are those of other chains. With another size
    /// than before, no launch may be pending. After an error, former stages stay set up; but a chain without filters
    /// tears down all of them, whatever the error is: so a pipeline that has failed begins anew.
    virtual Status prepare(std::span<const Filter>, int /*width*/, int /*height*/) { return {}; }
    /// What the stages of a chain that are set up will use for a frame beside input and output. Where the first filter
    /// writes the frame itself, an entry has no memory. Ask before the launch.
    virtual std::vector<StageTouch> touches(std::span<const Filter>, std::uint64_t /*frame*/) { return {}; }
    /// Whether a launch of the chain leaves work of VPI unfinished in its stream (rule G1).
    virtual bool leavesVpiWork(std::span<const Filter>) { return false; }
    /// The points that the last stage of a chain that finds some finds in frames, for the CPU stage; null if none does.
    /// They go before the device.
    virtual std::shared_ptr<StagePoints> points(std::span<const Filter>) { return nullptr; }
    /// The work on engines beside CPU and GPU that was complete since the last call, also of stages that went.
    virtual std::vector<StageWork> takeWork() { return {}; }
    /// The same when all work is complete and no more comes: waits until the times of all of it are known.
    virtual std::vector<StageWork> takeLastWork() { return {}; }
    /// What happened to stages since the last call, beside their runs.
    virtual std::vector<StageNews> takeNews() { return {}; }
};

/// Forwards every call to another host, which outlives it: for decorators of a device.
class ForwardingStageHost : public StageHost {
public:
    explicit ForwardingStageHost(StageHost &host) : m_host(host) {}

    Status prepare(std::span<const Filter> filters, int width, int height) override
    {
        return m_host.prepare(filters, width, height);
    }
    std::vector<StageTouch> touches(std::span<const Filter> filters, std::uint64_t frame) override
    {
        return m_host.touches(filters, frame);
    }
    bool leavesVpiWork(std::span<const Filter> filters) override { return m_host.leavesVpiWork(filters); }
    std::shared_ptr<StagePoints> points(std::span<const Filter> filters) override { return m_host.points(filters); }
    std::vector<StageWork> takeWork() override { return m_host.takeWork(); }
    std::vector<StageWork> takeLastWork() override { return m_host.takeLastWork(); }
    std::vector<StageNews> takeNews() override { return m_host.takeNews(); }

private:
    StageHost &m_host;
};

} // namespace jetscope
