// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsysschema.h"

#include <algorithm>
#include <initializer_list>
#include <set>

namespace jetscope {

namespace {

struct KnownNsysTable {
    std::string_view name;
    NsysUse use;
    const char *reason = nullptr;
};

constexpr const char *kNoPlaceForSamples = "samples of call stacks are not shown";
constexpr const char *kNoPlaceForData = "events with data of their own are not shown";
constexpr const char *kNoPlaceForMetrics = "metrics are not shown";

constexpr auto kKnownNsysTables = std::to_array<KnownNsysTable>({
    {"NVTX_EVENTS", NsysUse::Ranges},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", NsysUse::Calls},
    {"CUPTI_ACTIVITY_KIND_DRIVER", NsysUse::Calls},
    {"OPENGL_API", NsysUse::GraphicsCalls},
    {"EGL_API", NsysUse::GraphicsCalls},
    {"VULKAN_API", NsysUse::GraphicsCalls},
    {"OSRT_API", NsysUse::SystemCalls},
    {"CUDNN_EVENTS", NsysUse::LibraryCalls},
    {"CUBLAS_EVENTS", NsysUse::LibraryCalls},
    {"CUDA_GRAPH_EVENTS", NsysUse::LibraryCalls},
    {"CUDA_GRAPH_NODE_EVENTS", NsysUse::LibraryCalls},
    {"NVVIDEO_ENCODER_API", NsysUse::LibraryCalls},
    {"NVVIDEO_DECODER_API", NsysUse::LibraryCalls},
    {"NVVIDEO_JPEG_API", NsysUse::LibraryCalls},
    {"VULKAN_DEBUG_API", NsysUse::LibraryCalls},
    {"KHR_DEBUG_EVENTS", NsysUse::LibraryCalls},
    {"CUPTI_ACTIVITY_KIND_OPENACC_DATA", NsysUse::LibraryCalls},
    {"CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", NsysUse::LibraryCalls},
    {"CUPTI_ACTIVITY_KIND_OPENACC_OTHER", NsysUse::LibraryCalls},
    {"MPI_P2P_EVENTS", NsysUse::LibraryCalls},
    {"MPI_COLLECTIVES_EVENTS", NsysUse::LibraryCalls},
    {"MPI_START_WAIT_EVENTS", NsysUse::LibraryCalls},
    {"MPI_OTHER_EVENTS", NsysUse::LibraryCalls},
    {"UCP_SUBMIT_EVENTS", NsysUse::LibraryCalls},
    {"UCP_PROGRESS_EVENTS", NsysUse::LibraryCalls},
    {"UCP_EVENTS", NsysUse::LibraryCalls},
    {"PROFILER_OVERHEAD", NsysUse::Overhead},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", NsysUse::Overhead},
    {"CUPTI_ACTIVITY_KIND_KERNEL", NsysUse::Kernels},
    {"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", NsysUse::Kernels},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", NsysUse::Copies},
    {"CUPTI_ACTIVITY_KIND_MEMCPY2", NsysUse::Copies},
    {"CUPTI_ACTIVITY_KIND_MEMSET", NsysUse::Memsets},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", NsysUse::Graphs},
    {"OPENGL_WORKLOAD", NsysUse::GraphicsWork},
    {"VULKAN_WORKLOAD", NsysUse::GraphicsWork},
    {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", NsysUse::Records},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", NsysUse::Syncs},
    {"SCHED_EVENTS", NsysUse::Scheduling},
    {"GPU_CONTEXT_SWITCH_EVENTS", NsysUse::ContextSwitches},
    {"CUDA_UM_CPU_PAGE_FAULT_EVENTS", NsysUse::CpuFaults},
    {"CUDA_UM_GPU_PAGE_FAULT_EVENTS", NsysUse::GpuFaults},
    {"CUDA_GPU_MEMORY_USAGE_EVENTS", NsysUse::Allocations},
    {"DIAGNOSTIC_EVENT", NsysUse::Diagnostics},
    {"DIAGNOSTIC_EVENTS", NsysUse::Diagnostics},
    {"COMPOSITE_EVENTS", NsysUse::NotShown, kNoPlaceForSamples},
    {"GENERIC_EVENTS", NsysUse::NotShown, kNoPlaceForData},
    {"ETW_EVENTS", NsysUse::NotShown, kNoPlaceForData},
    {"GPU_METRICS", NsysUse::NotShown, kNoPlaceForMetrics},
    {"SOC_METRICS", NsysUse::NotShown, kNoPlaceForMetrics},
    {"NET_NIC_METRIC", NsysUse::NotShown, kNoPlaceForMetrics},
    {"NET_IB_SWITCH_METRIC", NsysUse::NotShown, kNoPlaceForMetrics},
    {"PERF_EVENT_CPU_RAW_EVENT", NsysUse::NotShown, kNoPlaceForMetrics},
    {"PERF_EVENT_CPU_METRIC_EVENT", NsysUse::NotShown, kNoPlaceForMetrics},
    {"PERF_EVENT_SOC_OR_CPU_RAW_EVENT", NsysUse::NotShown, kNoPlaceForMetrics},
    {"PERF_EVENT_SOC_OR_CPU_METRIC_EVENT", NsysUse::NotShown, kNoPlaceForMetrics},
});

// Of the alternative names, the first one that the table has is used. Compared without case and underscores.
constexpr std::array<std::array<std::string_view, 7>, kNsysColumns> kNsysColumnNames = {{
    {"start", "startns", "starttime", "timestamp", "timestampns", "begin"},
    {"end", "endns", "endtime"},
    {"globaltid", "threadid"},
    {"globalpid"},
    {"deviceid", "gpuid", "gpu", "device"},
    {"contextid", "context"},
    {"streamid", "stream"},
    {"correlationid", "corrid", "correlation"},
    {"bytes", "size"},
    {"copykind", "synctype", "eventtype", "tag", "isschedin", "memoryoperationtype", "severity"},
    {"shortname", "nameid", "textid", "demangledname", "mangledname"},
    {"text", "name"},
    {"domainid"},
    {"category"},
    {"eventid"},
    {"uint64value"},
    {"cpu"},
    {"memkind"},
    {"callchainid"},
}};

std::string plainSqlName(std::string_view name)
{
    std::string plain;
    for (const char c : name)
        if (c != '_')
            plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return plain;
}

/// "CUPTI_ACTIVITY_KIND_KERNEL_V3" is what "CUPTI_ACTIVITY_KIND_KERNEL" is.
std::string withoutTableVersion(std::string_view name)
{
    const std::size_t version = name.find_last_not_of("0123456789");
    if (version != std::string_view::npos && version > 0 && version + 1 < name.size()
        && (name[version] == 'V' || name[version] == 'v') && name[version - 1] == '_')
        name = name.substr(0, version - 1);
    return plainSqlName(name);
}

const KnownNsysTable *knownNsysTable(std::string_view name)
{
    const std::string plain = withoutTableVersion(name);
    const auto known = std::find_if(kKnownNsysTables.begin(), kKnownNsysTables.end(),
                                    [&](const KnownNsysTable &table) { return plainSqlName(table.name) == plain; });
    return known != kKnownNsysTables.end() ? &*known : nullptr;
}

/// Tables whose rows explain others and are no events, although some have a time.
bool isNsysDictionary(std::string_view name)
{
    const std::string plain = plainSqlName(name);
    constexpr auto kBeginnings =
        std::to_array<std::string_view>({"enum", "metadata", "targetinfo", "export", "analysis", "sqlite"});
    constexpr auto kNames = std::to_array<std::string_view>({"stringids", "threadnames", "processes"});
    return std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](auto with) { return plain.starts_with(with); })
        || std::find(kNames.begin(), kNames.end(), plain) != kNames.end();
}

/// The table that a select passes over once, as the number of its first page; empty if SQLite's program for the select
/// does anything that could take longer than the table has rows.
std::optional<std::int64_t> tableOfSinglePass(Database &database, const std::string &select)
{
    static const std::set<std::string, std::less<>> kHarmless = {
        "Init",  "IfNullRow", "Goto",       "Halt",         "Transaction", "Explain",  "Noop",      "Rowid",  "Column",
        "Null",  "Integer",   "Int64",      "Real",         "String8",     "String",   "Copy",      "SCopy",  "Move",
        "Add",   "Subtract",  "Multiply",   "RealAffinity", "Cast",        "Affinity", "Remainder", "Divide", "BitAnd",
        "BitOr", "ShiftLeft", "ShiftRight", "BitNot",       "ResultRow",   "Next",     "OpenRead",  "Rewind", "Close"};
    Result<Statement> program = database.prepare("EXPLAIN " + select);
    if (!program.ok())
        return std::nullopt;
    std::optional<std::int64_t> page;
    int loops = 0;
    while (program.value().next()) {
        const std::string_view code = program.value().text(1);
        if (kHarmless.find(code) == kHarmless.end())
            return std::nullopt;
        if (code == "OpenRead" && page)
            return std::nullopt;
        if (code == "OpenRead")
            page = program.value().integer(3);
        loops += code == "Next" ? 1 : 0;
    }
    return loops == 1 && program.value().status().ok() ? page : std::nullopt;
}

} // namespace

std::string quotedSqlName(std::string_view name)
{
    std::string quoted = "\"";
    for (const char c : name)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

std::string NsysTable::select() const
{
    std::string select = hasRowNumbers ? "SELECT rowid" : "SELECT 1";
    for (const std::string &column : columns)
        select += ", " + (column.empty() ? "NULL" : quotedSqlName(column));
    return select + " FROM " + quotedSqlName(name);
}

struct NsysSchema::Found {
    std::string name;
    bool isView = false;
    std::int64_t page = 0;
    struct Column {
        std::string name;
        bool isComputed = false;
    };
    std::vector<Column> columns = {};
};

Status NsysSchema::readNames(Database &database, std::vector<Found> &found)
{
    // More tables than any export has: their columns are compared one by one.
    constexpr std::size_t kMaxTables = 4096;
    // A virtual table has no page; its module could compute for ever.
    JETSCOPE_TRY_ASSIGN(Statement names,
                        database.prepare("SELECT name, type = 'view', rootpage FROM sqlite_master WHERE type = 'view' "
                                         "OR (type = 'table' AND rootpage > 0)"));
    while (found.size() < kMaxTables && names.next())
        found.push_back({std::string(names.text(0)), names.integer(1) != 0, names.integer(2)});
    return names.status();
}

Status NsysSchema::read(Database &database)
{
    std::vector<Found> found;
    JETSCOPE_TRY(readNames(database, found));
    for (Found &table : found) {
        Result<Statement> columns = database.prepare("SELECT name, hidden FROM pragma_table_xinfo(?)");
        if (!columns.ok())
            return columns.error();
        columns.value().bind(1, std::string_view(table.name));
        while (columns.value().next())
            table.columns.push_back({std::string(columns.value().text(0)), columns.value().integer(1) != 0});
    }
    // Views first: a table that is shown through a view is not counted once more by itself.
    std::set<std::int64_t> seenThroughViews;
    std::stable_partition(found.begin(), found.end(), [](const Found &table) { return table.isView; });
    for (const Found &table : found) {
        if (!table.isView && seenThroughViews.count(table.page) > 0)
            continue;
        const std::size_t before = m_tables.size();
        add(database, table);
        if (table.isView && m_tables.size() > before)
            seenThroughViews.insert(*tableOfSinglePass(database, m_tables.back().select()));
    }
    return {};
}

void NsysSchema::add(Database &database, const Found &found)
{
    NsysTable table;
    table.name = found.name;
    table.isView = found.isView;
    bool computes = found.isView;
    for (std::size_t column = 0; column < kNsysColumns; ++column)
        for (const std::string_view name : kNsysColumnNames[column]) {
            const auto same = std::find_if(found.columns.begin(), found.columns.end(), [&](const Found::Column &one) {
                return !name.empty() && plainSqlName(one.name) == name;
            });
            if (same == found.columns.end() || !table.columns[column].empty())
                continue;
            table.columns[column] = same->name;
            computes = computes || same->isComputed;
        }
    table.countsDevices = plainSqlName(table.columns[static_cast<std::size_t>(NsysColumn::Device)]) == "deviceid";
    const KnownNsysTable *const known = knownNsysTable(found.name);
    const bool hasTimes = table.has(NsysColumn::Start) || (known && known->use == NsysUse::Records);
    if (isNsysDictionary(found.name) || !hasTimes) {
        Dictionary dictionary{found.name, {}};
        for (const Found::Column &column : found.columns)
            if (!column.isComputed && !found.isView)
                dictionary.columns.push_back(plainSqlName(column.name));
        m_dictionaries.push_back(std::move(dictionary));
        return;
    }
    table.use = known ? known->use : NsysUse::NotShown;
    table.reason = known ? known->reason : "a table that is not known";
    const bool hasOwnRowid = std::any_of(found.columns.begin(), found.columns.end(),
                                         [](const Found::Column &one) { return plainSqlName(one.name) == "rowid"; });
    table.hasRowNumbers =
        !found.isView && !hasOwnRowid && database.prepare("SELECT rowid FROM " + quotedSqlName(found.name)).ok();
    if (computes && table.reason == nullptr && !tableOfSinglePass(database, table.select()))
        table.reason = "its columns are computed";
    if (found.isView && table.reason != nullptr)
        m_unreadViews.push_back(found.name);
    else
        m_tables.push_back(std::move(table));
}

std::optional<std::string> NsysSchema::dictionary(std::string_view name,
                                                  std::initializer_list<std::string_view> columns) const
{
    for (const Dictionary &one : m_dictionaries) {
        const bool hasAll = std::all_of(columns.begin(), columns.end(), [&](std::string_view column) {
            return std::find(one.columns.begin(), one.columns.end(), plainSqlName(column)) != one.columns.end();
        });
        if (hasAll && plainSqlName(one.name) == plainSqlName(name))
            return one.name;
    }
    return std::nullopt;
}

bool NsysSchema::isExport() const
{
    return dictionary("StringIds", {}) || dictionary("META_DATA_EXPORT", {})
        || std::any_of(m_tables.begin(), m_tables.end(), [](const NsysTable &table) {
               return plainSqlName(table.name).starts_with("cuptiactivitykind")
                   || plainSqlName(table.name) == "nvtxevents";
           });
}

} // namespace jetscope
