// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/capturethread.h"
#include "gpu/pipeline/commands.h"
#include "gpu/pipeline/cpustagethread.h"
#include "gpu/pipeline/eventcollector.h"
#include "gpu/pipeline/framerunner.h"
#include "gpu/pipeline/framesink.h"
#include "gpu/pipeline/hostsampler.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/pipeline/pipelinecounters.h"
#include "gpu/pipeline/statusboard.h"
#include "gpu/pipeline/wakeevent.h"

#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace jetscope {

/// The pipeline thread: builds the resources, feeds captured frames to the runner, carries out commands and switches,
/// and reports.
class PipelineLoop {
public:
    /// The tracer outlives the loop.
    PipelineLoop(PipelineSetup setup, Tracer &tracer);
    ~PipelineLoop();

    /// The thread's body. `started` gets the outcome of building the resources.
    void run(std::promise<Status> &started);

    // For the owner, from any thread.
    Commands &commands() { return m_commands; }
    EventCollector &update() { return m_events; }
    const StatusBoard &board() const { return m_board; }
    ViewMailbox &mailbox() { return m_sink->mailbox(); }    ///< Once started.
    void *nativeContext() const { return m_nativeContext; } ///< Once started.
    void wantInputPictures(bool wanted);
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
    void report();
    void reportIfDue();
    void noteTurn();
    void publish();
    /// How many drops were told of, and when.
    struct DropTally {
        std::uint64_t told = 0;
        std::int64_t toldNs = 0;
    };
    void reportDrops();
    void reportDrops(DropTally &tally, std::uint64_t dropped, std::uint32_t frame, const char *what);
    void reportGaps(const std::vector<SourceGap> &gaps);
    PipelineCounts counts();
    void notify(PipelineNotice::Kind kind, std::string text);
    void end(PipelineState state, PipelineNotice::Kind kind, std::string text);
    bool idle();

    // Switches.
    struct SourceNeeds {
        ImageLayout layout;
        Result<ExternalBufferView> surfaces;
        bool throughStream = false;
        std::size_t buffers = 0;
    };
    void tryExternalBuffers(FrameSource &source, Device &device);
    static SourceNeeds needsOf(const FrameSource &source);
    SourceNeeds needsOfCurrent() const;
    PartsSetup partsSetup(const PipelineConfig &config, const SourceNeeds &source,
                          std::shared_ptr<DeviceContext> deviceContext);
    Status applySchedule();
    /// Times device and GL work by another source.
    Status timeBy(GpuTime source);
    Status switchTo(PipelineConfig config, std::optional<std::string> deviceId);
    Status switchSource(std::unique_ptr<FrameSource> source);
    /// Swaps in resources that were built; nothing is in flight.
    void adopt(std::unique_ptr<PipelineResources> resources, const PipelineConfig &config);
    void refuse(const std::string &change, const std::string &reason);
    void pruneRetired();
    void startRecording(std::unique_ptr<FrameSource> source);

    PipelineSetup m_setup;
    Tracer &m_tracer;
    WakeEvent m_wakeEvent;
    Commands m_commands;
    EventCollector m_events;
    PipelineCounters m_counters{m_events};
    std::optional<HostSampler> m_hostSampler;
    StatusBoard m_board;
    void *m_nativeContext = nullptr;

    // Built and destroyed on the pipeline thread; later ones use earlier ones.
    std::unique_ptr<GlQueue> m_queue;
    std::unique_ptr<FrameSink> m_sink;
    std::unique_ptr<CpuStageThread> m_cpuStage;
    std::unique_ptr<FrameRunner> m_runner;
    std::vector<std::unique_ptr<PipelineResources>>
        m_retired;             ///< Parts whose memory a captured frame or the view still uses.
    std::mutex m_captureMutex; ///< Of the pointer: the owner asks for pictures.
    std::shared_ptr<CaptureThread> m_capture;
    bool m_picturesWanted = false;

    PipelineState m_state = PipelineState::Running;
    bool m_paused = false;
    int m_steps = 0;
    bool m_stopping = false;
    std::size_t m_nextChange = 0; ///< In the schedule.
    std::uint32_t m_generation = 0;
    std::int64_t m_publishedNs = 0;
    std::uint64_t m_droppedBefore = 0; ///< By sources that were exchanged.
    DropTally m_sourceDrops;
    DropTally m_viewDrops;
};

} // namespace jetscope
