// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/sweepprogress.h"

#include "app/commandline/console.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"

#include <algorithm>
#include <optional>

namespace jetscope {

namespace {

/// Fewer stretches say little about the time of the others: the first ones of a process are slow.
constexpr std::size_t kStretchesToExpect = 8;

std::string progressText(const Turns &turns)
{
    std::string text = "round " + std::to_string(std::min(turns.completeRounds() + 1, turns.rounds())) + " of "
        + std::to_string(turns.rounds()) + " · " + std::to_string(turns.remainingTurns()) + " stretches to go";
    if (const auto ns = turns.remainingNs())
        text += " · about " + clockText(*ns);
    return text;
}

JsonValue secondsJson(const std::optional<std::int64_t> &ns)
{
    return ns ? JsonValue(static_cast<double>(*ns) / 1e9) : JsonValue();
}

JsonObject progressJson(const Turns &turns)
{
    return {{"progress", turns.progress()},
            {"round", std::min(turns.completeRounds() + 1, turns.rounds())},
            {"rounds", turns.rounds()},
            {"stretches_left", turns.remainingTurns()},
            {"seconds_left", secondsJson(turns.remainingNs())},
            {"seconds_needed", turns.exceedsBudget() ? secondsJson(turns.leastNs()) : JsonValue()}};
}

} // namespace

void SweepProgress::show(const Sweep &sweep, std::int64_t nowNs)
{
    const Turns &turns = sweep.turns;
    m_line.show(turns.progress(), progressText(turns), nowNs);
    m_lines.show([&] { return progressJson(turns); }, nowNs);
    checkTime(sweep);
}

void SweepProgress::checkTime(const Sweep &sweep)
{
    const Turns &turns = sweep.turns;
    if (m_saidTime || !m_options.seconds)
        return;
    const std::size_t cells = sweep.plan.cells.size();
    const std::size_t planned = turns.remainingCells() * turns.rounds();
    const std::size_t measured = planned - std::min(planned, turns.remainingTurns());
    if (measured < std::min(cells, kStretchesToExpect) || !turns.exceedsBudget())
        return;
    m_saidTime = true;
    m_line.clear();
    complain(
        "--time " + std::to_string(*m_options.seconds)
        + " is too short: " + counted(std::min(kMinRounds, turns.rounds()), "round") + " over "
        + counted(cells, "combination") + " are expected to take about " + clockText(turns.leastNs().value_or(0))
        + ". They are measured all the same, because a verdict needs them; Ctrl-C ends the sweep, and fewer values "
          "of the choices take less time");
}

} // namespace jetscope
