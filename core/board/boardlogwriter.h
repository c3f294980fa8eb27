// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardsampler.h"
#include "core/result.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// Writes the values of a machine as a table of counters (CSV): a row for each reading, a column for each value that
/// may be known, with its unit in the title. Rows are in the file once they were added, so that a kill loses none.
/// Not thread-safe.
class BoardLogWriter {
public:
    /// Never touches an existing file. `wallClockOffsetNs`: Unix time minus the clock of the states.
    static Result<BoardLogWriter> create(const std::string &path, const std::vector<BoardItem> &items,
                                         std::int64_t wallClockOffsetNs);

    /// `state` is of the same items.
    Status add(const BoardState &state);
    std::uint64_t rows() const { return m_rows; }

private:
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    BoardLogWriter(std::string path, std::int64_t wallClockOffsetNs)
        : m_path(std::move(path)), m_wallClockOffsetNs(wallClockOffsetNs)
    {
    }
    Status write(const std::string &line);

    std::string m_path;
    std::int64_t m_wallClockOffsetNs;
    std::vector<std::size_t> m_columns; ///< Places of the items.
    std::unique_ptr<std::FILE, Close> m_file;
    std::uint64_t m_rows = 0;
};

} // namespace jetscope
