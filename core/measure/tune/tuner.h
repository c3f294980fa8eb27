// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/method/comparison.h"
#include "core/measure/sweep/sweepplan.h"
#include "core/measure/tune/tunermodel.h"
#include "core/measure/tune/tunerrace.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

struct TunerLimits {
    double seconds = 60;
    /// Different cells to measure, with the present one; 0: a fifth of all, at least 4.
    std::size_t mostCells = 0;
    std::size_t mostRounds = 6; ///< Stretches of a cell in one race.
    ComparisonMethod method;
};

/// A cell that took part in a race.
struct TunerTry {
    std::size_t cell = 0;
    Difference difference; ///< Compared with the champion of that race.
    std::size_t stretches = 0;
    bool dropped = false; ///< Before the end of the race, because it was clearly worse.
    std::string failure;  ///< Why it could not run; else empty.
};

/// One race: the champion against others.
struct TunerStep {
    std::string what; ///< "memory", "sync", …; "combination" for cells that the model proposed; "final"; "check".
    std::size_t champion = 0;
    std::size_t winner = 0; ///< With which the search goes on.
    bool isShown =
        false; ///< The winner beats the champion beyond the noise, and every other cell is shown to be worse.
    std::vector<TunerTry> tries;
};

/// Searches from the present cell towards the best one by measured steps, without measuring all.
///
/// 1. For each choice that varies, a race of the champion against the cells that differ from it in this choice only. A
///    value that cannot be taken alone (sync implicit needs output gl-interop) takes part with the fewest other
///    changes.
/// 2. Races against the two cells of which a model of all measurements so far (TunerModel) expects most, whatever they
///    differ in, until it expects less than 0.2 % of any; then against cells beside the champion that were not tried.
/// 3. A final of the cells that are not shown to be worse than the best one, in the time that is left, until the leader
///    is shown to be at most 2 % worse than any of them. Where single stretches vary by 10 %, the few stretches of the
///    races before cannot tell cells apart that differ by less.
/// 4. A check by turns of the result against the present cell: its difference is free from the selection of lucky
///    cells. If it shows no improvement, the result is the present cell.
///
/// Ends when nothing beats the noise, or `mostCells` or `seconds` are used. A state machine without clock and device:
/// the owner measures a stretch of `wanted` and reports it with `add` or `failed`, until there is none. Not
/// thread-safe.
class Tuner {
public:
    /// `start` is the present cell, an index of `cells`. All cells must be legal and different.
    Tuner(std::vector<SweepCell> cells, std::size_t start, const TunerLimits &limits = {});

    std::optional<std::size_t> wanted() const; ///< The cell whose stretch is measured next; empty when over.
    /// Batch figures of a stretch of `wanted`, after warm-up, and the time that it took with the switch. A stretch
    /// without a positive figure counts as failed.
    void add(std::span<const double> batches, double seconds);
    void failed(std::string_view why, double seconds = 0);
    void stop(std::string_view why);

    bool isOver() const { return !m_race; }
    const std::string &reason() const { return m_reason; } ///< Why it ended; one sentence.
    std::size_t start() const { return m_start; }
    std::size_t best() const { return m_best; } ///< So far.
    /// Of the result compared with the start, from the check; empty if the result is the start or the check is missing.
    const std::optional<Difference> &improvement() const { return m_improvement; }
    const std::vector<TunerStep> &steps() const { return m_steps; }
    const std::vector<SweepCell> &cells() const { return m_cells; }
    std::size_t measuredCells() const { return m_measured; }
    double elapsedSeconds() const { return m_seconds; }
    double progress() const; ///< 0..1

private:
    enum class Phase { Choices, Combinations, Final, Check };

    bool searches() const { return m_phase == Phase::Choices || m_phase == Phase::Combinations; }
    void nextRace();
    bool nextChoice();
    bool nextCombination();
    bool nextFinal();
    void nextCheck();
    void race(std::string what, const std::vector<std::size_t> &challengers);
    TunerRace::Method raceMethod() const;
    std::vector<std::size_t> finalists() const;
    void endRace();
    void end(std::string_view why);
    void note(const TunerRace &race, std::size_t place, TunerStep &step);
    static bool isShown(const TunerStep &step);
    std::vector<std::size_t> challengersOf(std::size_t axis) const;
    std::size_t changes(std::size_t a, std::size_t b) const;
    std::size_t cellsLeft() const;
    double secondsLeft() const;
    std::size_t checkRounds() const;
    double stretchSeconds() const;

    std::vector<SweepCell> m_cells;
    std::size_t m_start;
    TunerLimits m_limits;
    std::vector<std::string> m_axes;                ///< Names of the choices that vary; made with the levels.
    std::vector<std::vector<std::size_t>> m_levels; ///< Of each cell, by axis.
    TunerModel m_model;
    StretchNoise m_noise;
    std::optional<TunerRace> m_race;
    std::string m_what;
    std::vector<std::string> m_failures; ///< By cell.
    std::vector<bool> m_tried;
    std::vector<double> m_values; ///< Logarithm relative to the start, lower is better; NaN if not measured.
    std::vector<std::size_t> m_rounds;
    Phase m_phase = Phase::Choices;
    bool m_isStopped = false;
    std::size_t m_axis = 0;
    std::size_t m_best;
    std::size_t m_measured = 0;
    std::size_t m_stretches = 0;
    double m_seconds = 0;
    std::optional<Difference> m_improvement;
    std::vector<TunerStep> m_steps;
    std::string m_reason;
};

} // namespace jetscope
