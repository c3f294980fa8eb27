// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/machinerecord.h"
#include "core/figures/framemetricsbuilder.h"
#include "core/figures/statistics.h"
#include "core/measure/sweep/sweepfile.h"
#include "gpu/pipeline/pipelinecontrol.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// How long a stretch is. Frames after a switch warm up: buffers are new, and no frames are in flight. A stretch that
/// goes on with the cell of the one before has no such frames.
struct StretchLimits {
    std::size_t warmUp = StatisticsMethod().warmUp;
    std::int64_t warmUpNs = 200'000'000;     ///< Slow pipelines warm up no longer than this.
    std::size_t frames = 30;                 ///< At least so many counted frames …
    std::int64_t ns = kLeastStretchNs;       ///< … and so much time, …
    std::int64_t mostNs = 1'500'000'000;     ///< … but no more time than this, as soon as there are three frames.
    std::int64_t timeoutNs = 10'000'000'000; ///< Without a frame for so long, the stretch failed.
};

/// How long a stretch takes about if the pipeline completes a frame in this time; without the switch to the cell.
std::int64_t expectedNs(const StretchLimits &limits, std::int64_t frameNs);

/// The address of the source for a size; 0x0 is its own size.
using SourceForSize = std::function<Result<std::string>(SweepSize size)>;

/// Measures stretches on a running pipeline: switches it to a cell, leaves out the first frames, and collects the
/// figures of the others. The owner takes the pipeline's updates and passes each of them on. Only on the thread of the
/// pipeline's owner; never waits.
class StretchRunner {
public:
    enum class State {
        Idle,
        Switching,
        Measuring,
        Done,   ///< `taken` is complete.
        Failed, ///< `failure` is the reason; another stretch can begin unless `lost`.
    };

    /// The pipeline must outlive it. `source` is the address that is open now, `address` that of each size.
    StretchRunner(PipelineControl &pipeline, SourceForSize address, const StretchLimits &limits = {});

    /// What an update told, or (TraceHead::asUpdate) all those before, that is of no stretch.
    void know(const TraceUpdate &update);
    /// Begins a stretch. `keepsUpdates`: `updates` has everything of its counted frames afterwards.
    void begin(const CellTurn &turn, const SweepCell &cell, bool keepsUpdates, std::int64_t ns);
    /// Whether another stretch can begin: none did so far, or the present one is done or failed.
    bool take(const PipelineUpdate &update, std::int64_t ns);

    State state() const { return m_state; }
    const KeptStretch &taken() const { return m_taken; }
    const std::string &failure() const { return m_failure; }
    /// The pipeline cannot be used any more; `deviceLost`: nor can its device in this process.
    bool lost() const { return m_lost; }
    bool deviceLost() const { return m_deviceLost; }
    /// The stretch failed because another configuration than its cell's came into force.
    bool replaced() const { return m_replaced; }
    std::vector<PipelineUpdate> takeUpdates() { return std::move(m_updates); }

private:
    void switchOn();
    void take(const PipelineNotice &notice);
    void measureFrom(std::uint32_t frame);
    void takeFigures(const PipelineUpdate &update, std::int64_t ns);
    void takeCounters(const PipelineUpdate &update);
    bool isLongEnough() const;
    void finish(std::int64_t ns);
    std::optional<double> energyMjPerFrame() const;
    void fail(std::string reason);

    PipelineControl &m_pipeline;
    const SourceForSize m_address;
    const StretchLimits m_limits;
    SweepSize m_size; ///< Of the open source.
    State m_state = State::Idle;
    bool m_sourcePending = false; ///< A change of source was requested and is not in force.
    SweepCell m_cell;
    std::string m_change; ///< The change to it; empty if the source changes, too.
    bool m_keepsUpdates = false;
    std::uint32_t m_firstFrame = 0;
    std::int64_t m_beginNs = 0;
    std::int64_t m_lastFrameNs = 0; ///< When the last frame was seen, or the stretch began.
    std::size_t m_mostWarm = 0;     ///< Frames that warm up at most.
    std::size_t m_warm = 0;         ///< Frames that are left out.
    std::vector<FrameFigures> m_frames;
    double m_cpuSeconds = 0; ///< CPU time of the process when the first frame was counted.
    std::int64_t m_countedNs = 0;
    struct Sum {
        double sum = 0;
        std::size_t count = 0;
    };
    std::map<CounterId, Sum> m_counterSums;
    std::map<CounterId, double> m_counterValues; ///< Now; counters report changes only.
    TraceHead m_head;
    MachineRecord m_machine; ///< For the energy.
    KeptStretch m_taken;
    std::string m_failure;
    bool m_lost = false;
    bool m_deviceLost = false;
    bool m_replaced = false;
    std::vector<PipelineUpdate> m_updates;
};

} // namespace jetscope
