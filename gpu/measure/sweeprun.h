// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepfile.h"
#include "gpu/measure/stretchrunner.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// What a sweep has measured so far. It outlives the pipelines that measure it: after the loss of one, the sweep goes
/// on with the next.
struct Sweep {
    SweepPlan plan;
    Turns turns;
    SweepResult result;
    TraceFileHeader header; ///< Of the sample traces, but for their configuration.
    Figure figure;          ///< By which the cells are ranked: rounds are measured until they are settled by it.
    std::vector<std::size_t> works; ///< By cell: equal numbers do the same work.

    Sweep(SweepPlan cells, TraceFileHeader sampleHeader, const TurnsMethod &method, Figure rankedBy = Figure::Period);
    /// Takes over what a file has already.
    void resume(const StoredSweep &stored);
};

/// Runs a sweep on one pipeline and writes every stretch to the file as soon as it is measured. The owner takes the
/// pipeline's updates and passes each of them on. Only on the thread of the pipeline's owner; `take` waits for the disk
/// between two stretches.
class SweepRun {
public:
    /// Everything must outlive the run.
    SweepRun(PipelineControl &pipeline, Sweep &sweep, SweepFile &file, SourceForSize address,
             const StretchLimits &limits = {});

    void take(const PipelineUpdate &update, std::int64_t ns);

    /// Nothing more will be measured with this pipeline: the sweep is complete or settled, or `lost`, or `trouble`.
    bool isOver() const { return m_over; }
    /// The pipeline stopped while it measured a cell, which counts as failed. The sweep can go on with another pipeline
    /// or, if `deviceLost`, in another process.
    bool lost() const { return m_runner.lost(); }
    bool deviceLost() const { return m_runner.deviceLost(); }
    /// The sweep cannot go on: its file cannot be written.
    const std::optional<Error> &trouble() const { return m_trouble; }
    std::optional<CellTurn> current() const { return m_sweep.turns.next(); }

private:
    void begin(std::int64_t ns);
    void keep();
    void dropCell();
    bool keepsSample(const CellTurn &stretch) const;
    Status keepSample(std::size_t cell);

    Sweep &m_sweep;
    SweepFile &m_file;
    StretchRunner m_runner;
    std::vector<bool> m_sampled; ///< Cells whose sample this run has written.
    std::optional<Error> m_trouble;
    bool m_over = false;
};

} // namespace jetscope
