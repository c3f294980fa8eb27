// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/database.h"
#include "core/figures/overlap.h"
#include "core/progress.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace jetscope {

/// A row of an event table of an Nsight Systems export. Fields that the table or version lacks are 0.
struct NsysRow {
    Interval time;
    bool hasEnd = true; ///< False for NVTX marks.
    std::uint64_t process = 0;
    std::uint64_t thread = 0;
    std::int64_t device = 0;
    std::int64_t context = 0;
    std::int64_t stream = 0;
    std::int64_t correlation = 0;
    std::uint64_t bytes = 0;
    std::int64_t kind = 0;   ///< copyKind, syncType or eventType.
    std::int64_t domain = 0; ///< Of NVTX rows.
    std::int64_t category = 0;
    std::int64_t event = 0;              ///< Of CUDA rows: the event that is waited for or recorded.
    std::optional<std::int64_t> payload; ///< Of NVTX rows: the payload if it is a whole number.
    std::string text;
};

/// Reads the tables of an untrusted export; its tables and columns depend on the version. Not thread-safe.
class NsysTables {
public:
    explicit NsysTables(Database &database) : m_database(database) {}

    static constexpr const char *kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
    static constexpr const char *kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
    static constexpr const char *kMemsets = "CUPTI_ACTIVITY_KIND_MEMSET";
    static constexpr const char *kSyncs = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
    static constexpr const char *kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
    static constexpr const char *kRanges = "NVTX_EVENTS";
    static constexpr const char *kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
    /// CUDA event records: the rows have no times of their own.
    static constexpr const char *kRecords = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";

    /// An error if the file is not an Nsight Systems export or has none of these tables.
    Status check();
    /// Reads texts and thread names; call before reading any row.
    Status readTexts();
    /// Reads every row of one of the tables above, if the table exists.
    Status each(const char *table, const std::function<void(NsysRow &)> &take, Progress &progress);

    /// Empty if the export has no name for the thread.
    std::optional<std::string> threadName(std::uint64_t process, std::uint64_t thread) const;
    /// The first value of a column; empty if there is none.
    std::string value(std::string_view table, std::string_view column, std::string_view where = {});

private:
    std::string selectFrom(const char *table);
    bool fillTime(NsysRow &row, Statement &from, const char *table) const;
    void fill(NsysRow &row, Statement &from) const;

    Database &m_database;
    std::unordered_map<std::int64_t, std::string> m_texts;
    std::unordered_map<std::uint64_t, std::string> m_threadNames; ///< By global thread id.
};

} // namespace jetscope
