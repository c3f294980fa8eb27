// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/pipelineconfig.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace jetscope {

std::string quotedValue(std::string_view value)
{
    constexpr std::size_t kMost = 40;
    std::string out = "'";
    for (const char c : value.substr(0, kMost))
        out += c >= ' ' && c <= '~' ? c : '?';
    return out + (value.size() > kMost ? "…'" : "'");
}

namespace {

Error wrongValue(std::string_view key, const std::string &legal, std::string_view value)
{
    return {{}, 0, std::string(key) + " must be " + legal + ", not " + quotedValue(value) + "."};
}

template <class T>
Status setChoice(T &target, std::string_view key, std::string_view value)
{
    const std::optional<T> parsed = choiceByName<T>(value);
    if (!parsed)
        return wrongValue(key, namesOf<T>(), value);
    target = *parsed;
    return {};
}

Status setCount(int &target, std::string_view key, std::string_view value, int most)
{
    int parsed = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (error != std::errc{} || end != value.data() + value.size() || parsed < 1 || parsed > most)
        return wrongValue(key, "a number from 1 to " + std::to_string(most), value);
    target = parsed;
    return {};
}

Status setFilters(std::vector<Filter> &target, std::string_view value)
{
    if (value == "none") {
        target.clear();
        return {};
    }
    std::vector<Filter> parsed;
    for (std::size_t at = 0; at <= value.size();) {
        const std::size_t end = std::min(value.find_first_of("+,", at), value.size());
        const std::string_view name = value.substr(at, end - at);
        const std::optional<Filter> filter = choiceByName<Filter>(name);
        if (!filter && name.find(':') != std::string_view::npos)
            return Error{{},
                         0,
                         "filters: the stage " + quotedValue(name)
                             + " is not loaded; only what --filters or --at names at the start is."};
        if (!filter)
            return wrongValue("filters", "none or a list of " + namesOf<Filter>() + " joined by ','", name);
        if (parsed.size() == std::size_t{kMaxFilters})
            return Error{{}, 0, "filters may list at most " + std::to_string(kMaxFilters) + " filters."};
        parsed.push_back(*filter);
        at = end + 1;
    }
    target = std::move(parsed);
    return {};
}

/// All settings of a configuration as pairs of name and command-line value, in a fixed order.
std::vector<std::pair<std::string_view, std::string>> settingsOf(const PipelineConfig &config)
{
    return {{"memory", std::string(nameOf(config.memory))},
            {"output", std::string(nameOf(config.output))},
            {"sync", std::string(nameOf(config.sync))},
            {"wait", std::string(nameOf(config.wait))},
            {"cpu-stage", std::string(nameOf(config.cpuStage))},
            {"cpu-work", std::string(nameOf(config.cpuWork))},
            {"filters", filterNames(config.filters, "+")},
            {"frames-in-flight", std::to_string(config.framesInFlight)},
            {"streams", std::to_string(config.streams)},
            {"gpu-time", std::string(nameOf(config.gpuTime))}};
}

} // namespace

std::vector<Filter> defaultFilters()
{
    return {Filter::Gaussian5, Filter::Sobel};
}

Status applySetting(PipelineConfig &config, std::string_view key, std::string_view value)
{
    if (key == "memory")
        return setChoice(config.memory, key, value);
    if (key == "output")
        return setChoice(config.output, key, value);
    if (key == "sync")
        return setChoice(config.sync, key, value);
    if (key == "wait")
        return setChoice(config.wait, key, value);
    if (key == "cpu-stage")
        return setChoice(config.cpuStage, key, value);
    if (key == "cpu-work")
        return setChoice(config.cpuWork, key, value);
    if (key == "filters")
        return setFilters(config.filters, value);
    if (key == "frames-in-flight")
        return setCount(config.framesInFlight, key, value, kMaxFramesInFlight);
    if (key == "streams")
        return setCount(config.streams, key, value, kMaxStreams);
    if (key == "gpu-time")
        return setChoice(config.gpuTime, key, value);
    return Error{{},
                 0,
                 "A setting must be one of memory, output, sync, wait, cpu-stage, cpu-work, filters, "
                 "frames-in-flight, streams or gpu-time, not "
                     + quotedValue(key) + "."};
}

std::string filterNames(const std::vector<Filter> &filters, std::string_view separator)
{
    if (filters.empty())
        return "none";
    std::string names;
    for (const Filter filter : filters) {
        if (!names.empty())
            names += separator;
        names += nameOf(filter);
    }
    return names;
}

std::string describeChange(const PipelineConfig &from, const PipelineConfig &to)
{
    std::string changes;
    const auto before = settingsOf(from);
    const auto after = settingsOf(to);
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i].second == after[i].second)
            continue;
        if (!changes.empty())
            changes += ", ";
        changes.append(before[i].first).append(": ").append(before[i].second).append(" → ").append(after[i].second);
    }
    return changes;
}

} // namespace jetscope
