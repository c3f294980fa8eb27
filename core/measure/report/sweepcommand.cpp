// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/sweepreport.h"

#include "core/measure/report/reporttext.h"
#include "core/settings/settingtable.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace jetscope {

namespace {

/// The option with the values that the cells have, measured or left out, in the order of their first appearance.
class Values {
public:
    explicit Values(const StoredSweep &sweep) : m_plan(sweep.plan) {}

    template <class Text>
    std::vector<std::string> of(Text text) const
    {
        std::vector<std::string> values;
        const auto add = [&](const SweepCell &cell) {
            std::string value = text(cell);
            if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end())
                values.push_back(std::move(value));
        };
        for (const SweepCell &cell : m_plan.cells)
            add(cell);
        for (const LeftOutCell &leftOut : m_plan.leftOut)
            add(leftOut.cell);
        return values;
    }

private:
    const SweepPlan &m_plan;
};

/// "all" does not measure unsafe values, so they were named if one was measured.
std::string listOf(const SettingRow &row, const Values &values, bool unsafe)
{
    const bool isChain = row.kind == SettingRow::Kind::Names;
    const std::vector<std::string> list = values.of([&](const SweepCell &cell) { return row.text(cell.config, "+"); });
    const bool canBeAll = row.kind == SettingRow::Kind::Name && row.isSwept() && !unsafe;
    return canBeAll && list.size() == row.values().size() && list.size() > 1 ? "all"
                                                                             : joined(list, isChain ? "/" : ",");
}

// A text of the file that would run code is not offered for copying: the reader puts it there who knows it.

std::string sourceWord(const std::string &source)
{
    std::string scheme = source.substr(0, 4);
    std::transform(scheme.begin(), scheme.end(), scheme.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return shellWord(scheme == "gst:" ? "gst:(the pipeline that the file names, if you trust it)" : source);
}

std::string settingWord(const SettingRow &row, const std::string &value)
{
    const bool isCode = row.kind == SettingRow::Kind::Names && value.find(':') != std::string::npos;
    return shellWord(isCode ? "(the stages that the file names, if you trust them)" : value);
}

std::size_t roundsOf(const StoredSweep &sweep)
{
    std::size_t rounds = 4;
    for (std::size_t cell = 0; cell < sweep.plan.cells.size(); ++cell)
        rounds = std::max(rounds, sweep.result.roundsOf(cell));
    return rounds;
}

} // namespace

std::string sweepCommandOf(const StoredSweep &sweep, const DeviceFacts &facts)
{
    const Values values(sweep);
    const PipelineConfig usual;
    const bool unsafe = std::any_of(sweep.plan.cells.begin(), sweep.plan.cells.end(), [&](const SweepCell &cell) {
        return availability(cell.config, facts).level == Availability::Level::Unsafe;
    });
    std::string command = "jetscope sweep --source " + sourceWord(sweep.conditions.source) + " --device "
        + shellWord(sweep.conditions.deviceId);
    // What is not named would be open.
    for (const SettingRow &row : settingTable())
        if (const std::string list = listOf(row, values, unsafe);
            !list.empty() && (row.isOpen || list != row.text(usual, "+")))
            command += " --" + std::string(row.key) + " " + settingWord(row, list);
    const std::string sizes = joined(
        values.of([](const SweepCell &cell) { return cell.width == 0 ? std::string() : cell.size().text(); }), ",");
    if (!sizes.empty())
        command += " --sizes " + shellWord(sizes);
    if (sweep.conditions.paced)
        command += " --paced";
    return command + " --rounds " + std::to_string(roundsOf(sweep)) + " --seed " + std::to_string(sweep.conditions.seed)
        + " --out again.jscope";
}

std::string runCommandOf(const StoredSweep &sweep, std::size_t cell)
{
    const PipelineConfig &config = sweep.plan.cells[cell].config;
    std::string command = "jetscope run --source " + sourceWord(sweep.conditions.source) + " --device "
        + shellWord(sweep.conditions.deviceId);
    for (const SettingRow &row : settingTable())
        if (const std::string value = row.text(config); row.isSwept() || value != row.text(PipelineConfig()))
            command += " --" + std::string(row.key) + " " + settingWord(row, value);
    return command;
}

} // namespace jetscope
