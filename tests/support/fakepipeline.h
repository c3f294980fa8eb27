// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathfollower.h"
#include "core/recording/tracer.h"
#include "gpu/pipeline/pipeline.h"

#include <map>
#include <string>
#include <vector>

namespace jetscope {

/// A pipeline that does nothing by itself: it notes what it is asked for and reports what a test puts in. One thread.
class FakePipeline : public Pipeline {
public:
    FakePipeline();
    ~FakePipeline() override;

    void post(PipelineCommand command) override;
    PipelineUpdate drainUpdates() override;
    PipelineStatus status() const override { return state; }
    ViewMailbox &mailbox() override { return m_mailbox; }
    Tracer &tracer() override { return m_tracer; }
    void *nativeContext() const override { return nullptr; }
    void wantInputPictures(bool wanted) override { inputsWanted = wanted; }
    std::shared_ptr<const InputPicture> inputPicture(std::uint32_t frame) override;
    void waitForEnd() override {}

    /// Takes the last change over, as the real one does when it could be made.
    void accept();
    /// Keeps the old configuration and says why.
    void refuse(const std::string &why);
    void notice(PipelineNotice::Kind kind, const std::string &text, std::uint32_t frame = 0, std::int64_t timeNs = 0);
    /// From this frame on, the source's frames have numbers from `number` on.
    void numberFrom(FrameNumber number);
    /// Makes an input picture available for its frame.
    void addInput(InputPicture picture);
    void addInput(std::uint32_t frame, int width, int height, std::uint8_t grey);

    PipelineStatus state;
    PipelineUpdate update; ///< Given out at the next look.
    FrameNumbers numbers;
    std::vector<PipelineConfig> changes;
    std::vector<std::string> deviceChanges;
    std::vector<std::string> sourceChanges;
    std::string failSourceWith; ///< Refuses other sources with this reason.
    int steps = 0;
    bool inputsWanted = false;
    int *destroyed = nullptr; ///< Counted up when this pipeline ends.

private:
    ViewMailbox m_mailbox;
    Tracer m_tracer;
    PathFollower m_follower;
    std::map<std::uint32_t, std::shared_ptr<const InputPicture>> m_inputs;
};

/// Facts of a device like the software iGPU with Orin's rules.
DeviceFacts orinFacts();

/// A source that only has an address.
std::unique_ptr<FrameSource> namedSource(const std::string &uri);

/// Puts `frames` frames of 16.7 ms into the update, from frame `first` on: lanes, spans, figures. The times have
/// nothing of the clock in them.
void scriptFrames(FakePipeline &pipeline, std::uint32_t first, std::uint32_t frames);

} // namespace jetscope
