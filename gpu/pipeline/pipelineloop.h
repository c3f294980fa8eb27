// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/cpustagethread.h"
#include "gpu/pipeline/currentsource.h"
#include "gpu/pipeline/eventcollector.h"
#include "gpu/pipeline/framerunner.h"
#include "gpu/pipeline/framesink.h"
#include "gpu/pipeline/hostsampler.h"
#include "gpu/pipeline/lossbook.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/pipeline/pipelinechannel.h"
#include "gpu/pipeline/pipelinecounters.h"
#include "gpu/pipeline/pipelineswitch.h"
#include "gpu/stages/stagehost.h"

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

/// The pipeline thread: builds the resources, feeds captured frames to the runner, carries out commands and switches,
/// and reports.
class PipelineLoop {
public:
    /// Tracer and channel outlive the loop.
    PipelineLoop(PipelineSetup setup, Tracer &tracer, PipelineChannel &channel);
    ~PipelineLoop();

    /// The thread's body. `started` gets the outcome of building the resources.
    void run(std::promise<Status> &started);

    // For the owner, from any thread.
    ViewMailbox &mailbox() { return m_sink->mailbox(); }    ///< Once started.
    FrameLender *lender() { return m_sink->lender(); }      ///< Once started.
    void *nativeContext() const { return m_nativeContext; } ///< Once started.
    void wantInputPictures(bool wanted) { m_source.wantPictures(wanted); }
    void watchInput(std::shared_ptr<InputWatch> watch) { m_source.watch(std::move(watch)); }
    std::vector<OpenCamera> cameras() const { return m_source.cameras(); }
    std::shared_ptr<const InputPicture> inputPicture(std::uint32_t frame);

private:
    Status build();
    Status loop();
    void tearDown();

    // One turn of the loop.
    Status carryOutCommands();
    Status takeFrame();
    void takeTracingTurn(std::uint32_t frame);
    Status waitForFrame();
    Status settle();
    Status pollHandOver();
    bool hostFunctionCame();
    Status takeBackFrames();
    void report();
    void reportIfDue();
    void noteTurn();
    void recordStageWork(const std::vector<StageWork> &all);
    void reportStageNews(Device &device);
    void takeLastOfStages(Device &device);
    std::uint32_t newestFrame() const;
    void publish(std::optional<PipelineNotice> news = {});
    void reportLosses(bool all);
    void reportGaps(const std::vector<SourceGap> &gaps);
    PipelineCounts counts();
    PipelineNotice newNotice(PipelineNotice::Kind kind, std::string text, bool ofSource = false);
    void notify(PipelineNotice::Kind kind, std::string text, bool ofSource = false);
    void end(PipelineState state, PipelineNotice::Kind kind, std::string text);
    bool idle();

    Status applySchedule();
    Status switchTo(PipelineConfig config, std::optional<std::string> deviceId);
    Status changeSource(std::string uri);
    Status takeLoadedSource();
    Status switchTo(std::unique_ptr<FrameSource> source);
    void conclude(const PipelineSwitch::Outcome &outcome);

    PipelineSetup m_setup;
    Tracer &m_tracer;
    PipelineChannel &m_channel;
    EventCollector m_events;
    PipelineCounters m_counters;
    std::optional<HostSampler> m_hostSampler;
    void *m_nativeContext = nullptr;

    // Built and destroyed on the pipeline thread; later ones use earlier ones.
    std::unique_ptr<GlQueue> m_queue;
    std::unique_ptr<FrameSink> m_sink;
    std::unique_ptr<CpuStageThread> m_cpuStage;
    std::unique_ptr<FrameRunner> m_runner;
    CurrentSource m_source;
    std::optional<PipelineSwitch> m_switch;
    SourceLoader m_loader;

    PipelineState m_state = PipelineState::Running;
    std::uint64_t m_switches = 0; ///< Changes that took effect.
    bool m_paused = false;
    int m_steps = 0;
    bool m_stopping = false;
    std::size_t m_nextChange = 0; ///< In the schedule.
    std::int64_t m_publishedNs = 0;
    LossBook m_losses;
};

} // namespace jetscope
