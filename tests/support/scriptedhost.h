// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/pipelinehost.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace jetscope::testing {

/// What a scripted pipeline was told, and what it tells next. Any thread.
struct PipelineScript {
    std::mutex mutex;
    PipelineUpdate update;
    PipelineStatus status;
    std::vector<PipelineCommand> commands;
    std::atomic<int> ended{0};
    std::atomic<bool> runs{false};
    std::uint32_t spans = 0; ///< So many were told.

    /// Tells a head first, then as many spans, each with the next number as its frame.
    void tell(std::uint32_t count)
    {
        const std::lock_guard lock(mutex);
        if (spans == 0) {
            update.firstName = 0;
            update.names = {{"work"}, {"wait"}};
            update.lanes = {{0, LaneRole::Pipeline, "Pipeline", ""}};
            update.counters = {{0, "load", "%", std::nullopt}};
        }
        for (std::uint32_t i = 0; i < count; ++i, ++spans) {
            update.spans.push_back({spans * 1000, 500, spans, 0, 1, 0, 0});
            FrameFigures figures;
            figures.frame = spans;
            figures.startNs = spans * 1000;
            update.figures.push_back(figures);
        }
        status.frames = spans;
    }
    void notice(std::string text)
    {
        const std::lock_guard lock(mutex);
        PipelineNotice notice;
        notice.kind = PipelineNotice::Kind::Stage;
        notice.text = std::move(text);
        update.notices.push_back(std::move(notice));
    }
    std::vector<PipelineCommand> told()
    {
        const std::lock_guard lock(mutex);
        return commands;
    }
};

class ScriptedPipeline final : public PipelineControl {
public:
    explicit ScriptedPipeline(std::shared_ptr<PipelineScript> script) : m_script(std::move(script))
    {
        m_script->runs = true;
    }
    ~ScriptedPipeline() override
    {
        m_script->runs = false;
        ++m_script->ended;
    }

    void post(PipelineCommand command) override
    {
        const std::lock_guard lock(m_script->mutex);
        m_script->commands.push_back(std::move(command));
    }
    PipelineUpdate drainUpdates() override
    {
        const std::lock_guard lock(m_script->mutex);
        return std::exchange(m_script->update, {});
    }
    void setSink(std::shared_ptr<TraceSink>) override {}
    PipelineStatus status() const override
    {
        const std::lock_guard lock(m_script->mutex);
        return m_script->status;
    }
    void waitForEnd() override {}
    FramePort *framePort() override { return nullptr; }

private:
    const std::shared_ptr<PipelineScript> m_script;
};

/// What a machine says when it is read next.
struct MachineScript {
    std::mutex mutex;
    std::shared_ptr<const BoardFacts> facts = std::make_shared<const BoardFacts>();
    BoardState state;
    std::string firstGpu; ///< Of the last reading.
};

class ScriptedMachine final : public MachineReader {
public:
    explicit ScriptedMachine(std::shared_ptr<MachineScript> script) : m_script(std::move(script)) {}

    Result<BoardValues> read(const std::string &firstGpu) override
    {
        const std::lock_guard lock(m_script->mutex);
        m_script->firstGpu = firstGpu;
        ++m_script->state.timeNs;
        return BoardValues{m_script->facts, m_script->state};
    }

private:
    const std::shared_ptr<MachineScript> m_script;
};

/// Opens one scripted pipeline after the other.
class ScriptedHost final : public PipelineHost {
public:
    ScriptedHost() { script->status.state = PipelineState::Running; }

    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override
    {
        if (request.source == "none:")
            return Error{"", 0, "there is no such source"};
        return std::unique_ptr<PipelineControl>(std::make_unique<ScriptedPipeline>(script));
    }
    std::vector<DeviceCandidate> devices() override { return {{"soft:orin", "software iGPU", Capability::yes()}}; }
    std::vector<CameraInfo> cameras() override { return std::vector<CameraInfo>(2); }
    PlatformFacts platform() override
    {
        PlatformFacts facts;
        facts.allocatableReason = "made up";
        return facts;
    }
    std::unique_ptr<MachineReader> machine() override
    {
        return hasMachine ? std::make_unique<ScriptedMachine>(machineScript) : nullptr;
    }

    const std::shared_ptr<PipelineScript> script = std::make_shared<PipelineScript>();
    const std::shared_ptr<MachineScript> machineScript = std::make_shared<MachineScript>();
    bool hasMachine = true;
};

} // namespace jetscope::testing
