// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/sweepplan.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace jetscope {

namespace {

std::vector<std::string_view> splitAt(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

template <class T>
void appendOnce(std::vector<T> &values, const T &value)
{
    if (std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(value);
}

/// Parses each part by applying it to a configuration, so that names and limits are those of every other option.
template <class T>
Status setValues(SweepValues<T> &target, T PipelineConfig::*member, std::string_view key, std::string_view text,
                 char separator = ',')
{
    SweepValues<T> parsed;
    for (const std::string_view part : splitAt(text, separator)) {
        if (part == "all") {
            parsed.all = true;
            continue;
        }
        PipelineConfig config;
        if (const Status status = applySetting(config, key, part); !status.ok()) {
            const std::string &message = status.error().text;
            return sentence(message.substr(0, message.rfind('.')) + ", or all for every value.");
        }
        appendOnce(parsed.named, config.*member);
    }
    target = std::move(parsed);
    return {};
}

std::optional<int> sideOf(std::string_view text)
{
    int side = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
    if (error != std::errc{} || end != text.data() + text.size() || side < 2 || side > kMostSweepSide)
        return std::nullopt;
    return side;
}

Status setSizes(std::vector<SweepSize> &target, std::string_view text)
{
    std::vector<SweepSize> parsed;
    for (const std::string_view part : splitAt(text, ',')) {
        const std::size_t cross = std::min(part.find('x'), part.size());
        const std::optional<int> width = sideOf(part.substr(0, cross));
        const std::optional<int> height = cross < part.size() ? sideOf(part.substr(cross + 1)) : std::nullopt;
        if (!width || !height)
            return sentence("sizes must be a list such as 640x480,1280x720 with sides of 2 to "
                            + std::to_string(kMostSweepSide) + " pixels, not " + quotedValue(part) + ".");
        appendOnce(parsed, SweepSize{*width, *height});
    }
    target = std::move(parsed);
    return {};
}

template <class T>
std::vector<T> everyValue()
{
    std::vector<T> values;
    for (const Choice<T> &choice : choices<T>())
        values.push_back(choice.value);
    return values;
}

std::vector<int> everyCount(int most)
{
    std::vector<int> values;
    for (int count = 1; count <= most; ++count)
        values.push_back(count);
    return values;
}

std::vector<std::vector<Filter>> everyChain()
{
    std::vector<std::vector<Filter>> chains;
    for (const Filter filter : everyValue<Filter>())
        chains.push_back({filter});
    return chains;
}

/// All values in the order of the table, then those that are named only.
template <class T>
std::vector<T> valuesOfAxis(const SweepValues<T> &axis, std::vector<T> every, const T &base)
{
    if (!axis.all)
        return axis.named.empty() ? std::vector<T>{base} : axis.named;
    for (const T &value : axis.named)
        appendOnce(every, value);
    return every;
}

template <class T>
bool isNamed(const SweepValues<T> &axis, const T &value)
{
    // A value of the base configuration was chosen before.
    if (!axis.all && axis.named.empty())
        return true;
    return std::find(axis.named.begin(), axis.named.end(), value) != axis.named.end();
}

/// Makes one axis after the other: each value of an axis in every cell so far.
class CellMaker {
public:
    explicit CellMaker(const PipelineConfig &base) : m_cells{{base, 0, 0}} {}

    template <class T>
    void vary(T PipelineConfig::*member, const std::vector<T> &values)
    {
        extend(values, [&](SweepCell &cell, const T &value) { cell.config.*member = value; });
    }

    void vary(const std::vector<SweepSize> &sizes)
    {
        extend(sizes.empty() ? std::vector<SweepSize>{SweepSize{}} : sizes, [](SweepCell &cell, const SweepSize &size) {
            cell.width = size.width;
            cell.height = size.height;
        });
    }

    bool tooMany() const { return m_tooMany; }
    std::vector<SweepCell> take() { return std::move(m_cells); }

private:
    template <class T, class Set>
    void extend(const std::vector<T> &values, Set set)
    {
        m_tooMany = m_tooMany || m_cells.size() * values.size() > kMostSweepCells;
        if (m_tooMany)
            return;
        std::vector<SweepCell> extended;
        extended.reserve(m_cells.size() * values.size());
        for (const SweepCell &cell : m_cells)
            for (const T &value : values)
                set(extended.emplace_back(cell), value);
        m_cells = std::move(extended);
    }

    std::vector<SweepCell> m_cells;
    bool m_tooMany = false;
};

/// Whether every choice whose value is unsafe in this cell was named by the user.
bool isUnsafeWanted(const SweepCell &cell, const SweepChoices &choices, const DeviceFacts &facts)
{
    const PipelineConfig &config = cell.config;
    const auto wanted = [&](const auto &axis, const auto &value) {
        return availability(value, config, facts).legal() || isNamed(axis, value);
    };
    return wanted(choices.memories, config.memory) && wanted(choices.outputs, config.output)
        && wanted(choices.syncs, config.sync) && wanted(choices.cpuStages, config.cpuStage);
}

/// Empty if the cell is to be measured.
std::string reasonAgainst(const SweepCell &cell, const SweepChoices &choices, const DeviceFacts &facts)
{
    const Availability found = availability(cell.config, facts);
    if (found.legal() || (!found.unavailable() && isUnsafeWanted(cell, choices, facts)))
        return {};
    if (found.unavailable())
        return found.reason;
    return "Unsafe, and measured only if it is named instead of all: " + found.reason;
}

/// Where Auto and the policy that it stands for would both be measured, Auto is left out.
std::string reasonAgainstAuto(const std::vector<WaitPolicy> &waits, std::optional<WaitPolicy> autoMeans)
{
    if (!autoMeans || *autoMeans == WaitPolicy::Auto
        || std::find(waits.begin(), waits.end(), *autoMeans) == waits.end())
        return {};
    return "The wait policy auto is " + std::string(nameOf(*autoMeans))
        + " on this device, which is measured under that name.";
}

Error nothingLeft(const SweepPlan &plan)
{
    const std::vector<LeftOutReason> reasons = plan.reasons();
    const auto most = std::max_element(reasons.begin(), reasons.end(),
                                       [](const auto &a, const auto &b) { return a.cells < b.cells; });
    return sentence(
        "No combination of these choices can be measured on this device; add other values or leave an option "
        "out. The most frequent reason: "
        + most->reason);
}

} // namespace

Status setSweepChoice(SweepChoices &choices, std::string_view key, std::string_view text)
{
    if (key == "memory")
        return setValues(choices.memories, &PipelineConfig::memory, key, text);
    if (key == "output")
        return setValues(choices.outputs, &PipelineConfig::output, key, text);
    if (key == "sync")
        return setValues(choices.syncs, &PipelineConfig::sync, key, text);
    if (key == "wait")
        return setValues(choices.waits, &PipelineConfig::wait, key, text);
    if (key == "cpu-stage")
        return setValues(choices.cpuStages, &PipelineConfig::cpuStage, key, text);
    if (key == "filters")
        return setValues(choices.chains, &PipelineConfig::filters, key, text, '/');
    if (key == "streams")
        return setValues(choices.streams, &PipelineConfig::streams, key, text);
    if (key == "frames-in-flight")
        return setValues(choices.framesInFlight, &PipelineConfig::framesInFlight, key, text);
    if (key == "sizes")
        return setSizes(choices.sizes, text);
    return sentence(
        "A sweep varies memory, output, sync, wait, cpu-stage, filters, streams, frames-in-flight or sizes, "
        "not "
        + quotedValue(key) + ".");
}

std::vector<LeftOutReason> SweepPlan::reasons() const
{
    std::vector<LeftOutReason> reasons;
    std::map<std::string, std::size_t> places;
    for (const LeftOutCell &cell : leftOut) {
        const auto [place, isNew] = places.emplace(cell.reason, reasons.size());
        if (isNew)
            reasons.push_back({cell.reason, 0});
        ++reasons[place->second].cells;
    }
    return reasons;
}

Result<SweepPlan> planSweep(const SweepChoices &choices, const DeviceFacts &facts, std::optional<WaitPolicy> autoMeans)
{
    const PipelineConfig &base = choices.base;
    const std::vector<WaitPolicy> waits = valuesOfAxis(choices.waits, everyValue<WaitPolicy>(), base.wait);
    CellMaker maker(base);
    maker.vary(choices.sizes);
    maker.vary(&PipelineConfig::filters, valuesOfAxis(choices.chains, everyChain(), base.filters));
    maker.vary(&PipelineConfig::cpuStage,
               valuesOfAxis(choices.cpuStages, everyValue<CpuStagePlacement>(), base.cpuStage));
    maker.vary(&PipelineConfig::framesInFlight,
               valuesOfAxis(choices.framesInFlight, everyCount(kMaxFramesInFlight), base.framesInFlight));
    maker.vary(&PipelineConfig::streams, valuesOfAxis(choices.streams, everyCount(kMaxStreams), base.streams));
    maker.vary(&PipelineConfig::memory, valuesOfAxis(choices.memories, everyValue<MemoryKind>(), base.memory));
    maker.vary(&PipelineConfig::output, valuesOfAxis(choices.outputs, everyValue<OutputKind>(), base.output));
    maker.vary(&PipelineConfig::sync, valuesOfAxis(choices.syncs, everyValue<SyncMode>(), base.sync));
    maker.vary(&PipelineConfig::wait, waits);
    if (maker.tooMany())
        return sentence("These choices make more than " + std::to_string(kMostSweepCells)
                        + " combinations; name fewer values.");
    SweepPlan plan;
    std::set<std::string> seen;
    const std::string againstAuto = reasonAgainstAuto(waits, autoMeans);
    for (SweepCell &cell : maker.take()) {
        // Lists that were not made by setSweepChoice may name a value twice.
        if (!seen.insert(cellKey(cell)).second)
            continue;
        std::string reason = reasonAgainst(cell, choices, facts);
        if (reason.empty() && cell.config.wait == WaitPolicy::Auto)
            reason = againstAuto;
        if (reason.empty())
            plan.cells.push_back(std::move(cell));
        else
            plan.leftOut.push_back({std::move(cell), std::move(reason)});
    }
    if (plan.cells.empty())
        return nothingLeft(plan);
    return plan;
}

std::string cellKey(const SweepCell &cell)
{
    const PipelineConfig &config = cell.config;
    std::string key;
    const auto add = [&](std::string_view name, std::string_view value) {
        key.append(key.empty() ? "" : " ").append(name).append("=").append(value);
    };
    add("memory", nameOf(config.memory));
    add("output", nameOf(config.output));
    add("sync", nameOf(config.sync));
    add("wait", nameOf(config.wait));
    add("cpu-stage", nameOf(config.cpuStage));
    add("cpu-work", nameOf(config.cpuWork));
    add("filters", filterNames(config.filters, "+"));
    add("frames-in-flight", std::to_string(config.framesInFlight));
    add("streams", std::to_string(config.streams));
    add("gpu-time", nameOf(config.gpuTime));
    add("size", std::to_string(cell.width) + "x" + std::to_string(cell.height));
    return key;
}

} // namespace jetscope
