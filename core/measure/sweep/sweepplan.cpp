// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/sweepplan.h"

#include "core/settings/settingtable.h"
#include "core/text/numbertext.h"
#include "core/text/parsenumber.h"

#include <algorithm>
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
Status setValues(SweepValues &target, const SettingRow &row, std::string_view text)
{
    SweepValues parsed;
    for (const std::string_view part : splitAt(text, row.kind == SettingRow::Kind::Names ? '/' : ',')) {
        if (part == "all") {
            parsed.all = true;
            continue;
        }
        PipelineConfig config;
        if (const Status status = row.set(config, part); !status.ok()) {
            const std::string &message = status.error().text;
            return sentence(message.substr(0, message.rfind('.')) + ", or all for every value.");
        }
        appendOnce(parsed.named, row.text(config, "+"));
    }
    target = std::move(parsed);
    return {};
}

Status setSizes(std::vector<SweepSize> &target, std::string_view text)
{
    std::vector<SweepSize> parsed;
    for (const std::string_view part : splitAt(text, ',')) {
        const auto sideOf = [](std::string_view side) { return parseNumber<int>(side, 2, kMaxSweepSide); };
        const std::size_t cross = std::min(part.find('x'), part.size());
        const std::optional<int> width = sideOf(part.substr(0, cross));
        const std::optional<int> height = cross < part.size() ? sideOf(part.substr(cross + 1)) : std::nullopt;
        if (!width || !height)
            return sentence("sizes must be a list such as 640x480,1280x720 with sides of 2 to "
                            + std::to_string(kMaxSweepSide) + " pixels, not " + quotedValue(part) + ".");
        appendOnce(parsed, SweepSize{*width, *height});
    }
    target = std::move(parsed);
    return {};
}

/// All values in the order of the table, then those that are named only.
std::vector<std::string> valuesOfAxis(const SweepChoices &choices, const SettingRow &row)
{
    const SweepValues &axis = choices.of(row.key);
    if (!axis.all)
        return axis.named.empty() ? std::vector<std::string>{row.text(choices.base, "+")} : axis.named;
    std::vector<std::string> every;
    for (SettingValue &value : row.values())
        every.push_back(std::move(value.name));
    for (const std::string &value : axis.named)
        appendOnce(every, value);
    return every;
}

bool isNamed(const SweepValues &axis, const std::string &value)
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

    void vary(const SettingRow &row, const std::vector<std::string> &values)
    {
        extend(values, [&](SweepCell &cell, const std::string &value) {
            static_cast<void>(row.set(cell.config, value)); // Values of the table or of a checked list.
        });
    }

    void vary(const std::vector<SweepSize> &sizes)
    {
        extend(sizes.empty() ? std::vector<SweepSize>{SweepSize{}} : sizes, [](SweepCell &cell, const SweepSize &size) {
            cell.width = size.width;
            cell.height = size.height;
        });
    }

    /// How many there would be, also where they are too many to be made.
    double count() const { return m_count; }
    bool tooMany() const { return m_count > static_cast<double>(kMaxSweepCells); }
    std::vector<SweepCell> take() { return std::move(m_cells); }

private:
    template <class T, class Set>
    void extend(const std::vector<T> &values, Set set)
    {
        m_count *= static_cast<double>(values.size());
        if (tooMany())
            return;
        std::vector<SweepCell> extended;
        extended.reserve(m_cells.size() * values.size());
        for (const SweepCell &cell : m_cells)
            for (const T &value : values)
                set(extended.emplace_back(cell), value);
        m_cells = std::move(extended);
    }

    std::vector<SweepCell> m_cells;
    double m_count = 1;
};

/// Whether every choice whose value is unsafe in this cell was named by the user.
bool isUnsafeWanted(const SweepCell &cell, const SweepChoices &choices, const DeviceFacts &facts)
{
    const std::span<const SettingRow> rows = settingTable();
    return std::all_of(rows.begin(), rows.end(), [&](const SettingRow &row) {
        return !row.isSwept() || row.availability(cell.config, facts).legal()
            || isNamed(choices.of(row.key), row.text(cell.config, "+"));
    });
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
std::string reasonAgainstAuto(const SweepChoices &choices, std::optional<WaitPolicy> autoMeans)
{
    if (!autoMeans || *autoMeans == WaitPolicy::Auto)
        return {};
    const std::vector<std::string> waits = valuesOfAxis(choices, *settingRow("wait"));
    if (std::find(waits.begin(), waits.end(), nameOf(*autoMeans)) == waits.end())
        return {};
    return "The wait policy auto is " + std::string(nameOf(*autoMeans))
        + " on this device, which is measured under that name.";
}

Error tooManyCells(double count)
{
    constexpr double kHourNs = 3600e9;
    return sentence("These choices make " + fixedText(count, 0) + " combinations, of which a round takes "
                    + fixedText(count * static_cast<double>(kLeastStretchNs) / kHourNs, 1) + " h at least, and "
                    + std::to_string(kMaxSweepCells)
                    + " are the most: name fewer values, and one value of each choice that does not matter.");
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

const SweepValues &SweepChoices::of(std::string_view key) const
{
    static const SweepValues kNone;
    const auto found = lists.find(key);
    return found == lists.end() ? kNone : found->second;
}

Status setSweepChoice(SweepChoices &choices, std::string_view key, std::string_view text)
{
    const SettingRow *row = settingRow(key);
    if (row && row->isSwept()) {
        SweepValues parsed;
        JETSCOPE_TRY(setValues(parsed, *row, text));
        choices.lists[std::string(key)] = std::move(parsed);
        return {};
    }
    if (key == "sizes")
        return setSizes(choices.sizes, text);
    return sentence("A sweep varies " + sweptKeys(", ") + " or sizes, not " + quotedValue(key) + ".");
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
    CellMaker maker(choices.base);
    maker.vary(choices.sizes);
    for (const SettingRow *row :
         settingsBy(&SettingPlaces::nested, [](const SettingRow &each) { return each.isSwept(); }))
        if (choices.of(row->key) != SweepValues())
            maker.vary(*row, valuesOfAxis(choices, *row));
    if (maker.tooMany())
        return tooManyCells(maker.count());
    SweepPlan plan;
    std::set<std::string> seen;
    const std::string againstAuto = reasonAgainstAuto(choices, autoMeans);
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

std::string workKey(const SweepCell &cell)
{
    std::string key = cell.size().text();
    for (const SettingRow &row : settingTable())
        if (row.isWork())
            key += " " + row.work.of(cell.config);
    return key;
}

std::string cellKey(const SweepCell &cell)
{
    std::string key;
    for (const SettingRow &row : settingTable())
        key.append(row.key).append("=").append(row.text(cell.config, "+")).append(" ");
    return key + "size=" + cell.size().text();
}

} // namespace jetscope
