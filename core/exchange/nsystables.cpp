// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsystables.h"

#include "core/system/databaserows.h"
#include "core/text/shorttext.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <map>

namespace jetscope {

namespace {

constexpr std::uint64_t kRowsBetweenLooks = 1 << 14;

// A global thread id has 24 bits each for process and thread; the bits above are not used.
constexpr std::uint64_t kIdBits = 24;
constexpr std::uint64_t kIdMask = (std::uint64_t{1} << kIdBits) - 1;

constexpr const char *kNoWholeTime = "their times are no whole numbers";
constexpr const char *kImpossibleTime = "their times are out of range";
constexpr const char *kEndsFirst = "they end before they begin";
constexpr const char *kNeverEnds = "they have no end";
constexpr const char *kFarOff = "their times are far from all others";

/// In the statement of NsysTable::select().
int nsysPlace(NsysColumn column)
{
    return static_cast<int>(column) + 1;
}

/// Whether rows are moments, which have no end.
bool isMoment(NsysUse use)
{
    switch (use) {
    case NsysUse::Records:
    case NsysUse::Scheduling:
    case NsysUse::ContextSwitches:
    case NsysUse::CpuFaults:
    case NsysUse::Allocations:
    case NsysUse::Diagnostics:
        return true;
    default:
        return false;
    }
}

/// Whether a row without an end is one that had not ended when profiling did. Work of the GPU is not known before.
bool mayGoOn(NsysUse use)
{
    switch (use) {
    case NsysUse::Ranges:
    case NsysUse::Calls:
    case NsysUse::GraphicsCalls:
    case NsysUse::SystemCalls:
    case NsysUse::LibraryCalls:
    case NsysUse::Overhead:
        return true;
    default:
        return false;
    }
}

constexpr std::size_t kMaxSampledTimes = 8192;
constexpr std::int64_t kFarOffSpans = 100; ///< Half of all events lie within one span.
constexpr std::int64_t kFarOffNs = 86'400'000'000'000;
constexpr std::int64_t kFarFromZeroNs = 60'000'000'000;

} // namespace

Status NsysTables::open(Progress &progress)
{
    JETSCOPE_TRY(m_schema.read(m_database));
    const std::vector<NsysTable> &tables = m_schema.tables();
    if (!m_schema.isExport())
        return sentence(m_database.name()
                        + " is a database of another program: give a .jscope capture or an Nsight Systems export made "
                          "with \"nsys export --type sqlite\"");
    if (std::all_of(tables.begin(), tables.end(), [](const NsysTable &table) { return table.reason != nullptr; }))
        return sentence(m_database.name()
                        + " has no events that can be shown, neither CUDA nor NVTX nor others: profile with \"nsys "
                          "profile -t cuda,nvtx,osrt\" and export again");
    JETSCOPE_TRY(readTexts());
    JETSCOPE_TRY(readNames());
    JETSCOPE_TRY(m_stacks.read(m_database, m_schema, m_texts));
    return readTimes(progress);
}

Status NsysTables::readTexts()
{
    const auto ours = m_schema.dictionary("StringIds", {"id", "value"});
    const auto older = m_schema.dictionary("StringTable", {"_id_", "value"}); // Of nvprof.
    if (!ours && !older)
        return {};
    const std::string select =
        std::string("SELECT rowid, ") + (ours ? "id" : "_id_") + ", value FROM " + quotedSqlName(ours ? *ours : *older);
    return eachRow(m_database, select, [this](Statement &row) {
        m_texts.insert_or_assign(row.integer(1), std::string(shortText(row.text(2))));
        return true;
    });
}

Status NsysTables::readNames()
{
    if (const auto table = m_schema.dictionary("ThreadNames", {"nameId", "globalTid"}))
        JETSCOPE_TRY(eachRow(
            m_database, "SELECT rowid, nameId, globalTid FROM " + quotedSqlName(*table), [this](Statement &row) {
                if (const auto name = m_texts.find(row.integer(1)); name != m_texts.end())
                    m_threadNames.insert_or_assign(
                        static_cast<std::uint64_t>(row.integer(2)) & (kIdMask << kIdBits | kIdMask), name->second);
                return true;
            }));
    if (const auto table = m_schema.dictionary("TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"}))
        JETSCOPE_TRY(eachRow(
            m_database, "SELECT rowid, pid, cudaId, gpuId FROM " + quotedSqlName(*table), [this](Statement &row) {
                m_gpuOf.insert_or_assign({static_cast<std::uint64_t>(row.integer(1)), row.integer(2)}, row.integer(3));
                return true;
            }));
    const auto table = m_schema.dictionary("PROCESSES", {"globalPid", "name"});
    if (!table)
        return {};
    return eachRow(m_database, "SELECT rowid, globalPid, name FROM " + quotedSqlName(*table), [this](Statement &row) {
        const std::string_view path = row.text(2);
        m_processNames.insert_or_assign(static_cast<std::uint64_t>(row.integer(1)) >> kIdBits & kIdMask,
                                        std::string(shortText(path.substr(path.rfind('/') + 1))));
        return true;
    });
}

/// Calls `take` for every row. A damaged file could return more rows than fit into memory (see eachRow); where rows
/// have no numbers, a table has fewer rows than the file has bytes.
Status NsysTables::scan(const NsysTable &table, const std::string &select, Progress &progress,
                        const std::function<void(Statement &)> &take)
{
    std::uint64_t done = 0;
    bool cancelled = false;
    const auto step = [&](Statement &row) {
        if (++done % kRowsBetweenLooks == 0)
            cancelled = !progress.advance(0);
        if (!cancelled)
            take(row);
        return !cancelled;
    };
    if (table.hasRowNumbers) {
        const Status read = eachRow(m_database, select, step);
        return cancelled ? cancelledError() : read;
    }
    JETSCOPE_TRY_ASSIGN(Statement pages,
                        m_database.prepare("SELECT page_count * page_size FROM pragma_page_count, "
                                           "pragma_page_size"));
    const std::uint64_t most = pages.next() ? static_cast<std::uint64_t>(pages.integer(0)) : 0;
    JETSCOPE_TRY_ASSIGN(Statement row, m_database.prepare(select));
    while (row.next()) {
        if (done >= most)
            return damagedDatabase(m_database);
        if (!step(row))
            return cancelledError();
    }
    return row.status();
}

Status NsysTables::readTimes(Progress &progress)
{
    for (const NsysTable &table : m_schema.tables()) {
        if (table.reason != nullptr || !table.has(NsysColumn::Start) || table.use == NsysUse::Diagnostics)
            continue;
        const bool hasEnd = table.has(NsysColumn::End);
        JETSCOPE_TRY(scan(table, table.select(), progress, [&](Statement &row) {
            const std::int64_t start = row.integer(nsysPlace(NsysColumn::Start));
            const std::int64_t end = hasEnd ? row.integer(nsysPlace(NsysColumn::End)) : start;
            if (row.isInteger(nsysPlace(NsysColumn::Start)) && isTraceTime(start))
                m_times.add(start, end >= start && isTraceTime(end) ? end : start);
        }));
    }
    m_times.settle();
    return {};
}

/// Returns why the row cannot be shown, or null.
const char *NsysTables::fillTime(NsysRow &row, const Statement &from, const NsysTable &table) const
{
    if (!table.has(NsysColumn::Start))
        return nullptr; // Records of CUDA events had no times of their own.
    const std::int64_t start = from.integer(nsysPlace(NsysColumn::Start));
    std::int64_t end = from.integer(nsysPlace(NsysColumn::End));
    if (!from.isInteger(nsysPlace(NsysColumn::Start)))
        return kNoWholeTime;
    if (!isTraceTime(start))
        return kImpossibleTime;
    row.hasEnd = true;
    if (isMoment(table.use))
        end = start;
    else if (from.isNull(nsysPlace(NsysColumn::End)) || (end == 0 && start > 0))
        row.hasEnd = false;
    else if (!from.isInteger(nsysPlace(NsysColumn::End)))
        return kNoWholeTime;
    if (!row.hasEnd && !mayGoOn(table.use))
        return kNeverEnds;
    if (!row.hasEnd)
        end = std::max(start, m_times.lastNs());
    if (end < start)
        return kEndsFirst;
    if (!isTraceTime(end) || !isTracePiece(start, end - start))
        return kImpossibleTime;
    if (!m_times.canBegin(start) || !m_times.canBegin(end))
        return kFarOff;
    row.time = {start, end};
    return nullptr;
}

void NsysTables::fill(NsysRow &row, const Statement &from, const NsysTable &table) const
{
    const auto integer = [&](NsysColumn column) { return from.integer(nsysPlace(column)); };
    const auto globalThread = static_cast<std::uint64_t>(integer(NsysColumn::GlobalThread));
    const bool hasThread = !from.isNull(nsysPlace(NsysColumn::GlobalThread));
    const auto global = hasThread ? globalThread : static_cast<std::uint64_t>(integer(NsysColumn::GlobalProcess));
    row.process = global >> kIdBits & kIdMask;
    if (!hasThread && !table.has(NsysColumn::GlobalProcess))
        row.process = m_onlyProcess;
    row.thread = globalThread & kIdMask;
    row.device = integer(NsysColumn::Device);
    if (const auto gpu = m_gpuOf.find({row.process, row.device}); table.countsDevices && gpu != m_gpuOf.end())
        row.device = gpu->second;
    row.context = integer(NsysColumn::Context);
    row.stream = integer(NsysColumn::Stream);
    row.correlation = integer(NsysColumn::Correlation);
    row.bytes = static_cast<std::uint64_t>(std::max(std::int64_t{0}, integer(NsysColumn::Bytes)));
    row.kind = integer(NsysColumn::Kind);
    row.domain = integer(NsysColumn::Domain);
    row.category = integer(NsysColumn::NvtxCategory);
    row.event = integer(NsysColumn::Event);
    row.cpu = integer(NsysColumn::Cpu);
    row.memoryKind = integer(NsysColumn::MemoryKind);
    row.callChain = integer(NsysColumn::CallChain);
    row.payload.reset();
    if (from.isInteger(nsysPlace(NsysColumn::Payload)))
        row.payload = integer(NsysColumn::Payload);
    row.text.clear();
    // Some versions and tools write numbers of texts, others the texts themselves, in either column.
    for (const NsysColumn column : {NsysColumn::Text, NsysColumn::TextId}) {
        const int place = nsysPlace(column);
        if (from.isNull(place) || !row.text.empty())
            continue;
        if (!from.isInteger(place))
            row.text = shortText(from.text(place));
        else if (const auto known = m_texts.find(from.integer(place)); known != m_texts.end())
            row.text = known->second;
    }
}

Status NsysTables::each(NsysUse use, const std::function<NsysFate(NsysRow &)> &take, Progress &progress)
{
    NsysRow row;
    for (const NsysTable &table : m_schema.tables()) {
        if (table.use != use || table.reason != nullptr)
            continue;
        std::map<std::pair<const char *, const char *>, ImportAccount::RowId> known;
        JETSCOPE_TRY(scan(table, table.select(), progress, [&](Statement &from) {
            m_spanName.reset();
            NsysFate fate{nullptr, fillTime(row, from, table)};
            if (fate.leftOut == nullptr) {
                fill(row, from, table);
                fate = take(row);
            }
            if (!table.has(NsysColumn::Start))
                return; // Rows without a time are no events of their own.
            const auto [place, isNew] =
                known.try_emplace({fate.leftOut == nullptr ? fate.shownAs : nullptr, fate.leftOut});
            if (isNew)
                place->second = fate.leftOut == nullptr ? m_account.rowShown(table.name, fate.shownAs)
                                                        : m_account.rowLeftOut(table.name, fate.leftOut);
            m_account.count(place->second);
            m_account.setRead(++m_read);
            if (m_spanName)
                m_rowOfName[*m_spanName] = {&table, place->second};
        }));
    }
    return {};
}

Status NsysTables::look(NsysUse use, const std::function<void(const NsysRow &)> &take, Progress &progress)
{
    NsysRow row;
    for (const NsysTable &table : m_schema.tables())
        if (table.use == use && table.reason == nullptr)
            JETSCOPE_TRY(scan(table, table.select(), progress, [&](Statement &from) {
                if (fillTime(row, from, table) != nullptr)
                    return;
                fill(row, from, table);
                take(row);
            }));
    return {};
}

void NsysTables::leaveOut(NsysUse use, const char *shownAs, const char *reason, std::uint64_t events)
{
    for (const NsysTable &table : m_schema.tables()) {
        if (table.use != use || table.reason != nullptr || events == 0)
            continue;
        const ImportAccount::RowId to = m_account.rowLeftOut(table.name, reason);
        const std::uint64_t before = m_account.leftOut();
        m_account.move(m_account.rowShown(table.name, shownAs), to, events);
        events -= m_account.leftOut() - before;
    }
}

void NsysTables::refuseSpan(TraceName name, const char *reason)
{
    const auto row = m_rowOfName.find(name);
    if (row != m_rowOfName.end())
        m_account.move(row->second.second, m_account.rowLeftOut(row->second.first->name, reason));
    else
        leaveOut(NsysUse::Ranges, NsysFate().shownAs, reason, 1);
}

Status NsysTables::countOthers(Progress &progress)
{
    for (const NsysTable &table : m_schema.tables()) {
        if (table.reason == nullptr)
            continue;
        std::uint64_t rows = 0;
        JETSCOPE_TRY(
            scan(table,
                 std::string("SELECT ") + (table.hasRowNumbers ? "rowid" : "1") + " FROM " + quotedSqlName(table.name),
                 progress, [&rows](Statement &) { ++rows; }));
        if (rows > 0)
            m_account.count(m_account.rowLeftOut(table.name, table.reason), rows);
        m_account.setRead(m_read += rows);
    }
    return {};
}

bool NsysTables::lacksThreads(NsysUse use) const
{
    const std::vector<NsysTable> &tables = m_schema.tables();
    return std::any_of(tables.begin(), tables.end(), [use](const NsysTable &table) {
        return table.use == use && table.reason == nullptr && !table.has(NsysColumn::GlobalThread);
    });
}

std::optional<std::string> NsysTables::threadName(std::uint64_t process, std::uint64_t thread) const
{
    const auto known = m_threadNames.find(process << kIdBits | thread);
    return known != m_threadNames.end() ? std::optional(known->second) : std::nullopt;
}

std::string NsysTables::processText(std::uint64_t process) const
{
    const auto known = m_processNames.find(process);
    return "process " + std::to_string(process)
        + (known != m_processNames.end() && !known->second.empty() ? " (" + known->second + ")" : "");
}

std::string NsysTables::value(std::string_view table, std::string_view column, std::string_view whereName)
{
    const auto found =
        whereName.empty() ? m_schema.dictionary(table, {column}) : m_schema.dictionary(table, {column, "name"});
    if (!found)
        return {};
    Result<Statement> select = m_database.prepare("SELECT " + quotedSqlName(column) + " FROM " + quotedSqlName(*found)
                                                  + (whereName.empty() ? "" : " WHERE name = ?") + " LIMIT 1");
    if (!select.ok())
        return {};
    if (!whereName.empty())
        select.value().bind(1, whereName);
    return select.value().next() ? std::string(shortText(select.value().text(0))) : std::string();
}

std::unordered_map<std::int64_t, std::string> NsysTables::labels(std::string_view table)
{
    constexpr std::size_t kMaxLabels = 10'000;
    std::unordered_map<std::int64_t, std::string> labels;
    for (const std::string_view column : {"label", "name"}) {
        const auto found = m_schema.dictionary(table, {"id", column});
        if (!found || !labels.empty())
            continue;
        Result<Statement> row =
            m_database.prepare("SELECT id, " + std::string(column) + " FROM " + quotedSqlName(*found));
        while (row.ok() && labels.size() < kMaxLabels && row.value().next())
            labels.emplace(row.value().integer(0), shortText(row.value().text(1)));
    }
    return labels;
}

void NsysTimes::add(std::int64_t startNs, std::int64_t endNs)
{
    m_leastNs = m_rows == 0 ? startNs : std::min(m_leastNs, startNs);
    m_mostNs = m_rows == 0 ? endNs : std::max(m_mostNs, endNs);
    ++m_rows;
    if (m_samples.size() < kMaxSampledTimes) {
        m_samples.push_back({startNs, endNs});
        return;
    }
    m_random = m_random * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t place = (m_random >> 16U) % m_rows;
    if (place < m_samples.size())
        m_samples[place] = {startNs, endNs};
}

void NsysTimes::settle()
{
    if (m_samples.empty())
        return;
    std::sort(m_samples.begin(), m_samples.end(),
              [](const Sample &a, const Sample &b) { return a.startNs < b.startNs; });
    m_lowNs = m_samples[m_samples.size() / 4].startNs;
    m_highNs = m_samples[m_samples.size() * 3 / 4].startNs;
    m_firstNs = m_highNs;
    m_lastNs = m_lowNs;
    for (const Sample &sample : m_samples)
        if (canBegin(sample.startNs)) {
            m_firstNs = std::min(m_firstNs, sample.startNs);
            m_lastNs = std::max(m_lastNs, canBegin(sample.endNs) ? sample.endNs : sample.startNs);
        }
    if (canBegin(m_leastNs))
        m_firstNs = m_leastNs;
    if (canBegin(m_mostNs))
        m_lastNs = m_mostNs;
}

bool NsysTimes::canBegin(std::int64_t startNs) const
{
    const std::int64_t spanNs = m_highNs - m_lowNs;
    const std::int64_t farNs =
        spanNs > kFarOffNs ? spanNs : std::max(spanNs * kFarOffSpans, startNs == 0 ? kFarFromZeroNs : kFarOffNs);
    return startNs >= m_lowNs ? startNs <= m_highNs || startNs - m_highNs <= farNs : m_lowNs - startNs <= farNs;
}

} // namespace jetscope
