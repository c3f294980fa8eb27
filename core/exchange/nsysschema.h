// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/database.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// What the rows of a table are for this program.
enum class NsysUse : std::uint8_t {
    Ranges,          ///< NVTX.
    Calls,           ///< CUDA calls.
    GraphicsCalls,   ///< OpenGL, EGL and Vulkan calls.
    SystemCalls,     ///< Of the C library: poll, sem_wait, ioctl.
    LibraryCalls,    ///< Of other libraries that the profiler knows.
    Overhead,        ///< Of the profiler itself.
    Kernels,         ///<
    Copies,          ///<
    Memsets,         ///<
    Graphs,          ///< A whole CUDA graph.
    GraphicsWork,    ///< What the GPU did for graphics calls.
    Records,         ///< CUDA event records.
    Syncs,           ///<
    Scheduling,      ///< Threads that get or lose a processor.
    ContextSwitches, ///< Of the GPU.
    CpuFaults,       ///< Page faults of unified memory.
    GpuFaults,       ///<
    Allocations,     ///< Of GPU memory.
    Diagnostics,     ///< What the profiler says of its own run.
    NotShown,
};

/// The columns that are read. Which name a column has depends on the table and the version.
enum class NsysColumn : std::uint8_t {
    Start,
    End,
    GlobalThread,
    GlobalProcess,
    Device,
    Context,
    Stream,
    Correlation,
    Bytes,
    Kind, ///< copyKind, syncType, eventType, tag, isSchedIn, memoryOperationType or severity.
    TextId,
    Text,
    Domain,
    NvtxCategory,
    Event,
    Payload,
    Cpu,
    MemoryKind,
    CallChain,
};
inline constexpr std::size_t kNsysColumns = 19;

/// A table or view of an export that has event times.
struct NsysTable {
    std::string name;
    NsysUse use = NsysUse::NotShown;
    const char *reason = nullptr; ///< Why it is not read; null if it is.
    bool isView = false;
    bool hasRowNumbers = true;
    bool countsDevices = false;                    ///< As CUDA does in each process, not as the machine.
    std::array<std::string, kNsysColumns> columns; ///< Names as in the file; empty for those that the table lacks.

    bool has(NsysColumn column) const { return !columns[static_cast<std::size_t>(column)].empty(); }
    /// The columns in order, NULL for those that are missing, preceded by the number of the row (1 in a view).
    std::string select() const;
};

/// The tables of an untrusted export. A table is found by its name in any case, with or without a version ("_V3"), and
/// its columns by any of the names that they have had. Views and computed columns are read only if SQLite's program for
/// them passes over one table once and calls no function, since others could compute for ever.
class NsysSchema {
public:
    Status read(Database &database);

    /// Every table with event times, also those that are not read.
    const std::vector<NsysTable> &tables() const { return m_tables; }
    /// Views with event times that are not read.
    const std::vector<std::string> &unreadViews() const { return m_unreadViews; }
    /// The name in the file of a table with these columns; empty if there is none.
    std::optional<std::string> dictionary(std::string_view name, std::initializer_list<std::string_view> columns) const;
    /// Whether this is an Nsight Systems export at all.
    bool isExport() const;

private:
    struct Found;
    Status readNames(Database &database, std::vector<Found> &found);
    void add(Database &database, const Found &found);

    std::vector<NsysTable> m_tables;
    std::vector<std::string> m_unreadViews;
    struct Dictionary {
        std::string name;
        std::vector<std::string> columns;
    };
    std::vector<Dictionary> m_dictionaries;
};

/// An SQL name in quotes.
std::string quotedSqlName(std::string_view name);

} // namespace jetscope
