// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/frameaccounts.h"
#include "core/tracer.h"
#include "gpu/pipeline.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace jetscope {

/// Gathers what the owner of a pipeline wants to know and hands it over by value. The pipeline thread reports; `take` is for any one other thread.
class NewsDesk {
public:
    explicit NewsDesk(Tracer &tracer) : m_tracer(tracer) {}

    FrameAccountant &accountant() { return m_accountant; }

    /// Collects the rings. Everything that began before `resolvedNs` was recorded before this call.
    void collect(std::int64_t resolvedNs);
    void report(PipelineNotice notice);
    void addAnswers(std::vector<CpuAnswer> answers);

    PipelineNews take();

private:
    Tracer &m_tracer;
    FrameAccountant m_accountant;
    std::size_t m_lanesKnown = 0;
    std::vector<Span> m_scratch;
    std::mutex m_mutex;
    PipelineNews m_news;
    std::uint64_t m_unfetched = 0; ///< Spans dropped because nobody took them.
};

} // namespace jetscope
