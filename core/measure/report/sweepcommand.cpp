// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/sweepcommand.h"

#include "core/measure/report/reporttext.h"

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

std::string joined(const std::vector<std::string> &values, const char *separator)
{
    std::string text;
    for (const std::string &value : values)
        text += (text.empty() ? "" : separator) + value;
    return text;
}

/// "all" does not measure unsafe values, so they were named if one was measured.
template <auto member>
std::string listOf(const Values &values, bool unsafe)
{
    using Value = std::remove_cvref_t<decltype(std::declval<PipelineConfig>().*member)>;
    const std::vector<std::string> list =
        values.of([](const SweepCell &cell) { return std::string(nameOf(cell.config.*member)); });
    return !unsafe && list.size() == choices<Value>().size() && list.size() > 1 ? "all" : joined(list, ",");
}

template <auto member>
std::string numbersOf(const Values &values)
{
    return joined(values.of([](const SweepCell &cell) { return std::to_string(cell.config.*member); }), ",");
}

// A text of the file that would run code is not offered for copying: the reader puts it there who knows it.

std::string sourceWord(const std::string &source)
{
    std::string scheme = source.substr(0, 4);
    std::transform(scheme.begin(), scheme.end(), scheme.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return shellWord(scheme == "gst:" ? "gst:(the pipeline that the file names, if you trust it)" : source);
}

std::string filtersWord(const std::string &names)
{
    return shellWord(names.find(':') != std::string::npos ? "(the stages that the file names, if you trust them)"
                                                          : names);
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
    const auto add = [&](const char *option, const std::string &list, const std::string &unless = {}) {
        if (!list.empty() && list != unless)
            command += std::string(" ") + option + " "
                + (option == std::string_view("--filters") ? filtersWord(list) : shellWord(list));
    };
    add("--memory", listOf<&PipelineConfig::memory>(values, unsafe));
    add("--output", listOf<&PipelineConfig::output>(values, unsafe));
    add("--sync", listOf<&PipelineConfig::sync>(values, unsafe));
    add("--wait", listOf<&PipelineConfig::wait>(values, unsafe), std::string(nameOf(usual.wait)));
    add("--cpu-stage", listOf<&PipelineConfig::cpuStage>(values, unsafe), std::string(nameOf(usual.cpuStage)));
    add("--cpu-work", listOf<&PipelineConfig::cpuWork>(values, true), std::string(nameOf(usual.cpuWork)));
    add("--filters",
        joined(values.of([](const SweepCell &cell) { return filterNames(cell.config.filters, "+"); }), "/"),
        filterNames(usual.filters, "+"));
    add("--frames-in-flight", numbersOf<&PipelineConfig::framesInFlight>(values), std::to_string(usual.framesInFlight));
    add("--streams", numbersOf<&PipelineConfig::streams>(values), std::to_string(usual.streams));
    add("--gpu-time", listOf<&PipelineConfig::gpuTime>(values, true), std::string(nameOf(usual.gpuTime)));
    add("--sizes",
        joined(values.of([](const SweepCell &cell) {
            return cell.width == 0 ? std::string() : std::to_string(cell.width) + "x" + std::to_string(cell.height);
        }),
               ","));
    if (sweep.conditions.paced)
        command += " --paced";
    return command + " --rounds " + std::to_string(roundsOf(sweep)) + " --seed " + std::to_string(sweep.conditions.seed)
        + " --out again.jscope";
}

std::string runCommandOf(const StoredSweep &sweep, std::size_t cell)
{
    const PipelineConfig &config = sweep.plan.cells[cell].config;
    return "jetscope run --source " + sourceWord(sweep.conditions.source) + " --device "
        + shellWord(sweep.conditions.deviceId) + " --memory " + std::string(nameOf(config.memory)) + " --output "
        + std::string(nameOf(config.output)) + " --sync " + std::string(nameOf(config.sync)) + " --wait "
        + std::string(nameOf(config.wait)) + " --cpu-stage " + std::string(nameOf(config.cpuStage)) + " --filters "
        + filtersWord(filterNames(config.filters)) + " --frames-in-flight " + std::to_string(config.framesInFlight)
        + " --streams " + std::to_string(config.streams);
}

} // namespace jetscope
