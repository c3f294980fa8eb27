// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/tracer.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/pipeline/pipelinecontrol.h"
#include "gpu/pipeline/pipelineloop.h"

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace jetscope {

/// Passes the updates of a pipeline on: to its owner, who takes them when it likes, and to a sink. With a thread of its
/// own, neither depends on the owner's pace. Any thread may call, but only one at a time takes.
class UpdateCollector {
public:
    /// `drain` gives what is new; it is called by one thread at a time.
    explicit UpdateCollector(std::function<PipelineUpdate()> drain);
    /// The sink gets what there is until now.
    ~UpdateCollector();
    UpdateCollector(const UpdateCollector &) = delete;
    UpdateCollector &operator=(const UpdateCollector &) = delete;

    /// PipelineControl::collectAlone
    void start();
    /// PipelineControl::setSink
    void setSink(std::shared_ptr<TraceSink> sink);
    PipelineUpdate take();

private:
    void work();
    void collect();

    const std::function<PipelineUpdate()> m_drain;
    std::mutex m_collecting; ///< For the members below, up to m_keeping.
    TraceHead m_head;
    std::shared_ptr<TraceSink> m_sink;

    std::mutex m_keeping; ///< For the members below.
    std::condition_variable m_wake;
    PipelineUpdate m_kept; ///< For the owner.
    bool m_ends = false;

    std::thread m_thread;
};

/// A pipeline whose loop runs on a thread of its own.
class LivePipeline final : public Pipeline {
public:
    explicit LivePipeline(PipelineSetup setup);
    ~LivePipeline() override;

    /// Waits until every part is built; the error if one could not be.
    Status waitForStart();

    void post(PipelineCommand command) override { m_channel.post(std::move(command)); }
    PipelineUpdate drainUpdates() override { return m_collector.take(); }
    void collectAlone() override { m_collector.start(); }
    void setSink(std::shared_ptr<TraceSink> sink) override { m_collector.setSink(std::move(sink)); }
    PipelineStatus status() const override { return m_channel.status(); }
    void waitForEnd() override { m_channel.waitForEnd(); }

    ViewMailbox &mailbox() override { return m_loop.mailbox(); }
    Tracer &tracer() override { return m_tracer; }
    FrameLender *lender() override { return m_loop.lender(); }
    void *nativeContext() const override { return m_loop.nativeContext(); }
    void wantInputPictures(bool wanted) override { m_loop.wantInputPictures(wanted); }
    void watchInput(std::shared_ptr<InputWatch> watch) override { m_loop.watchInput(std::move(watch)); }
    std::vector<OpenCamera> cameras() const override { return m_loop.cameras(); }
    std::shared_ptr<const InputPicture> inputPicture(std::uint32_t frame) override
    {
        return m_loop.inputPicture(frame);
    }

private:
    Tracer m_tracer;
    PipelineChannel m_channel;
    UpdateCollector m_collector{[this] { return m_channel.drain(); }};
    PipelineLoop m_loop;
    std::promise<Status> m_startedPromise;
    std::future<Status> m_started;
    std::thread m_thread;
};

} // namespace jetscope
