// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/sightingline.h"

#include "core/enumtable.h"
#include "core/text/parsenumber.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace jetscope {

namespace {

constexpr std::string_view kSeen = "seen";
constexpr std::string_view kFinished = "finished";
constexpr std::string_view kShown = "shown";
/// Two hundred years; sums of a few such times do not overflow.
constexpr std::int64_t kFarthestNs = std::int64_t{1} << 61;
constexpr double kCellScale = 1000; ///< Cells are told in thousandths.

/// Nothing if there are more words than a line can have.
std::vector<std::string_view> wordsOf(std::string_view line)
{
    constexpr std::size_t kMostWords = 6 + std::tuple_size_v<ClockCells>;
    std::vector<std::string_view> words;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
        if (words.size() > kMostWords)
            return {};
    }
    return words;
}

std::optional<std::int64_t> timeIn(std::string_view word)
{
    return parseNumber<std::int64_t>(word, -kFarthestNs, kFarthestNs);
}

bool hasCells(ClockSight sight)
{
    return sight == ClockSight::Read || sight == ClockSight::Changing;
}

bool takeCells(const std::vector<std::string_view> &words, std::size_t from, ClockCells &cells)
{
    if (words.size() != from + cells.size())
        return false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto value =
            parseNumber<int>(words[from + i], -static_cast<int>(kCellScale), static_cast<int>(kCellScale));
        if (!value)
            return false;
        cells[i] = static_cast<float>(*value / kCellScale);
    }
    return true;
}

} // namespace

std::string lineOf(const FrameSighting &sighting)
{
    std::string line = std::string(kSeen) + " " + std::to_string(sighting.number) + " "
        + std::to_string(sighting.stampNs) + " " + std::to_string(sighting.arrivedNs) + " "
        + std::to_string(static_cast<int>(sighting.clock.sight)) + " " + std::to_string(sighting.clock.ms);
    if (hasCells(sighting.clock.sight))
        for (const float cell : sighting.clock.cells)
            line.append(" ").append(
                std::to_string(std::lround(std::clamp(static_cast<double>(cell), -1.0, 1.0) * kCellScale)));
    return line;
}

std::string lineOf(const FinishedFrame &frame)
{
    return std::string(kFinished) + " " + std::to_string(frame.number) + " " + std::to_string(frame.startNs) + " "
        + std::to_string(frame.completeNs);
}

std::string lineOf(const ClockUpdate &update)
{
    return std::string(kShown) + " " + std::to_string(update.ms) + " " + std::to_string(update.shownNs);
}

std::optional<FrameSighting> sightingIn(std::string_view line)
{
    const std::vector<std::string_view> words = wordsOf(line);
    if (words.size() < 6 || words[0] != kSeen)
        return std::nullopt;
    const auto number = parseNumber<std::uint64_t>(words[1]);
    const auto stamp = timeIn(words[2]);
    const auto arrived = timeIn(words[3]);
    const auto sight = parseNumber<int>(words[4], 0, static_cast<int>(enumCount<ClockSight>()) - 1);
    const auto ms = parseNumber<int>(words[5], 0, kClockMs - 1);
    if (!number || !stamp || !arrived || !sight || !ms)
        return std::nullopt;
    FrameSighting sighting{*number, *stamp, *arrived, {static_cast<ClockSight>(*sight), *ms, {}}};
    const bool isWhole = hasCells(sighting.clock.sight) ? takeCells(words, 6, sighting.clock.cells) : words.size() == 6;
    return isWhole ? std::optional(sighting) : std::nullopt;
}

std::optional<FinishedFrame> finishedIn(std::string_view line)
{
    const std::vector<std::string_view> words = wordsOf(line);
    if (words.size() != 4 || words[0] != kFinished)
        return std::nullopt;
    const auto number = parseNumber<std::uint64_t>(words[1]);
    const auto start = timeIn(words[2]);
    const auto complete = timeIn(words[3]);
    if (!number || !start || !complete || *complete < *start)
        return std::nullopt;
    return FinishedFrame{*number, *start, *complete};
}

std::optional<ClockUpdate> updateIn(std::string_view line)
{
    const std::vector<std::string_view> words = wordsOf(line);
    if (words.size() != 3 || words[0] != kShown)
        return std::nullopt;
    const auto ms = parseNumber<int>(words[1], -1, kClockMs - 1);
    const auto shown = timeIn(words[2]);
    return ms && shown ? std::optional(ClockUpdate{*ms, *shown}) : std::nullopt;
}

FrameFigures figuresOf(const FinishedFrame &frame, std::int64_t stampNs)
{
    FrameFigures figures;
    figures.startNs = frame.startNs;
    figures.frameNs = frame.completeNs - frame.startNs;
    figures.latencyNs = frame.completeNs - stampNs;
    return figures;
}

} // namespace jetscope
