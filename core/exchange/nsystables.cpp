// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsystables.h"

#include "core/databaserows.h"
#include "core/exchange/shorttext.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

constexpr std::uint64_t kRowsBetweenLooks = 1 << 14;

// A global thread id has 24 bits each for process and thread; the bits above are not used.
constexpr std::uint64_t kIdBits = 24;
constexpr std::uint64_t kIdMask = (std::uint64_t{1} << kIdBits) - 1;

// The columns read from every table. Of the alternative names, the first one that exists in the table is used.
enum Column {
    Row,
    Start,
    End,
    GlobalThread,
    GlobalProcess,
    Device,
    Context,
    Stream,
    Correlation,
    Bytes,
    Kind,
    TextId,
    Text,
    Domain,
    NvtxCategory,
    Event,
    Payload
};
constexpr std::array<std::array<const char *, 3>, 17> kColumnNames = {{
    {"rowid"},
    {"start"},
    {"end"},
    {"globalTid"},
    {"globalPid"},
    {"deviceId"},
    {"contextId"},
    {"streamId"},
    {"correlationId"},
    {"bytes"},
    {"copyKind", "syncType", "eventType"},
    {"shortName", "nameId", "textId"},
    {"text"},
    {"domainId"},
    {"category"},
    {"eventId"},
    {"uint64Value"},
}};

} // namespace

Status NsysTables::check()
{
    const char *const tables[] = {kKernels, kCopies, kMemsets, kSyncs, kCalls, kRanges};
    const bool any = std::any_of(std::begin(tables), std::end(tables), [this](const char *table) {
        return m_database.hasTable(table, {"start", "end"});
    });
    if (any && m_database.hasTable("StringIds", {"id", "value"}))
        return {};
    if (m_database.hasTable("StringIds") || m_database.hasTable("META_DATA_EXPORT"))
        return sentence(
            m_database.name()
            + " has neither CUDA nor NVTX events: profile with \"nsys profile -t cuda,nvtx\" and export again");
    return sentence(m_database.name()
                    + " is a database of another program: give a .jscope capture or an Nsight Systems export made with "
                      "\"nsys export --type sqlite\"");
}

Status NsysTables::readTexts()
{
    JETSCOPE_TRY(eachRow(m_database, "SELECT rowid, id, value FROM StringIds", [this](Statement &row) {
        m_texts.insert_or_assign(row.integer(1), std::string(shortText(row.text(2))));
        return true;
    }));
    if (!m_database.hasTable("ThreadNames", {"nameId", "globalTid"}))
        return {};
    return eachRow(m_database, "SELECT rowid, nameId, globalTid FROM ThreadNames", [this](Statement &row) {
        if (const auto name = m_texts.find(row.integer(1)); name != m_texts.end())
            m_threadNames.insert_or_assign(static_cast<std::uint64_t>(row.integer(2)) & (kIdMask << kIdBits | kIdMask),
                                           name->second);
        return true;
    });
}

std::string NsysTables::selectFrom(const char *table)
{
    std::string select;
    for (const auto &names : kColumnNames) {
        std::string taken = "NULL";
        for (const char *name : names)
            if (name && taken == "NULL" && (names == kColumnNames[Row] || m_database.hasColumn(table, name)))
                taken = std::string("\"") + name + "\"";
        select += (select.empty() ? "SELECT " : ", ") + (names == kColumnNames[Row] ? "rowid" : taken);
    }
    return select + " FROM " + table;
}

bool NsysTables::fillTime(NsysRow &row, Statement &from, const char *table) const
{
    if (std::string_view(table) == kRecords)
        return true;
    const std::int64_t start = from.integer(Start);
    row.hasEnd = !from.isNull(End);
    const std::int64_t end = row.hasEnd ? from.integer(End) : start;
    if (!from.isInteger(Start) || !isTraceTime(start) || !isTraceTime(end) || !isTracePiece(start, end - start)
        || (!row.hasEnd && std::string_view(table) != kRanges))
        return false;
    row.time = {start, end};
    return true;
}

void NsysTables::fill(NsysRow &row, Statement &from) const
{
    const auto globalThread = static_cast<std::uint64_t>(from.integer(GlobalThread));
    const auto global =
        from.isNull(GlobalThread) ? static_cast<std::uint64_t>(from.integer(GlobalProcess)) : globalThread;
    row.process = global >> kIdBits & kIdMask;
    row.thread = globalThread & kIdMask;
    row.device = from.integer(Device);
    row.context = from.integer(Context);
    row.stream = from.integer(Stream);
    row.correlation = from.integer(Correlation);
    row.bytes = static_cast<std::uint64_t>(std::max(std::int64_t{0}, from.integer(Bytes)));
    row.kind = from.integer(Kind);
    row.domain = from.integer(Domain);
    row.category = from.integer(NvtxCategory);
    row.event = from.integer(Event);
    row.payload.reset();
    if (from.isInteger(Payload))
        row.payload = from.integer(Payload);
    row.text.clear();
    if (!from.isNull(Text))
        row.text = shortText(from.text(Text));
    else if (const auto known = m_texts.find(from.integer(TextId)); !from.isNull(TextId) && known != m_texts.end())
        row.text = known->second;
}

Status NsysTables::each(const char *table, const std::function<void(NsysRow &)> &take, Progress &progress)
{
    const bool hasTimes = m_database.hasTable(table, {"start", "end"});
    if (!hasTimes && (std::string_view(table) != kRecords || !m_database.hasTable(table, {"eventId"})))
        return {};
    NsysRow row;
    std::uint64_t done = 0;
    bool cancelled = false;
    const Status read = eachRow(m_database, selectFrom(table), [&](Statement &from) {
        if (++done % kRowsBetweenLooks == 0)
            cancelled = !progress.advance(0);
        if (cancelled || !fillTime(row, from, table))
            return false;
        fill(row, from);
        take(row);
        return true;
    });
    return cancelled ? cancelledError() : read;
}

std::optional<std::string> NsysTables::threadName(std::uint64_t process, std::uint64_t thread) const
{
    const auto known = m_threadNames.find(process << kIdBits | thread);
    return known != m_threadNames.end() ? std::optional(known->second) : std::nullopt;
}

std::string NsysTables::value(std::string_view table, std::string_view column, std::string_view where)
{
    if (!m_database.hasTable(table, {column}))
        return {};
    const std::string select = "SELECT \"" + std::string(column) + "\" FROM " + std::string(table)
        + (where.empty() ? "" : " WHERE " + std::string(where)) + " LIMIT 1";
    Result<Statement> found = m_database.prepare(select);
    return found.ok() && found.value().next() ? std::string(shortText(found.value().text(0))) : std::string();
}

} // namespace jetscope
