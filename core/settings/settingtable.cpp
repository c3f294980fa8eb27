// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/settingtable.h"

#include "core/text/parsenumber.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jetscope {

namespace {

Error wrongValue(const SettingRow &row, const std::string &legal, std::string_view value)
{
    return sentence(std::string(row.key) + " must be " + legal + ", not " + quotedValue(value) + ".");
}

/// "a, b or c"
std::string listed(const std::vector<std::string> &words, std::string_view last)
{
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0)
            out += i + 1 == words.size() ? last : ", ";
        out += words[i];
    }
    return out;
}

template <class T>
std::vector<SettingValue> valuesOfChoice(const SettingRow &)
{
    std::vector<SettingValue> values;
    for (const Choice<T> &choice : choices<T>())
        values.push_back({std::string(choice.name), std::string(choice.label), std::string(choice.help)});
    return values;
}

template <auto member>
using MemberType = std::remove_cvref_t<decltype(std::declval<PipelineConfig>().*member)>;

template <auto member>
void copyMember(const PipelineConfig &from, PipelineConfig &to)
{
    to.*member = from.*member;
}

template <auto member>
Availability availabilityOfMember(const SettingRow &, const PipelineConfig &config, const DeviceFacts &facts)
{
    return availability(config.*member, config, facts);
}

/// A setting with one of the values of a choice.
template <auto member>
constexpr SettingRow choiceRow(SettingRow row)
{
    using Value = MemberType<member>;
    row.kind = SettingRow::Kind::Name;
    row.all = valuesOfChoice<Value>;
    row.copy = copyMember<member>;
    row.get = [](const SettingRow &, const PipelineConfig &config, std::string_view) {
        return std::string(nameOf(config.*member));
    };
    row.assign = [](const SettingRow &self, PipelineConfig &config, std::string_view value) -> Status {
        const std::optional<Value> parsed = choiceByName<Value>(value);
        if (!parsed)
            return wrongValue(self, self.valueNames(), value);
        config.*member = *parsed;
        return {};
    };
    return row;
}

/// The same, where not every device has every value.
template <auto member>
constexpr SettingRow judgedRow(SettingRow row)
{
    row.judge = availabilityOfMember<member>;
    return choiceRow<member>(row);
}

template <auto member>
Availability availabilityOfCount(const SettingRow &row, const PipelineConfig &config, const DeviceFacts &)
{
    const int count = config.*member;
    if (count >= 1 && count <= row.most)
        return {};
    return {Availability::Level::Unavailable,
            std::string(row.key) + " must be 1 to " + std::to_string(row.most) + ", not " + std::to_string(count)
                + "."};
}

std::vector<SettingValue> valuesOfCount(const SettingRow &row)
{
    std::vector<SettingValue> values;
    for (int count = 1; count <= row.most; ++count)
        values.push_back({std::to_string(count), {}, {}});
    return values;
}

/// A setting that is a number from 1 to `most`.
template <auto member, int most>
constexpr SettingRow countRow(SettingRow row)
{
    row.kind = SettingRow::Kind::Count;
    row.most = most;
    row.all = valuesOfCount;
    row.copy = copyMember<member>;
    row.get = [](const SettingRow &, const PipelineConfig &config, std::string_view) {
        return std::to_string(config.*member);
    };
    row.assign = [](const SettingRow &self, PipelineConfig &config, std::string_view value) -> Status {
        const std::optional<int> parsed = parseNumber<int>(value, 1, self.most);
        if (!parsed)
            return wrongValue(self, "a number from 1 to " + std::to_string(self.most), value);
        config.*member = *parsed;
        return {};
    };
    row.judge = availabilityOfCount<member>;
    return row;
}

Status setChain(const SettingRow &row, PipelineConfig &config, std::string_view value)
{
    std::vector<Filter> parsed;
    for (std::size_t at = 0; at <= value.size() && value != "none";) {
        const std::size_t end = std::min(value.find_first_of("+,", at), value.size());
        const std::string_view name = value.substr(at, end - at);
        const std::optional<Filter> filter = choiceByName<Filter>(name);
        if (!filter && name.find(':') != std::string_view::npos)
            return sentence("filters: the stage " + quotedValue(name)
                            + " is not loaded; only what --filters or --at names at the start is.");
        if (!filter)
            return wrongValue(row, "none or a list of " + row.valueNames() + " joined by ','", name);
        if (parsed.size() == static_cast<std::size_t>(row.most))
            return sentence("filters may list at most " + std::to_string(row.most) + " filters.");
        parsed.push_back(*filter);
        at = end + 1;
    }
    config.filters = std::move(parsed);
    return {};
}

Availability availabilityOfChain(const SettingRow &row, const PipelineConfig &config, const DeviceFacts &facts)
{
    if (config.filters.size() > static_cast<std::size_t>(row.most))
        return {Availability::Level::Unavailable,
                "A filter chain may have at most " + std::to_string(row.most) + " filters, not "
                    + std::to_string(config.filters.size()) + "."};
    for (const Filter filter : config.filters)
        if (Availability one = availability(filter, config, facts); !one.legal())
            return one;
    return {};
}

constexpr SettingRow chainRow(SettingRow row)
{
    row.kind = SettingRow::Kind::Names;
    row.most = kMaxFilters;
    row.all = valuesOfChoice<Filter>;
    row.copy = copyMember<&PipelineConfig::filters>;
    row.get = [](const SettingRow &, const PipelineConfig &config, std::string_view joint) {
        return filterNames(config.filters, joint);
    };
    row.assign = setChain;
    row.judge = availabilityOfChain;
    return row;
}

std::string chainOf(const PipelineConfig &config)
{
    return filterNames(config.filters);
}

/// The placement of the CPU stage is a choice; whether it works at all, and on what, is work.
std::string cpuWorkOf(const PipelineConfig &config)
{
    return std::string(config.cpuStage == CpuStagePlacement::Off ? nameOf(config.cpuStage) : nameOf(config.cpuWork));
}

constexpr auto kSettingRows = std::to_array<SettingRow>({
    judgedRow<&PipelineConfig::memory>({.key = "memory",
                                        .label = "Input memory",
                                        .shortLabel = "Memory",
                                        .help = "how a frame reaches the GPU",
                                        .placeholder = "KIND",
                                        .phrase = "#",
                                        .places = {.nested = 5, .tried = 1, .effort = 6},
                                        .isOpen = true}),
    judgedRow<&PipelineConfig::output>({.key = "output",
                                        .label = "Output to GL",
                                        .shortLabel = "Output",
                                        .help = "how a frame reaches OpenGL ES",
                                        .placeholder = "PATH",
                                        .phrase = "#",
                                        .places = {.nested = 6, .tried = 2, .effort = 5},
                                        .isOpen = true}),
    // Tried behind the output, on which it depends.
    judgedRow<&PipelineConfig::sync>({.key = "sync",
                                      .label = "Synchronization",
                                      .shortLabel = "Sync",
                                      .help = "how hand-overs between CUDA, OpenGL ES and CPU are synchronized",
                                      .placeholder = "MODE",
                                      .phrase = "#",
                                      .places = {.nested = 7, .tried = 3, .effort = 2},
                                      .isOpen = true}),
    choiceRow<&PipelineConfig::wait>({.key = "wait",
                                      .label = "Wait policy",
                                      .shortLabel = "Wait",
                                      .help = "how a CPU thread waits for the GPU",
                                      .placeholder = "POLICY",
                                      .phrase = "wait #",
                                      .places = {.nested = 8, .tried = 6, .effort = 1},
                                      .isOpen = true,
                                      .keepsResources = true}),
    judgedRow<&PipelineConfig::cpuStage>({.key = "cpu-stage",
                                          .label = "CPU stage",
                                          .shortLabel = "CPU stage",
                                          .help = "which frame the CPU stage works on",
                                          .placeholder = "PLACE",
                                          .phrase = "CPU stage #",
                                          .places = {.nested = 2, .tried = 7, .effort = 7}}),
    choiceRow<&PipelineConfig::cpuWork>(
        {.key = "cpu-work",
         .label = "Work of the CPU stage",
         .shortLabel = "CPU work",
         .help = "what the CPU stage does",
         .placeholder = "WORK",
         .work = {cpuWorkOf, "the CPU stage differs", "with the same --cpu-work, or both without a CPU stage"},
         .keepsResources = true}),
    chainRow({.key = "filters",
              .label = "Filters",
              .shortLabel = "Filters",
              .help = "the GPU's filters in order, joined by commas, or none",
              .placeholder = "LIST",
              .places = {.nested = 1, .tried = 8},
              .work = {chainOf, "the filters differ", "with the same --filters"},
              .keepsResources = true}),
    countRow<&PipelineConfig::framesInFlight, kMaxFramesInFlight>({.key = "frames-in-flight",
                                                                   .label = "Frames in flight",
                                                                   .shortLabel = "In flight",
                                                                   .help = "frames worked on at a time",
                                                                   .placeholder = "N",
                                                                   .phrase = "# in flight",
                                                                   .places = {.nested = 3, .tried = 4, .effort = 3}}),
    countRow<&PipelineConfig::streams, kMaxStreams>({.key = "streams",
                                                     .label = "Streams",
                                                     .shortLabel = "Streams",
                                                     .help = "streams that the frames are spread over",
                                                     .placeholder = "N",
                                                     .phrase = "# streams",
                                                     .places = {.nested = 4, .tried = 5, .effort = 4}}),
    judgedRow<&PipelineConfig::priority>({.key = "priority",
                                          .label = "Stream priority",
                                          .shortLabel = "Priority",
                                          .help = "how urgent the pipeline's work is beside other work of the GPU",
                                          .placeholder = "LEVEL",
                                          .places = {.nested = 9, .tried = 9, .effort = 8}}),
    judgedRow<&PipelineConfig::share>({.key = "gpu-share",
                                       .label = "Share of the GPU",
                                       .shortLabel = "Share",
                                       .help = "which part of the GPU's multiprocessors the pipeline may use",
                                       .placeholder = "PART",
                                       .places = {.nested = 10, .tried = 10, .effort = 9}}),
    judgedRow<&PipelineConfig::beside>({.key = "beside",
                                        .label = "Load beside the pipeline",
                                        .shortLabel = "Beside",
                                        .help = "a load that runs beside the pipeline, to see what it costs",
                                        .placeholder = "LOAD",
                                        .places = {.nested = 11, .tried = 11, .effort = 10},
                                        .keepsResources = true}),
    judgedRow<&PipelineConfig::gpuTime>({.key = "gpu-time",
                                         .label = "GPU times",
                                         .shortLabel = "GPU times",
                                         .help = "source of the times of device work",
                                         .placeholder = "SOURCE",
                                         .keepsResources = true,
                                         .isOfMeasurement = true}),
});

} // namespace

std::string SettingRow::column() const
{
    std::string name(key);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::string SettingRow::valueNames() const
{
    std::vector<std::string> names;
    for (SettingValue &value : values())
        names.push_back(std::move(value.name));
    return listed(names, " or ");
}

std::string SettingRow::valueLabel(const PipelineConfig &config) const
{
    std::string name = text(config, "+");
    for (SettingValue &value : values())
        if (value.name == name && !value.label.empty())
            return std::move(value.label);
    return name;
}

std::string SettingRow::words(const PipelineConfig &config) const
{
    std::string out(phrase);
    const std::string value = text(config, "+");
    if (const std::size_t at = out.find('#'); at != std::string::npos)
        out.replace(at, 1, value);
    if (kind == Kind::Count && value == "1" && out.ends_with('s'))
        out.pop_back();
    return out;
}

std::span<const SettingRow> settingTable()
{
    return kSettingRows;
}

const SettingRow *settingRow(std::string_view key)
{
    for (const SettingRow &row : settingTable())
        if (row.key == key)
            return &row;
    return nullptr;
}

const SettingRow *settingOfColumn(std::string_view column)
{
    for (const SettingRow &row : settingTable())
        if (row.column() == column)
            return &row;
    return nullptr;
}

std::vector<const SettingRow *> settingsBy(std::uint8_t SettingPlaces::*place, bool (*belongs)(const SettingRow &row))
{
    std::vector<const SettingRow *> rows;
    for (const SettingRow &row : settingTable())
        if (belongs(row))
            rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(),
                     [place](const SettingRow *a, const SettingRow *b) { return a->places.*place < b->places.*place; });
    return rows;
}

std::string settingKeys(std::string_view last)
{
    std::vector<std::string> keys;
    for (const SettingRow &row : settingTable())
        keys.emplace_back(row.key);
    return listed(keys, last);
}

std::string sweptKeys(std::string_view last, std::string_view before)
{
    std::vector<std::string> keys;
    for (const SettingRow &row : settingTable())
        if (row.isSwept())
            keys.push_back(std::string(before) + std::string(row.key));
    return listed(keys, last);
}

std::string describeSettings(const PipelineConfig &config, std::string_view joint, WaitPolicy inForce)
{
    std::string text = std::string(nameOf(config.memory)) + " → " + filterNames(config.filters, joint) + " → "
        + std::string(nameOf(config.output)) + ", sync " + std::string(nameOf(config.sync));
    for (const SettingRow &row : settingTable()) {
        if (row.phrase.empty() || row.phrase == "#")
            continue;
        text += ", " + row.words(config);
        if (row.key == "wait" && inForce != WaitPolicy::Auto && inForce != config.wait)
            text += " (in force: " + std::string(nameOf(inForce)) + ")";
        if (row.key == "cpu-stage" && config.cpuStage != CpuStagePlacement::Off)
            text += " " + std::string(nameOf(config.cpuWork));
    }
    return text;
}

} // namespace jetscope
