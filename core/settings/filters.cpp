// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/filters.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace jetscope {

namespace {

std::vector<FilterRow> builtInFilters()
{
    return {
        {Filter::Identity, "identity", "identity",
         "Copies the picture unchanged: the cost of a pass over memory by itself."},
        {Filter::Gaussian5, "gaussian5", "gaussian 5×5",
         "Light blur: little arithmetic, removes noise before an edge filter.", 2},
        {Filter::Gaussian15, "gaussian15", "gaussian 15×15",
         "Strong blur: the heaviest filter here, for loading the device with arithmetic.", 7},
        {Filter::Sobel, "sobel", "sobel",
         "Edge strength: reads nine pixels for each, the usual step before a threshold.", 1},
        {Filter::Threshold, "threshold", "threshold", "Black or white for every pixel: costs hardly more than a copy."},
        {Filter::Sharpen, "sharpen", "sharpen", "Raises edges: reads nine pixels for each and keeps the colours.", 1},
        {Filter::Invert, "invert", "invert", "Negative picture: costs hardly more than a copy and is easy to see."},
    };
}

bool isFilterName(const std::string &name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

constexpr std::size_t kLongestStageName = 1000;
constexpr std::size_t kMaxFilterRows = 8192; ///< Each value that an option of a stage has taken is one.
constexpr int kMaxOfFiles = 64;

bool isStageName(const std::string &name)
{
    return name.size() <= kLongestStageName && name.find(':') != std::string::npos
        && std::none_of(name.begin(), name.end(),
                        [](char c) { return c == ',' || c == '+' || static_cast<unsigned char>(c) < ' ' || c == 127; });
}

bool isUsable(const FilterRow &row)
{
    return row.onCpu.available || row.onCuda.available;
}

/// The rows and, made from them, the table of a choice, whose names point into the rows. Rows are only added, in memory
/// that never moves, and are complete before they are counted: readers need no lock.
class FilterTable {
public:
    FilterTable()
    {
        m_rows.reserve(kMaxFilterRows);
        m_choices.reserve(kMaxFilterRows);
        for (FilterRow &row : builtInFilters())
            append(std::move(row));
    }

    const FilterRow *find(Filter filter) const
    {
        const auto index = static_cast<std::size_t>(filter);
        return index < m_count.load(std::memory_order_acquire) ? m_rows.data() + index : nullptr;
    }
    std::span<const Choice<Filter>> choices() const
    {
        return {m_choices.data(), m_count.load(std::memory_order_acquire)};
    }

    Result<Filter> add(FilterRow row)
    {
        const std::lock_guard lock(m_mutex);
        if (Status good = check(row); !good.ok())
            return good.error();
        row.filter = static_cast<Filter>(m_rows.size());
        append(std::move(row));
        return m_rows.back().filter;
    }
    /// A row without code for a stage that a file names; none if there are too many.
    void addOfFile(FilterRow row)
    {
        if (m_ofFiles.fetch_add(1, std::memory_order_relaxed) < kMaxOfFiles)
            static_cast<void>(add(std::move(row)));
    }

private:
    void append(FilterRow row)
    {
        const FilterRow &kept = m_rows.emplace_back(std::move(row));
        m_choices.push_back({kept.filter, kept.name, kept.label, kept.help});
        m_count.store(m_rows.size(), std::memory_order_release);
    }

    Status check(const FilterRow &row) const
    {
        if (row.isStage && !isStageName(row.name))
            return sentence("The name of a stage must be at most " + std::to_string(kLongestStageName)
                            + " characters such as stage:PATH, without commas, plus signs and control characters.");
        if (!row.isStage && (!isFilterName(row.name) || row.name == "none"))
            return sentence(
                "A filter's name must be made of lower-case letters, digits and '-' and must not be \"none\".");
        const std::string called = "The filter '" + row.name + "' ";
        const std::optional<Filter> former = choiceByName<Filter>(row.name);
        if (former && (!row.isStage || isUsable(*find(*former))))
            return sentence(called + "exists already; give the new one another name.");
        if (row.label.empty() || row.help.empty())
            return sentence(called + "needs a label and a sentence of help.");
        if (row.halo < 0 || row.halo > kLargestHalo)
            return sentence(called + "has a halo of " + std::to_string(row.halo) + " pixels; give 0 to "
                            + std::to_string(kLargestHalo) + ".");
        for (const Capability &capability : {row.onCpu, row.onCuda})
            if (!capability.available && capability.reason.empty())
                return sentence(called + "must say why it is not available on the CPU or with CUDA.");
        if (m_rows.size() >= kMaxFilterRows)
            return sentence(called + "is one more than the table of filters holds.");
        return {};
    }

    std::mutex m_mutex; ///< Of those that add.
    std::vector<FilterRow> m_rows;
    std::vector<Choice<Filter>> m_choices;
    std::atomic<std::size_t> m_count{0};
    std::atomic<int> m_ofFiles{0};
};

FilterTable &filterTable()
{
    static FilterTable table;
    return table;
}

} // namespace

template <>
std::span<const Choice<Filter>> choices<Filter>()
{
    return filterTable().choices();
}

const FilterRow *filterRow(Filter filter)
{
    return filterTable().find(filter);
}

bool isStage(Filter filter)
{
    const FilterRow *row = filterRow(filter);
    return row && row->isStage;
}

Result<Filter> addFilter(FilterRow row)
{
    return filterTable().add(std::move(row));
}

void addStagesOfFile(std::string_view chain)
{
    for (std::size_t at = 0; at <= chain.size();) {
        const std::size_t end = std::min(chain.find_first_of("+,", at), chain.size());
        const std::string name(chain.substr(at, end - at));
        at = end + 1;
        if (!isStageName(name) || choiceByName<Filter>(name))
            continue;
        FilterRow row;
        row.name = name;
        row.label = name.substr(name.find_last_of("/:") + 1);
        row.label = row.label.empty() ? name : row.label;
        row.help = "A stage that an opened file or a board names. It is not loaded here.";
        row.onCpu =
            Capability::no("The stage '" + name + "' is only named by an opened file or a board; --filters loads it.");
        row.onCuda = row.onCpu;
        row.isStage = true;
        filterTable().addOfFile(std::move(row));
    }
}

} // namespace jetscope
