// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/pipelinecontrol.h"
#include "gpu/pipeline/view.h"

#include <cstdint>
#include <vector>

namespace jetscope {

/// Which frames are missing since the pipeline began, and what was told of them. Each is counted once, when it is
/// collected. Pipeline thread.
class LossBook {
public:
    /// `frame`: the pipeline's next one.
    void collect(std::vector<LostFrames> bySource, const std::vector<ViewMailbox::Dropped> &byView,
                 std::uint32_t frame);
    /// The notices that are due: what is lost close together is told at once. `all`: also what came just now.
    std::vector<PipelineNotice> take(std::int64_t ns, bool all);

    const LossCounts &counts() const { return m_counts; }
    std::uint64_t bySource() const { return m_counts.sum() - byView(); }
    std::uint64_t byView() const { return m_counts[LossCause::NotShown]; }

private:
    /// Not told yet.
    struct Untold {
        std::vector<LostFrames> lost;
        std::uint32_t frame = 0;
        std::int64_t toldNs = 0; ///< The last time that anything was told.
    };
    void add(Untold &to, LostFrames lost);
    static void takeDue(Untold &untold, std::int64_t ns, bool all, std::vector<PipelineNotice> &notices);

    LossCounts m_counts;
    Untold m_source;
    Untold m_view;
};

} // namespace jetscope
