// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathfollower.h"
#include "core/recording/tracer.h"
#include "gpu/pipeline/pipeline.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// A passive pipeline for tests: stores the requests that it receives and returns the data that a test sets. One
/// thread.
class FakePipeline : public Pipeline {
public:
    FakePipeline();
    ~FakePipeline() override;

    void post(PipelineCommand command) override;
    PipelineUpdate drainUpdates() override;
    void setSink(std::shared_ptr<TraceSink> sink) override;
    PipelineStatus status() const override { return state; }
    ViewMailbox &mailbox() override { return m_mailbox; }
    Tracer &tracer() override { return m_tracer; }
    void *nativeContext() const override { return nullptr; }
    void wantInputPictures(bool wanted) override { inputsWanted = wanted; }
    std::shared_ptr<const InputPicture> inputPicture(std::uint32_t frame) override;
    void watchInput(std::shared_ptr<InputWatch> watch) override { inputWatch = std::move(watch); }
    std::vector<OpenCamera> cameras() const override { return openCameras; }
    void waitForEnd() override {}

    /// Applies the last requested change, like a successful change in a real pipeline.
    void accept();
    /// Rejects the requested change with a reason.
    void refuse(const std::string &why);
    void notice(PipelineNotice::Kind kind, const std::string &text, std::uint32_t frame = 0, std::int64_t timeNs = 0);
    /// From `number.frame` on, frame numbers of the source start at `number.number`.
    void numberFrom(FrameNumber number);
    /// Makes an input picture available for its frame.
    void addInput(InputPicture picture);
    void addInput(std::uint32_t frame, int width, int height, std::uint8_t grey);

    PipelineStatus state;
    PipelineUpdate update; ///< Returned by the next drainUpdates.
    FrameNumbers numbers;
    std::vector<PipelineConfig> changes;
    std::vector<std::string> deviceChanges;
    std::vector<std::string> sourceChanges;
    std::string failSourceWith;                      ///< Refuses other sources with this reason.
    const TraceHead &head() const { return m_head; } ///< What drained updates have told.
    int steps = 0;
    bool inputsWanted = false;
    std::vector<OpenCamera> openCameras;
    std::shared_ptr<InputWatch> inputWatch; ///< Who wants to see the frames of the source.
    std::atomic<int> *destroyed = nullptr;  ///< Incremented by the destructor.

private:
    ViewMailbox m_mailbox;
    Tracer m_tracer;
    PathFollower m_follower;
    std::shared_ptr<TraceSink> m_sink;
    TraceHead m_head;
    std::vector<SpanName> m_names;
    std::vector<TraceFact> m_facts;
    std::map<std::uint32_t, std::shared_ptr<const InputPicture>> m_inputs;
};

/// Facts of the software iGPU with the rules of Orin.
DeviceFacts orinFacts();

/// A source that only has a URI.
std::unique_ptr<FrameSource> namedSource(const std::string &uri);

/// Adds `frames` frames of 16.7 ms to the update, starting with frame `first`: lanes, spans, figures. The times are
/// independent of the clock.
void scriptFrames(FakePipeline &pipeline, std::uint32_t first, std::uint32_t frames);

} // namespace jetscope
