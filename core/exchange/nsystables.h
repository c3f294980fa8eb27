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

/// A row of one of the tables of an Nsight Systems export that hold events. What a table or version lacks is 0.
struct NsysRow {
    Interval time;
    bool hasEnd = true; ///< NVTX marks have none.
    std::uint64_t process = 0;
    std::uint64_t thread = 0;
    std::int64_t device = 0;
    std::int64_t context = 0;
    std::int64_t stream = 0;
    std::int64_t correlation = 0;
    std::uint64_t bytes = 0;
    std::int64_t kind = 0;   ///< copyKind, syncType or eventType.
    std::int64_t domain = 0; ///< Of NVTX.
    std::int64_t category = 0;
    std::int64_t event = 0;              ///< Of CUDA: what is waited for or recorded.
    std::optional<std::int64_t> payload; ///< Of NVTX: a whole number, if it has one.
    std::string text;
};

/// Reads the tables of an export that nobody vouches for; which there are, and which columns they have, varies with the
/// version. One thread.
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
    /// Records of events: their rows have no times of their own.
    static constexpr const char *kRecords = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";

    /// An error when the file is no export at all, or has none of these tables.
    Status check();
    /// Texts and names of threads, before any row is read.
    Status readTexts();
    /// Every row of one of the tables above, if there is one.
    Status each(const char *table, const std::function<void(NsysRow &)> &take, Progress &progress);

    /// None where the export has no name for it.
    std::optional<std::string> threadName(std::uint64_t process, std::uint64_t thread) const;
    /// The first value of a column; empty without one.
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
