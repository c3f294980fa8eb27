// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/countertable.h"

#include "core/exchange/linereader.h"
#include "core/exchange/tegrastatsstamp.h"
#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"
#include "core/trace/importaccount.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxTableColumns = 512;
constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

std::string_view trimmedField(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// "memory.used" and "MiB" of "memory.used [MiB]" or "memory.used (MiB)"
std::pair<std::string_view, std::string_view> nameAndUnit(std::string_view title)
{
    const std::size_t open = title.find_last_of("[(");
    if (open == std::string_view::npos || open == 0 || (title.back() != ']' && title.back() != ')'))
        return {title, {}};
    return {trimmedField(title.substr(0, open)), title.substr(open + 1, title.size() - open - 2)};
}

struct TableUnit {
    std::string_view theirs;
    std::string_view ours;
    double factor;
};
constexpr auto kTableUnits = std::to_array<TableUnit>({{"%", "%", 1},
                                                       {"MiB", "B", 1048576},
                                                       {"MB", "B", 1048576},
                                                       {"kB", "B", 1024},
                                                       {"MHz", "Hz", 1e6},
                                                       {"C", "°C", 1},
                                                       {"W", "W", 1},
                                                       {"mW", "W", 1e-3}});

struct KnownColumn {
    std::string_view theirs;
    std::string_view ours;
    std::string_view unit; ///< If the title has none.
};
/// Titles of jtop and nvidia-smi that have counters of the same name in Jetscope.
constexpr auto kKnownColumns = std::to_array<KnownColumn>({{"gpu", "GPU load", "%"},
                                                           {"utilization.gpu", "GPU load", "%"},
                                                           {"utilization.memory", "memory controller load", "%"},
                                                           {"memory.used", "memory used", "MiB"},
                                                           {"memory.total", "memory total", "MiB"},
                                                           {"memory.free", "memory free", "MiB"},
                                                           {"temperature.gpu", "temperature gpu", "C"},
                                                           {"temperature.memory", "temperature memory", "C"},
                                                           {"power.draw", "power GPU", "W"},
                                                           {"clocks.gr", "GPU clock", "MHz"},
                                                           {"clocks.sm", "GPU clock SM", "MHz"},
                                                           {"clocks.mem", "memory clock", "MHz"},
                                                           {"clocks.current.graphics", "GPU clock", "MHz"},
                                                           {"clocks.current.sm", "GPU clock SM", "MHz"},
                                                           {"clocks.current.memory", "memory clock", "MHz"},
                                                           {"used gr3d", "GPU load", "%"},
                                                           {"gr3d frequency", "GPU clock", "MHz"},
                                                           {"used ram", "memory used", "MB"},
                                                           {"total ram", "memory total", "MB"},
                                                           {"used emc", "memory controller load", "%"}});

/// A title that shows that a table is one of counters of a machine.
bool isMachineTitle(std::string_view title)
{
    const std::string name = lowerCase(nameAndUnit(title).first);
    const bool isKnown = std::any_of(kKnownColumns.begin(), kKnownColumns.end(),
                                     [&](const KnownColumn &column) { return column.theirs == name; });
    return isKnown || name == "ram" || name == "swap" || name == "emc" || name == "cpu1" || name == "cpu 0 load"
        || name.starts_with("temp ") || name.starts_with("power ");
}

CounterHeader::Column columnOf(std::string_view title)
{
    auto [name, unit] = nameAndUnit(title);
    const std::string lower = lowerCase(name);
    CounterHeader::Column column{std::string(shortText(name)), std::string(unit), 1};
    const auto known = std::find_if(kKnownColumns.begin(), kKnownColumns.end(),
                                    [&](const KnownColumn &one) { return one.theirs == lower; });
    if (known != kKnownColumns.end()) {
        column.name = known->ours;
        unit = unit.empty() ? known->unit : unit;
    } else if (lower.starts_with("temp ")) { // jtop
        column.name = "temperature " + std::string(shortText(name.substr(5)));
        unit = "C";
    } else if (lower.starts_with("power ") && unit.empty()) {
        column.name = "power " + std::string(shortText(name.substr(6)));
        unit = "mW";
    } else if (lower.starts_with("cpu") && lower.size() > 3
               && lower.find_first_not_of("0123456789", 3) == std::string::npos) {
        column.name =
            "CPU " + std::to_string(std::max(0, std::atoi(lower.c_str() + 3) - 1)) + " load"; // Counted from 1.
        unit = "%";
    }
    // Captured by name: clang before 16 refuses structured bindings.
    const auto measure = std::find_if(kTableUnits.begin(), kTableUnits.end(),
                                      [&unit = unit](const TableUnit &one) { return one.theirs == unit; });
    if (measure != kTableUnits.end()) {
        column.unit = measure->ours;
        column.factor = measure->factor;
    }
    return column;
}

/// A number with an optional unit behind a blank: "12 %". None for texts.
std::optional<double> valueOf(std::string_view field)
{
    constexpr double kMaxValue = 1e15;
    const std::optional<double> value = takeNumber<double>(field);
    const bool isUnit = field.empty()
        || std::any_of(kTableUnits.begin(), kTableUnits.end(),
                       [&](const TableUnit &unit) { return field.starts_with(' ') && field.substr(1) == unit.theirs; });
    return value && isUnit && std::abs(*value) <= kMaxValue ? value : std::nullopt;
}

} // namespace

std::vector<std::string> csvFields(std::string_view line)
{
    std::vector<std::string> fields;
    std::string field;
    bool isQuoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && isQuoted && i + 1 < line.size() && line[i + 1] == '"')
            field += line[++i];
        else if (line[i] == '"')
            isQuoted = !isQuoted;
        else if (line[i] == ',' && !isQuoted)
            fields.emplace_back(trimmedField(std::exchange(field, {})));
        else
            field += line[i];
    }
    fields.emplace_back(trimmedField(field));
    return fields;
}

std::optional<CounterHeader> CounterHeader::of(std::string_view line)
{
    constexpr std::size_t kMinColumns = 3;
    if (line.starts_with("\xef\xbb\xbf"))
        line.remove_prefix(3);
    const std::vector<std::string> titles = csvFields(line);
    if (titles.size() < kMinColumns || titles.size() > kMaxTableColumns)
        return std::nullopt;
    CounterHeader header;
    std::optional<std::size_t> time;
    bool isMachine = false;
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const auto [name, unit] = nameAndUnit(titles[i]);
        const std::string lower = lowerCase(name);
        if (!time && (lower == "time" || lower == "timestamp" || lower == "datetime")) {
            time = i;
            const std::string unitName = lowerCase(unit);
            header.m_timeUnitNs = unitName == "ms" ? 1e6 : unitName == "us" ? 1e3 : unitName == "ns" ? 1 : 1e9;
        }
        if (!header.m_gpuColumn
            && (lower == "index" || lower == "uuid" || lower == "pci.bus_id" || lower == "gpu_bus_id"))
            header.m_gpuColumn = i;
        isMachine = isMachine || isMachineTitle(titles[i]);
        header.m_columns.push_back(columnOf(titles[i]));
    }
    if (!time || !isMachine)
        return std::nullopt;
    std::map<std::string, int> times;
    for (Column &column : header.m_columns)
        if (const int number = ++times[column.name]; number > 1)
            column.name += " (" + std::to_string(number) + ")";
    header.m_timeColumn = *time;
    // Elsewhere, an index counts the rows.
    if (header.m_gpuColumn && line.find("utilization.") == std::string_view::npos
        && line.find("memory.") == std::string_view::npos)
        header.m_rowColumn = std::exchange(header.m_gpuColumn, std::nullopt);
    return header;
}

bool looksLikeCounterTable(std::string_view beginning)
{
    constexpr int kLinesBefore = 20;
    for (int line = 0; line < kLinesBefore && !beginning.empty(); ++line) {
        const std::size_t end = std::min(beginning.find('\n'), beginning.size());
        if (end < beginning.size() && CounterHeader::of(beginning.substr(0, end)))
            return true;
        beginning.remove_prefix(std::min(end + 1, beginning.size()));
    }
    return false;
}

namespace {

/// Collects the values of a table, line by line.
class CounterTable {
public:
    CounterTable()
        : m_headers(m_account.rowShown("headers", "names of counters")),
          m_shown(m_account.rowShown("rows", "counters")),
          m_before(m_account.rowLeftOut("other lines", "they stand before the names of the columns")),
          m_noTime(m_account.rowLeftOut("rows", "their time cannot be read")),
          m_tooOld(m_account.rowLeftOut("rows", "they are older than the row before")),
          m_overlong(m_account.rowLeftOut("other lines", "they are longer than 64 KiB"))
    {
    }

    void take(std::string_view line)
    {
        if (trimmedField(line).empty())
            return;
        if (std::optional<CounterHeader> header = CounterHeader::of(line)) {
            m_header = std::move(header); // Again where a program was started anew.
            count(m_headers);
        } else {
            count(!m_header ? m_before : takeRow(csvFields(line)));
        }
    }
    void takeOverlong() { count(m_overlong); }

    bool empty() const { return m_times.empty(); }

    OpenedTrace finish(const std::string &path)
    {
        OpenedTrace opened;
        const std::int64_t firstNs = m_times.front();
        const std::int64_t lastNs = m_times.back();
        const auto rows = static_cast<std::int64_t>(m_times.size());
        // A value holds for the time of a row; behind the table nothing is known.
        constexpr std::int64_t kDefaultRowNs = 1'000'000'000;
        const std::int64_t endNs = lastNs - firstNs
            + (lastNs > firstNs ? std::max<std::int64_t>(1, (lastNs - firstNs) / (rows - 1)) : kDefaultRowNs);
        std::vector<CounterInfo> infos;
        for (CounterSample &sample : m_samples)
            sample.timeNs -= firstNs;
        for (const Counter &counter : m_counters) {
            infos.push_back(counter.info);
            if (!std::isnan(counter.last))
                m_samples.push_back({endNs, kNotKnown, counter.info.id});
        }
        TraceOrigin origin;
        origin.program = "table of counters";
        origin.file = path;
        origin.wallClockOffsetNs = m_hasDates ? firstNs : 0;
        opened.trace.setOrigin(std::move(origin));
        opened.trace.setCounters(infos);
        opened.trace.add(m_samples);
        opened.account = std::move(m_account);
        return opened;
    }

private:
    struct Counter {
        CounterInfo info;
        double last = 0;
    };

    void count(ImportAccount::RowId row)
    {
        m_account.count(row);
        m_account.setRead(m_account.read() + 1);
    }

    std::optional<std::int64_t> timeOf(const std::string &field)
    {
        const LineStamp stamp = lineStampOf(field);
        if (stamp.kind != LineStamp::Kind::None && stamp.kind != LineStamp::Kind::Seconds) {
            m_hasDates = m_hasDates || stamp.kind == LineStamp::Kind::Date;
            return stamp.ns;
        }
        const auto number = valueOf(field);
        const double ns = number.value_or(0) * m_header->timeUnitNs();
        return number && std::abs(ns) < static_cast<double>(kMaxTraceNs) ? std::optional(static_cast<std::int64_t>(ns))
                                                                         : std::nullopt;
    }

    ImportAccount::RowId takeRow(const std::vector<std::string> &fields)
    {
        const CounterHeader &header = *m_header;
        const auto time = header.timeColumn() < fields.size() ? timeOf(fields[header.timeColumn()]) : std::nullopt;
        // Twice the length of a table must still be a time.
        if (!time || !isTraceTime(*time) || (!m_times.empty() && *time > m_times.front() + kMaxTraceNs / 2))
            return m_noTime;
        if (!m_times.empty() && *time < m_times.back())
            return m_tooOld;
        m_times.push_back(*time);
        const std::string gpu = header.gpuColumn() && *header.gpuColumn() < fields.size()
            ? "GPU " + fields[*header.gpuColumn()] + ": "
            : std::string();
        for (std::size_t i = 0; i < std::min(fields.size(), header.columns().size()); ++i)
            if (i != header.timeColumn() && i != header.gpuColumn() && i != header.rowColumn())
                add(*time, gpu, header.columns()[i], valueOf(fields[i]));
        return m_shown;
    }

    /// A column becomes a counter with its first number; texts behind are values that are not known.
    void add(std::int64_t timeNs, const std::string &gpu, const CounterHeader::Column &column,
             std::optional<double> number)
    {
        auto known = m_counterOf.find(gpu + column.name);
        if (known == m_counterOf.end()) {
            if (!number || m_counters.size() >= kMaxTableColumns)
                return;
            const auto id = static_cast<CounterId>(m_counters.size());
            m_counters.push_back(
                {{id, std::string(shortText(gpu + column.name)), column.unit, std::nullopt}, kNotKnown});
            known = m_counterOf.emplace(gpu + column.name, id).first;
        }
        Counter &counter = m_counters[known->second];
        const double value = number ? *number * column.factor : kNotKnown;
        if (value == counter.last || (std::isnan(value) && std::isnan(counter.last)))
            return; // A value holds until the next sample.
        counter.last = value;
        m_samples.push_back({timeNs, value, known->second});
    }

    ImportAccount m_account;
    ImportAccount::RowId m_headers;
    ImportAccount::RowId m_shown;
    ImportAccount::RowId m_before;
    ImportAccount::RowId m_noTime;
    ImportAccount::RowId m_tooOld;
    ImportAccount::RowId m_overlong;
    std::optional<CounterHeader> m_header;
    std::vector<Counter> m_counters;
    std::map<std::string, CounterId> m_counterOf;
    std::vector<CounterSample> m_samples;
    std::vector<std::int64_t> m_times;
    bool m_hasDates = false;
};

} // namespace

Result<OpenedTrace> importCounterTable(const std::string &path, Progress &progress)
{
    CounterTable table;
    const LineTaker taker{[&table](std::string_view line, bool) { table.take(line); },
                          [&table] { table.takeOverlong(); }};
    JETSCOPE_TRY(readLines(path, taker, progress));
    if (table.empty())
        return sentence(path + " has the names of counters, but no row with a time: take another copy of it");
    return table.finish(path);
}

} // namespace jetscope
