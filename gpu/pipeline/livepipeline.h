// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/tracer.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/pipeline/pipelineloop.h"

#include <future>
#include <memory>
#include <thread>

namespace jetscope {

/// The Pipeline that its owner sees: starts the pipeline thread, posts commands to its loop and reads its snapshots.
class LivePipeline final : public Pipeline {
public:
    explicit LivePipeline(PipelineSetup setup);
    ~LivePipeline() override;

    /// Waits until every part is built; the error if one could not be.
    Status waitForStart();

    void change(PipelineConfig config) override { m_loop.commands().change(std::move(config)); }
    void changeDevice(std::string deviceId, PipelineConfig config) override
    {
        m_loop.commands().changeDevice(std::move(deviceId), std::move(config));
    }
    void changeSource(std::unique_ptr<FrameSource> source) override
    {
        m_loop.commands().changeSource(std::move(source));
    }
    void setPaused(bool paused) override { m_loop.commands().setPaused(paused); }
    void step() override { m_loop.commands().step(); }

    PipelineUpdate drainUpdates() override { return m_loop.update().take(); }
    PipelineStatus status() const override { return m_loop.board().status(); }
    ViewMailbox &mailbox() override { return m_loop.mailbox(); }
    Tracer &tracer() override { return m_tracer; }
    void *nativeContext() const override { return m_loop.nativeContext(); }
    void wantInputPictures(bool wanted) override { m_loop.wantInputPictures(wanted); }
    std::shared_ptr<const InputPicture> inputPicture(std::uint32_t frame) override
    {
        return m_loop.inputPicture(frame);
    }
    void waitForEnd() override { m_loop.board().waitForEnd(); }

private:
    Tracer m_tracer;
    PipelineLoop m_loop;
    std::promise<Status> m_startedPromise;
    std::future<Status> m_started;
    std::thread m_thread;
};

} // namespace jetscope
