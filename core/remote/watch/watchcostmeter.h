// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framefigures.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

/// Measures how much longer the frames of a pipeline take while somebody watches it from elsewhere. A round is two
/// turns: one as usual, and one in which news and pictures are kept back, to be sent later; their order changes from
/// round to round, so that slow changes of the machine affect both alike. A turn takes half a second, which hardly
/// shows, and is longer only for slow pipelines. Rounds follow each other until there is a first result, and then come
/// three times a minute. Times are those of any one clock that does not jump. Not thread-safe.
class WatchCostMeter {
public:
    struct Cost {
        double frameRatio = 1; ///< Time of a watched frame divided by that of one that is not.
        double noise = 0;      ///< Half the width of its 95 % interval.
        std::size_t rounds = 0;
    };
    /// What the server does at a time.
    struct Situation {
        std::int64_t nowNs = 0;
        bool isWatched = false;  ///< Somebody is connected and follows, and the pipeline runs.
        bool isCaughtUp = false; ///< All that was kept back has been sent.
    };

    /// Whether news are kept back now. Call it often.
    bool keepsBack(const Situation &situation);
    /// New frames, each once, soon after they are complete.
    void add(std::span<const FrameFigures> frames);
    /// News that do not wait have come: the round does not count, and nothing is kept back.
    void interrupt();
    /// Frames from now on cannot be compared with those before.
    void restart();
    /// None until there are enough rounds.
    const std::optional<Cost> &cost() const { return m_cost; }

private:
    enum class Stage { Pause, First, CatchUp, Second, Rest };
    struct Turn {
        std::int64_t fromNs = 0;
        std::int64_t toNs = 0;
        std::vector<double> frameMs;
    };
    static bool isTurn(Stage stage) { return stage == Stage::First || stage == Stage::Second; }
    bool keepsBackIn(Stage stage) const;
    void enter(Stage stage, std::int64_t nowNs);
    bool isTurnOver(std::int64_t nowNs);
    void endRound();
    std::int64_t pauseNs() const;
    Turn &turn() { return m_turns[keepsBackIn(m_stage) ? 1 : 0]; }

    Stage m_stage = Stage::Pause;
    std::int64_t m_stageNs = 0; ///< When it began; 0: not yet.
    bool m_keepsBackFirst = false;
    std::array<Turn, 2> m_turns;     ///< Watched, kept back.
    std::vector<double> m_watchedMs; ///< By round, as the next.
    std::vector<double> m_aloneMs;
    std::optional<Cost> m_cost;
};

} // namespace jetscope
