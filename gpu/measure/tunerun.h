// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/tune/tuner.h"
#include "gpu/measure/stretchrunner.h"

#include <cstddef>
#include <cstdint>

namespace jetscope {

/// Runs a search for the best choices on a running pipeline. The owner takes the pipeline's updates and passes each of
/// them on. Only on the thread of the pipeline's owner; never waits. At the end the pipeline has the last cell that was
/// measured.
class TuneRun {
public:
    /// Pipeline and tuner must outlive the run. `metric` is what the tuner minimizes.
    TuneRun(PipelineControl &pipeline, Tuner &tuner, Figure metric);

    void take(const PipelineUpdate &update, std::int64_t ns);
    void cancel() { m_tuner.stop("it was cancelled"); }
    bool isOver() const { return m_tuner.isOver(); }
    /// The pipeline stopped, which ended the search.
    bool lost() const { return m_runner.lost(); }

private:
    void begin(std::int64_t ns);

    Tuner &m_tuner;
    const Figure m_metric;
    StretchRunner m_runner;
    std::size_t m_stretches = 0;
    std::int64_t m_beginNs = 0;
};

} // namespace jetscope
