// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/livepipeline.h"

namespace jetscope {

Result<std::unique_ptr<Pipeline>> Pipeline::create(PipelineSetup setup)
{
    auto pipeline = std::make_unique<LivePipeline>(std::move(setup));
    JETSCOPE_TRY(pipeline->waitForStart());
    return std::unique_ptr<Pipeline>(std::move(pipeline));
}

LivePipeline::LivePipeline(PipelineSetup setup)
    : m_tracer(setup.traced ? Tracer::Recording::On : Tracer::Recording::Off),
      m_loop(std::move(setup), m_tracer),
      m_started(m_startedPromise.get_future()),
      m_thread([this] { m_loop.run(m_startedPromise); })
{
}

LivePipeline::~LivePipeline()
{
    m_loop.commands().stop();
    m_thread.join();
}

Status LivePipeline::waitForStart()
{
    return m_started.get();
}

} // namespace jetscope
