// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/sweepprogress.h"

#include "app/commandline/console.h"
#include "app/commandline/textlayout.h"

#include <QJsonValue>

#include <algorithm>
#include <optional>

namespace jetscope {

namespace {

/// Fewer stretches say little about the time of the others: the first ones of a process are slow.
constexpr std::size_t kStretchesToExpect = 8;

std::string progressText(const SweepSchedule &schedule)
{
    std::string text = "round " + std::to_string(std::min(schedule.completeRounds() + 1, schedule.rounds())) + " of "
        + std::to_string(schedule.rounds()) + " · " + std::to_string(schedule.remainingStretches())
        + " stretches to go";
    if (const auto ns = schedule.remainingNs())
        text += " · about " + clockText(*ns);
    return text;
}

QJsonValue secondsJson(const std::optional<std::int64_t> &ns)
{
    return ns ? QJsonValue(static_cast<double>(*ns) / 1e9) : QJsonValue(QJsonValue::Null);
}

QJsonObject progressJson(const SweepSchedule &schedule)
{
    return {{"progress", schedule.progress()},
            {"round", static_cast<qint64>(std::min(schedule.completeRounds() + 1, schedule.rounds()))},
            {"rounds", static_cast<qint64>(schedule.rounds())},
            {"stretches_left", static_cast<qint64>(schedule.remainingStretches())},
            {"seconds_left", secondsJson(schedule.remainingNs())},
            {"seconds_needed", schedule.exceedsBudget() ? secondsJson(schedule.leastNs()) : QJsonValue::Null}};
}

} // namespace

void SweepProgress::show(const Sweep &sweep, std::int64_t nowNs)
{
    const SweepSchedule &schedule = sweep.schedule;
    m_line.show(schedule.progress(), progressText(schedule), nowNs);
    m_lines.show([&] { return progressJson(schedule); }, nowNs);
    checkTime(sweep);
}

void SweepProgress::checkTime(const Sweep &sweep)
{
    const SweepSchedule &schedule = sweep.schedule;
    if (m_saidTime || !m_options.seconds)
        return;
    const std::size_t cells = sweep.plan.cells.size();
    const std::size_t planned = schedule.remainingCells() * schedule.rounds();
    const std::size_t measured = planned - std::min(planned, schedule.remainingStretches());
    if (measured < std::min(cells, kStretchesToExpect) || !schedule.exceedsBudget())
        return;
    m_saidTime = true;
    m_line.clear();
    complain(
        "--time " + std::to_string(*m_options.seconds)
        + " is too short: " + counted(std::min(kFewestRounds, schedule.rounds()), "round") + " over "
        + counted(cells, "combination") + " are expected to take about " + clockText(schedule.leastNs().value_or(0))
        + ". They are measured all the same, because a verdict needs them; Ctrl-C ends the sweep, and fewer values "
          "of the choices take less time");
}

} // namespace jetscope
