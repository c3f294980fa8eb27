// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/livepipeline.h"

namespace jetscope {

namespace {

PipelineSetup withOpener(PipelineSetup setup)
{
    if (!setup.openSource)
        setup.openSource = [](const std::string &uri) { return openSource(uri, Pacing::Real); };
    return setup;
}

} // namespace

Result<std::unique_ptr<Pipeline>> Pipeline::create(PipelineSetup setup)
{
    auto pipeline = std::make_unique<LivePipeline>(std::move(setup));
    JETSCOPE_TRY(pipeline->waitForStart());
    return std::unique_ptr<Pipeline>(std::move(pipeline));
}

LivePipeline::LivePipeline(PipelineSetup setup)
    : m_tracer(setup.traced ? Tracer::Recording::On : Tracer::Recording::Off),
      m_loop(withOpener(std::move(setup)), m_tracer, m_channel),
      m_started(m_startedPromise.get_future()),
      m_thread([this] { m_loop.run(m_startedPromise); })
{
}

LivePipeline::~LivePipeline()
{
    m_channel.stop();
    m_thread.join();
}

Status LivePipeline::waitForStart()
{
    return m_started.get();
}

} // namespace jetscope
