// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/nsysschema.h"
#include "core/exchange/nsysstacks.h"
#include "core/figures/overlap.h"
#include "core/progress.h"
#include "core/system/database.h"
#include "core/trace/importaccount.h"
#include "core/trace/names.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jetscope {

/// Which times of an export can be: those that lie with most others. Not thread-safe.
class NsysTimes {
public:
    /// Adds the times of a row; `endNs` is the start if there is no end.
    void add(std::int64_t startNs, std::int64_t endNs);
    /// Call once, behind the last row.
    void settle();

    /// Whether an event can begin then: not at 0 if all others are minutes away, and not days from the others.
    bool canBegin(std::int64_t startNs) const;
    /// The bounds of all times that can be.
    std::int64_t firstNs() const { return m_firstNs; }
    std::int64_t lastNs() const { return m_lastNs; }

private:
    struct Sample {
        std::int64_t startNs;
        std::int64_t endNs;
    };
    std::vector<Sample> m_samples; ///< An even choice of all rows.
    std::uint64_t m_rows = 0;
    std::uint64_t m_random = 1;
    std::int64_t m_lowNs = 0; ///< The first and third quarter of the starts.
    std::int64_t m_highNs = 0;
    std::int64_t m_leastNs = 0; ///< Of all rows.
    std::int64_t m_mostNs = 0;
    std::int64_t m_firstNs = 0;
    std::int64_t m_lastNs = 0;
};

/// A row of an event table of an Nsight Systems export. Fields that the table or version lacks are 0.
struct NsysRow {
    Interval time;
    bool hasEnd = true; ///< Without an end, the time ends with the export.
    std::uint64_t process = 0;
    std::uint64_t thread = 0;
    std::int64_t device = 0;
    std::int64_t context = 0;
    std::int64_t stream = 0;
    std::int64_t correlation = 0;
    std::uint64_t bytes = 0;
    std::int64_t kind = 0;   ///< See NsysColumn::Kind.
    std::int64_t domain = 0; ///< Of NVTX rows.
    std::int64_t category = 0;
    std::int64_t event = 0;              ///< Of CUDA rows: the event that is waited for or recorded.
    std::optional<std::int64_t> payload; ///< Of NVTX rows: the payload if it is a whole number.
    std::int64_t cpu = 0;
    std::int64_t memoryKind = 0;
    std::int64_t callChain = 0; ///< Number of the call's stack; 0: it has none.
    std::string text;
};

/// Of all processes.
inline std::uint64_t threadNumber(const NsysRow &row)
{
    return row.process << 24U | row.thread;
}

/// Of a call and of what the device did for it.
inline std::uint64_t workNumber(const NsysRow &row)
{
    return row.process << 40U ^ static_cast<std::uint64_t>(row.correlation);
}

/// What became of a row.
struct NsysFate {
    const char *shownAs = "spans";
    const char *leftOut = nullptr; ///< Why it is left out; null if it is shown.
};

/// Reads the tables of an untrusted export; its tables and columns depend on the version. Not thread-safe.
class NsysTables {
public:
    explicit NsysTables(Database &database) : m_database(database) {}

    /// Reads which tables there are, texts, names of threads, and which times can be; call before reading any row. An
    /// error if the file is not an Nsight Systems export or has no event that is shown.
    Status open(Progress &progress);
    /// Reads every row of the tables with this use and counts what `take` says of it. Rows with impossible times are
    /// left out before.
    Status each(NsysUse use, const std::function<NsysFate(NsysRow &)> &take, Progress &progress);
    /// The same rows, which are not counted: they are read again by `each`.
    Status look(NsysUse use, const std::function<void(const NsysRow &)> &take, Progress &progress);
    /// Counts the rows of the tables that are not read.
    Status countOthers(Progress &progress);

    const NsysTimes &times() const { return m_times; }
    ImportAccount &account() { return m_account; }
    /// Counts rows that were shown as left out.
    void leaveOut(NsysUse use, const char *shownAs, const char *reason, std::uint64_t events);
    /// Remembers which rows a span's name comes from; call from `take`.
    void nameSpan(TraceName name) { m_spanName = name; }
    /// Counts a span that the trace refused as left out.
    void refuseSpan(TraceName name, const char *reason);
    const std::vector<std::string> &unreadViews() const { return m_schema.unreadViews(); }
    /// Whether a table with this use has rows without the thread that they are of.
    bool lacksThreads(NsysUse use) const;
    /// For rows of tables without a process.
    void setOnlyProcess(std::uint64_t process) { m_onlyProcess = process; }

    /// Empty if the export has no name for the thread.
    std::optional<std::string> threadName(std::uint64_t process, std::uint64_t thread) const;
    /// "process 42", with its name if the export has one.
    std::string processText(std::uint64_t process) const;
    /// The stack of a call; a hash of 0 if the export has none.
    CallPlace placeOf(std::int64_t callChain) const { return m_stacks.placeOf(callChain); }
    /// The first value of a column; empty if there is none.
    std::string value(std::string_view table, std::string_view column, std::string_view whereName = {});
    /// The label or name of every number in a table ENUM_….
    std::unordered_map<std::int64_t, std::string> labels(std::string_view table);

private:
    Status readTexts();
    Status readNames();
    Status readTimes(Progress &progress);
    Status scan(const NsysTable &table, const std::string &select, Progress &progress,
                const std::function<void(Statement &)> &take);
    const char *fillTime(NsysRow &row, const Statement &from, const NsysTable &table) const;
    void fill(NsysRow &row, const Statement &from, const NsysTable &table) const;

    Database &m_database;
    NsysSchema m_schema;
    NsysTimes m_times;
    ImportAccount m_account;
    std::uint64_t m_read = 0;
    std::optional<TraceName> m_spanName; ///< Of the row that is being taken.
    std::unordered_map<TraceName, std::pair<const NsysTable *, ImportAccount::RowId>> m_rowOfName;
    std::uint64_t m_onlyProcess = 0;
    std::unordered_map<std::int64_t, std::string> m_texts;
    std::unordered_map<std::uint64_t, std::string> m_threadNames; ///< By global thread id.
    std::unordered_map<std::uint64_t, std::string> m_processNames;
    NsysStacks m_stacks;
    std::map<std::pair<std::uint64_t, std::int64_t>, std::int64_t> m_gpuOf; ///< By process and CUDA's number in it.
};

} // namespace jetscope
