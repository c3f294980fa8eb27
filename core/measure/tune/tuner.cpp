// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/tune/tuner.h"

#include "core/measure/method/studentt.h"
#include "core/settings/settingtable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace jetscope {

namespace {

constexpr double kUnknownValue = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMinTuned = 4;
/// Less than this expected improvement (of the logarithm) is not worth a race.
constexpr double kMinExpected = 0.002;
constexpr std::size_t kCombinationsARace = 2;
/// The check has as many rounds as show the expected gain: this many standard errors of its mean, which leaves room for
/// a gain that was found too large, but at most this share of the time.
constexpr std::size_t kMinCheckRounds = 8;
constexpr double kCheckReach = 12;
constexpr double kCheckShare = 0.2;
/// The final has this share of the time at least; before it, the search must be through.
constexpr double kFinalShare = 0.3;
constexpr std::size_t kMaxFinalists = 5;
constexpr std::size_t kFinalRounds = 200;
constexpr double kFinalCloseEnough = 0.02;

/// The settings that a search may vary, as text; in the order in which they are tried.
std::vector<std::pair<std::string, std::string>> settingsOfCell(const SweepCell &cell)
{
    std::vector<std::pair<std::string, std::string>> settings;
    for (const SettingRow *row :
         settingsBy(&SettingPlaces::tried, [](const SettingRow &each) { return each.isSwept(); }))
        settings.emplace_back(row->key, row->text(cell.config, "+"));
    settings.emplace_back("size", cell.size().text());
    return settings;
}

/// Levels of all cells for the settings that vary; `axes` receives their names.
std::vector<std::vector<std::size_t>> levelsOf(const std::vector<SweepCell> &cells, std::vector<std::string> &axes)
{
    std::vector<std::vector<std::size_t>> levels(cells.size());
    std::vector<std::vector<std::pair<std::string, std::string>>> settings;
    for (const SweepCell &cell : cells)
        settings.push_back(settingsOfCell(cell));
    for (std::size_t axis = 0; !cells.empty() && axis < settings.front().size(); ++axis) {
        std::set<std::string> values;
        for (const auto &cell : settings)
            values.insert(cell[axis].second);
        if (values.size() < 2)
            continue;
        axes.push_back(settings.front()[axis].first);
        for (std::size_t cell = 0; cell < cells.size(); ++cell)
            levels[cell].push_back(
                static_cast<std::size_t>(std::distance(values.begin(), values.find(settings[cell][axis].second))));
    }
    return levels;
}

} // namespace

Tuner::Tuner(std::vector<SweepCell> cells, std::size_t start, const TunerLimits &limits)
    : m_cells(std::move(cells)),
      m_start(start),
      m_limits(limits),
      m_levels(levelsOf(m_cells, m_axes)),
      m_model(m_levels),
      m_failures(m_cells.size()),
      m_tried(m_cells.size()),
      m_values(m_cells.size(), kUnknownValue),
      m_rounds(m_cells.size()),
      m_best(start)
{
    if (m_limits.mostCells == 0)
        m_limits.mostCells = std::max(kMinTuned, m_cells.size() / 5);
    if (start >= m_cells.size()) {
        m_start = m_best = 0;
        m_reason = "The present choices are not among the cells; add them.";
        return;
    }
    m_tried[start] = true;
    m_values[start] = 0;
    if (m_cells.size() == 1) {
        m_reason = "There is only one combination, so nothing was measured: give a choice several values, or none.";
        return;
    }
    m_measured = 1;
    nextRace();
}

// --- what comes next

std::size_t Tuner::changes(std::size_t a, std::size_t b) const
{
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < m_axes.size(); ++axis)
        count += m_levels[a][axis] != m_levels[b][axis] ? 1 : 0;
    return count;
}

std::size_t Tuner::cellsLeft() const
{
    return m_limits.mostCells > m_measured ? m_limits.mostCells - m_measured : 0;
}

double Tuner::stretchSeconds() const
{
    return m_stretches > 0 ? m_seconds / static_cast<double>(m_stretches) : 0;
}

/// Before the check, its time is reserved once there is something to check, which a final can still find; before the
/// final, that of the final.
double Tuner::secondsLeft() const
{
    const bool checks = m_phase == Phase::Final || (m_phase != Phase::Check && m_best != m_start);
    return m_limits.seconds * (searches() ? 1 - kFinalShare : 1) - m_seconds
        - (checks ? 2 * static_cast<double>(checkRounds()) * stretchSeconds() : 0);
}

/// As many as the gain needs that the races saw; the most while none is known.
std::size_t Tuner::checkRounds() const
{
    const double gain = m_values[m_start] - m_values[m_best];
    const double needed = 2 * m_noise.variance() * (kCheckReach / gain) * (kCheckReach / gain);
    const double fewest = kMinCheckRounds;
    const double most = std::max(fewest, kCheckShare * m_limits.seconds / (2 * std::max(stretchSeconds(), 1e-9)));
    return static_cast<std::size_t>(std::clamp(std::isfinite(needed) ? needed : most, fewest, most));
}

/// For each other value of the choice the untried cell with the fewest changes. A value of which any cell was tried
/// with the same other choices is not offered again.
std::vector<std::size_t> Tuner::challengersOf(std::size_t axis) const
{
    std::vector<std::size_t> nearest;
    std::set<std::size_t> levels;
    for (const auto &cell : m_levels)
        levels.insert(cell[axis]);
    levels.erase(m_levels[m_best][axis]);
    for (const std::size_t level : levels) {
        std::size_t found = m_cells.size();
        for (std::size_t cell = 0; cell < m_cells.size(); ++cell)
            if (m_levels[cell][axis] == level
                && (found == m_cells.size() || changes(cell, m_best) < changes(found, m_best)))
                found = cell;
        if (!m_tried[found])
            nearest.push_back(found);
    }
    return nearest;
}

void Tuner::nextRace()
{
    m_race.reset();
    if (searches() && secondsLeft() < 2 * stretchSeconds()) {
        m_reason = "The time for the search is used.";
        m_phase = Phase::Final;
    }
    if (m_phase == Phase::Choices) {
        if (nextChoice())
            return;
        m_phase = Phase::Combinations;
    }
    if (m_phase == Phase::Combinations) {
        if (nextCombination())
            return;
        // Where two choices depend on each other, such as output and synchronization, the model misses cells beside a
        // best cell that was found late.
        m_axis = 0;
        if (nextChoice())
            return;
        m_phase = Phase::Final;
    }
    if (!nextFinal())
        nextCheck();
}

bool Tuner::nextChoice()
{
    while (m_axis < m_axes.size()) {
        const std::size_t axis = m_axis++;
        std::vector<std::size_t> challengers = challengersOf(axis);
        challengers.resize(std::min(challengers.size(), cellsLeft()));
        if (challengers.empty())
            continue;
        race(m_axes[axis], challengers);
        return true;
    }
    return false;
}

bool Tuner::nextCombination()
{
    std::vector<TunerModel::Observation> observations;
    for (std::size_t cell = 0; cell < m_cells.size(); ++cell)
        if (std::isfinite(m_values[cell]))
            observations.push_back(
                {cell, m_values[cell],
                 2 * m_noise.variance() / static_cast<double>(std::max<std::size_t>(1, m_rounds[cell]))});
    m_model.fit(observations);
    std::vector<std::pair<double, std::size_t>> expected;
    for (std::size_t cell = 0; cell < m_cells.size(); ++cell)
        if (!m_tried[cell])
            if (const double gain = m_model.expectedImprovement(cell, m_values[m_best]); gain >= kMinExpected)
                expected.emplace_back(-gain, cell);
    std::sort(expected.begin(), expected.end());
    std::vector<std::size_t> challengers;
    for (std::size_t i = 0; i < std::min({expected.size(), kCombinationsARace, cellsLeft()}); ++i)
        challengers.push_back(expected[i].second);
    if (challengers.empty()) {
        m_reason = expected.empty() ? "Nothing that was not tried is expected to be better."
                                    : "The number of cells to try is used.";
        return false;
    }
    race("combination", challengers);
    return true;
}

/// The best cell and those that are not shown to be worse than it, the best ones first.
std::vector<std::size_t> Tuner::finalists() const
{
    const double reach = studentQuantile(TunerRace::Method().error, m_noise.degrees());
    std::vector<std::pair<double, std::size_t>> close;
    for (std::size_t cell = 0; cell < m_cells.size(); ++cell) {
        const double rounds = static_cast<double>(std::max<std::size_t>(1, m_rounds[cell]));
        const double behind = m_values[cell] - m_values[m_best];
        if (cell != m_best && m_failures[cell].empty() && behind <= reach * std::sqrt(2 * m_noise.variance() / rounds))
            close.emplace_back(behind, cell);
    }
    std::sort(close.begin(), close.end());
    std::vector<std::size_t> cells;
    for (const auto &[behind, cell] : close)
        if (cells.size() + 1 < kMaxFinalists)
            cells.push_back(cell);
    return cells;
}

bool Tuner::nextFinal()
{
    const std::vector<std::size_t> others = finalists();
    if (others.empty() || secondsLeft() < 2 * static_cast<double>(others.size() + 1) * stretchSeconds())
        return false;
    race("final", others);
    return true;
}

void Tuner::nextCheck()
{
    m_phase = Phase::Check;
    if (m_best == m_start)
        return end(m_reason);
    race("check", {m_best});
}

void Tuner::race(std::string what, const std::vector<std::size_t> &challengers)
{
    m_what = std::move(what);
    std::vector<std::size_t> cells{m_phase == Phase::Check ? m_start : m_best};
    cells.insert(cells.end(), challengers.begin(), challengers.end());
    for (const std::size_t cell : challengers) {
        m_measured += m_tried[cell] ? 0 : 1;
        m_tried[cell] = true;
    }
    m_race.emplace(std::move(cells), raceMethod());
}

TunerRace::Method Tuner::raceMethod() const
{
    TunerRace::Method method;
    method.direction = m_limits.method.direction;
    method.drops = m_phase != Phase::Check;
    method.mostRounds = m_phase == Phase::Check ? checkRounds() : m_limits.mostRounds;
    if (m_phase == Phase::Final) {
        method.mostRounds = kFinalRounds;
        method.closeEnough = kFinalCloseEnough;
        method.leaderWins = m_best != m_start; // The present choices are left only for what is shown to beat them.
    }
    return method;
}

// --- what happened

std::optional<std::size_t> Tuner::wanted() const
{
    return m_race ? m_race->wanted() : std::nullopt;
}

void Tuner::add(std::span<const double> batches, double seconds)
{
    if (!m_race)
        return;
    const double figure = figureOfBatches(batches);
    if (!(figure > 0) || !std::isfinite(figure))
        return failed("no frame was measured", seconds);
    m_seconds += std::max(0.0, seconds);
    ++m_stretches;
    m_race->add(figure, m_noise);
    if (!m_race->isOver() && secondsLeft() < stretchSeconds())
        m_race->stop();
    if (m_race->isOver())
        endRace();
}

void Tuner::failed(std::string_view why, double seconds)
{
    if (!m_race)
        return;
    m_seconds += std::max(0.0, seconds);
    const std::size_t cell = *m_race->wanted();
    m_failures[cell] = why.empty() ? "it could not run" : why;
    if (cell == m_start && m_steps.empty())
        return end("The present choices could not be measured: " + m_failures[cell]);
    m_race->failed();
    if (m_race->isOver())
        endRace();
}

void Tuner::stop(std::string_view why)
{
    if (!m_race)
        return;
    m_isStopped = true;
    m_race->stop();
    endRace();
    m_reason = why;
}

void Tuner::note(const TunerRace &race, std::size_t place, TunerStep &step)
{
    TunerTry tried;
    tried.cell = race.cells()[place];
    tried.stretches = race.stretchesOf(place);
    tried.dropped = !race.isAlive(place) && !race.hasFailed(place);
    tried.failure = race.hasFailed(place) ? m_failures[tried.cell] : std::string();
    tried.difference = race.compare(0, place, m_limits.method);
    const double sign = m_limits.method.direction == Direction::LowerIsBetter ? 1 : -1;
    if (const double value = m_values[step.champion] + sign * race.logRatio(0, place); std::isfinite(value)) {
        m_values[tried.cell] = value;
        m_rounds[tried.cell] = tried.stretches;
    }
    step.tries.push_back(std::move(tried));
}

/// What wins a race need not be shown to be the best: the leader of a final, or one of several that beat the champion.
bool Tuner::isShown(const TunerStep &step)
{
    bool isBetter = false;
    for (const TunerTry &tried : step.tries) {
        if (tried.cell == step.winner)
            isBetter = tried.difference.enough && tried.difference.verdict == Comparison::Better;
        else if (!tried.dropped && tried.failure.empty())
            return false;
    }
    return isBetter;
}

void Tuner::endRace()
{
    const TunerRace race = *m_race;
    ComparisonMethod method = m_limits.method;
    method.error /= static_cast<double>(race.cells().size() - 1);
    TunerStep step;
    step.what = m_what;
    step.champion = race.cells().front();
    // A final that was stopped does not take back what the races showed.
    step.winner = m_isStopped && m_phase == Phase::Final ? m_best : race.cells()[race.winner(m_noise, method.least)];
    for (std::size_t place = 1; place < race.cells().size(); ++place)
        note(race, place, step);
    if (m_phase == Phase::Check) {
        const Difference &difference = step.tries.front().difference;
        if (difference.enough)
            m_improvement = difference;
        // An unfinished check does not take back what the races showed.
        if (difference.enough && difference.verdict != Comparison::Better)
            step.winner = m_start;
        else
            step.winner = m_best;
        if (step.winner == m_start)
            m_improvement.reset();
    }
    m_best = step.winner;
    step.isShown = isShown(step);
    m_steps.push_back(std::move(step));
    if (m_isStopped || m_phase == Phase::Check)
        return end(m_reason);
    if (m_phase == Phase::Final) {
        const std::string left = std::to_string(race.aliveCells()) + " combinations";
        if (race.aliveCells() > 1 && !race.isCloseEnough(m_noise))
            m_reason = race.rounds() < kFinalRounds
                ? "The time was used before the last " + left + " were told apart."
                : "The last " + left + " are not told apart by " + std::to_string(kFinalRounds) + " rounds.";
        return nextCheck();
    }
    nextRace();
}

void Tuner::end(std::string_view why)
{
    const std::string text(why);
    m_race.reset();
    m_reason = text;
}

double Tuner::progress() const
{
    if (isOver())
        return 1;
    const double time = m_limits.seconds > 0 ? m_seconds / m_limits.seconds : 1;
    const double cells = static_cast<double>(m_measured) / static_cast<double>(m_limits.mostCells + 1);
    return std::clamp(std::max(time, cells), 0.0, 0.99);
}

} // namespace jetscope
