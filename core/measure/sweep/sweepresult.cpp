// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/sweepresult.h"

#include "core/figures/averages.h"
#include "core/measure/method/turns.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

/// A cell within this much of the best one need not be told from it.
constexpr double kCloseEnough = 0.03;

/// One figure for each batch of frames: `figure(values)` of the values that `get` knows. An incomplete last batch is
/// dropped unless it is the only one.
std::vector<double> batchesOf(std::span<const FrameFigures> frames, const FigureRow &row, std::size_t batch,
                              double (*sum)(std::span<const double>))
{
    std::vector<double> values;
    for (const FrameFigures &frame : frames)
        if (const std::optional<double> value = row.ofFrame(frame))
            values.push_back(*value);
    if (values.empty())
        return {};
    const std::size_t length = std::clamp<std::size_t>(batch, 1, values.size());
    std::vector<double> figures;
    for (std::size_t at = 0; at + length <= values.size(); at += length)
        figures.push_back(sum(std::span(values).subspan(at, length)));
    return figures;
}

double medianOfBatch(std::span<const double> values)
{
    return medianOf({values.begin(), values.end()});
}

double highestOfBatch(std::span<const double> values)
{
    return percentileOfUnsorted({values.begin(), values.end()}, 0.99);
}

std::vector<double> single(std::optional<double> value)
{
    return value && std::isfinite(*value) ? std::vector<double>{*value} : std::vector<double>{};
}

/// The number of this look, from 1 on; 0 if there is none after this many rounds: 4, 6, 8, 12, 16, 24, 32, …
int lookAfter(std::size_t rounds)
{
    int look = 1;
    for (std::size_t at = kMinRounds; at <= rounds; at *= 2, look += 2) {
        if (rounds == at)
            return look;
        if (rounds == at + at / 2)
            return look + 1;
    }
    return 0;
}

} // namespace

StretchFigures figuresOfStretch(std::span<const FrameFigures> frames, const StretchExtras &extras,
                                const StatisticsMethod &method)
{
    StretchFigures stretch;
    const auto used = frames.size() > method.warmUp ? frames.subspan(method.warmUp) : frames;
    if (used.empty())
        return stretch;
    StatisticsMethod rest = method;
    rest.warmUp = 0;
    const RunFigures run = summariseFrames(used, rest);
    stretch.pooled = run.pooled;
    for (const FigureRow &row : figureTable()) {
        std::vector<double> &batches = stretch.batches[static_cast<std::size_t>(row.figure)];
        if (row.sum == FigureSum::Pooled)
            batches = single(readingOf(run, row.figure).value);
        else if (row.sum != FigureSum::Other && (row.compared || !row.column.empty()))
            batches = row.sum == FigureSum::Highest99
                ? batchesOf(used, row, used.size(), highestOfBatch)
                : batchesOf(used, row, method.batch, row.sum == FigureSum::Mean ? meanOf : medianOfBatch);
    }
    stretch.batches[static_cast<std::size_t>(Figure::CpuUse)] = single(extras.cpuUse);
    stretch.batches[static_cast<std::size_t>(Figure::Energy)] = single(extras.energyMj);
    for (const FrameFigures &frame : used) {
        if (const auto ms = rowOf(Figure::FrameP50).ofFrame(frame))
            stretch.frameMs.push_back(static_cast<float>(*ms));
        if (const auto ms = rowOf(Figure::Latency).ofFrame(frame))
            stretch.latencyMs.push_back(static_cast<float>(*ms));
    }
    return stretch;
}

void SweepResult::add(std::size_t cell, std::size_t round, StretchFigures figures)
{
    constexpr std::size_t kMaxRounds = 100'000; // A damaged file must not cost memory.
    if (cell >= m_cells.size() || round >= kMaxRounds)
        return;
    std::vector<Stretch> &rounds = m_cells[cell].rounds;
    if (rounds.size() <= round)
        rounds.resize(round + 1);
    rounds[round] = {true, std::move(figures)};
}

void SweepResult::fail(std::size_t cell, std::string reason)
{
    if (cell < m_cells.size())
        m_cells[cell].failure = reason.empty() ? "The cell failed." : std::move(reason);
}

std::size_t SweepResult::roundsOf(std::size_t cell) const
{
    const std::vector<Stretch> &rounds = m_cells.at(cell).rounds;
    return static_cast<std::size_t>(
        std::count_if(rounds.begin(), rounds.end(), [](const Stretch &stretch) { return stretch.known; }));
}

std::size_t SweepResult::completeRounds() const
{
    std::optional<std::size_t> fewest;
    for (std::size_t cell = 0; cell < m_cells.size(); ++cell)
        if (m_cells[cell].failure.empty())
            fewest = std::min(fewest.value_or(roundsOf(cell)), roundsOf(cell));
    return fewest.value_or(0);
}

std::vector<double> SweepResult::roundFigures(std::size_t cell, Figure metric) const
{
    std::vector<double> figures;
    for (const Stretch &stretch : m_cells.at(cell).rounds)
        figures.push_back(figureOfBatches(stretch.figures.batches[static_cast<std::size_t>(metric)]));
    return figures;
}

std::vector<double> SweepResult::framesOf(std::size_t cell, std::vector<float> StretchFigures::*values) const
{
    std::vector<double> all;
    for (const Stretch &stretch : m_cells.at(cell).rounds)
        all.insert(all.end(), (stretch.figures.*values).begin(), (stretch.figures.*values).end());
    return all;
}

std::optional<Summary> SweepResult::summary(std::size_t cell, Figure metric) const
{
    StatisticsMethod each; // Every value is the figure of a round or batch already.
    each.warmUp = 0;
    each.batch = 1;
    std::optional<Summary> summary = summarise(roundFigures(cell, metric), each);
    if (!summary)
        return summary;
    std::vector<double> all;
    if (metric == Figure::FrameP50 || metric == Figure::FrameP99)
        all = framesOf(cell, &StretchFigures::frameMs);
    else if (metric == Figure::Latency)
        all = framesOf(cell, &StretchFigures::latencyMs);
    else
        for (const Stretch &stretch : m_cells[cell].rounds) {
            const std::vector<double> &batches = stretch.figures.batches[static_cast<std::size_t>(metric)];
            all.insert(all.end(), batches.begin(), batches.end());
        }
    summary->samples = all.size();
    std::sort(all.begin(), all.end());
    if (!all.empty())
        summary->percentiles = {percentileOf(all, 0.50), percentileOf(all, 0.95), percentileOf(all, 0.99)};
    return summary;
}

std::optional<double> SweepResult::central(std::size_t cell, Figure metric) const
{
    const std::optional<Summary> found = summary(cell, metric);
    return found ? std::optional(found->central) : std::nullopt;
}

FrameDistribution SweepResult::distribution(std::size_t cell) const
{
    return distributionOf(framesOf(cell, &StretchFigures::frameMs));
}

Overlap SweepResult::pooledOverlap(std::size_t cell) const
{
    Overlap pooled;
    for (const Stretch &stretch : m_cells.at(cell).rounds)
        pooled += stretch.figures.pooled;
    return pooled;
}

Difference SweepResult::compare(std::size_t a, std::size_t b, Figure metric) const
{
    std::vector<std::vector<double>> figures = rankedFigures(metric);
    figures.at(a) = roundFigures(a, metric); // Also of a cell that failed later.
    figures.at(b) = roundFigures(b, metric);
    return CellComparison(figures, methodOf(metric)).compare(a, b);
}

/// Without the figures of cells that failed.
std::vector<std::vector<double>> SweepResult::rankedFigures(Figure metric) const
{
    std::vector<std::vector<double>> figures(m_cells.size());
    for (std::size_t cell = 0; cell < m_cells.size(); ++cell)
        if (m_cells[cell].failure.empty())
            figures[cell] = roundFigures(cell, metric);
    return figures;
}

Ranking SweepResult::ranking(Figure metric) const
{
    const std::vector<std::vector<double>> figures = rankedFigures(metric);
    return rankCells(figures, methodOf(metric));
}

bool SweepResult::isSettled(Figure metric, std::span<const std::size_t> works) const
{
    std::size_t rounds = 0;
    for (std::size_t cell = 0; cell < m_cells.size(); ++cell)
        if (m_cells[cell].failure.empty())
            rounds = std::max(rounds, roundsOf(cell));
    const int look = lookAfter(rounds);
    if (look == 0)
        return false;
    const std::vector<std::vector<double>> all = rankedFigures(metric);
    if (works.empty())
        return isSettled(all, metric, look);
    for (std::size_t work = 0; work <= *std::max_element(works.begin(), works.end()); ++work) {
        std::vector<std::vector<double>> figures(all.size());
        bool isThere = false;
        for (std::size_t cell = 0; cell < all.size(); ++cell)
            if (works[cell] == work && m_cells[cell].failure.empty()) {
                figures[cell] = all[cell];
                isThere = true;
            }
        if (isThere && !isSettled(figures, metric, look))
            return false;
    }
    return true;
}

bool SweepResult::isSettled(const std::vector<std::vector<double>> &figures, Figure metric, int look)
{
    const ComparisonMethod method = methodOf(metric);
    const CellComparison comparison(figures, method);
    const Ranking ranking = comparison.ranking(std::ldexp(method.error, -look));
    return !ranking.ties.empty() && std::all_of(ranking.ties.begin(), ranking.ties.end(), [&](std::size_t cell) {
        if (cell == ranking.best)
            return true;
        const Estimate ratio = comparison.compare(ranking.best, cell).ratio;
        return method.direction == Direction::LowerIsBetter ? ratio.atMost < 1 + kCloseEnough
                                                            : ratio.atLeast > 1 - kCloseEnough;
    });
}

} // namespace jetscope
