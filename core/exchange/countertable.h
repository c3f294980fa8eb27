// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/openedtrace.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The fields of a line of CSV, without blanks around them and without quotes.
std::vector<std::string> csvFields(std::string_view line);

/// The first line of a table of counters as jtop, nvidia-smi (--format=csv) and scripts around tegrastats write it: a
/// column with the time and others with values.
class CounterHeader {
public:
    struct Column {
        std::string name; ///< In the words of Jetscope's own counters where it is known.
        std::string unit;
        double factor = 1; ///< From the file's unit to this one.
    };

    /// Empty if the line is no such header.
    static std::optional<CounterHeader> of(std::string_view line);

    const std::vector<Column> &columns() const { return m_columns; }
    std::size_t timeColumn() const { return m_timeColumn; }
    /// Of a number in the column of the time, in nanoseconds.
    double timeUnitNs() const { return m_timeUnitNs; }
    /// The column that tells several GPUs apart.
    std::optional<std::size_t> gpuColumn() const { return m_gpuColumn; }
    /// The column that counts the rows.
    std::optional<std::size_t> rowColumn() const { return m_rowColumn; }

private:
    std::vector<Column> m_columns;
    std::size_t m_timeColumn = 0;
    double m_timeUnitNs = 1e9;
    std::optional<std::size_t> m_gpuColumn;
    std::optional<std::size_t> m_rowColumn;
};

/// Whether a file that begins like this is a table of counters. Other lines may come before the header.
bool looksLikeCounterTable(std::string_view beginning);

/// Reads a table of counters as a trace that has counters only. Dates without a time zone are local time of this
/// machine. Texts ("OFF", "[N/A]") are values that are not known. Any thread.
Result<OpenedTrace> importCounterTable(const std::string &path, Progress &progress);

} // namespace jetscope
