// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetboards.h"
#include "core/fleet/fleetfolder.h"
#include "core/fleet/fleetrow.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <unordered_set>

namespace jetscope {

/// The built-in reader: the rows of files one after another, each run once. Not thread-safe.
class FleetReader {
public:
    static constexpr std::uint64_t kMaxRows = 1'000'000;
    static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

    using Take = std::function<Status(const FleetRow &row, std::string_view line)>;

    explicit FleetReader(std::uint64_t mostRows = kMaxRows) : m_mostRows(mostRows) {}

    /// The rows of a run lie together. A row that is not of the folder in which it lies is an error, and so are more
    /// rows than the limit.
    Status read(const FleetFile &file, const Take &take);
    /// All files of a folder. Begins again if a file was compacted away meanwhile: `restart` forgets what was taken.
    Status readAll(const FleetFolder &folder, const std::function<void()> &restart, const Take &take);

    std::uint64_t rows() const { return m_rows; }
    std::uint64_t repeated() const { return m_repeated; } ///< Rows of runs that are there twice.
    std::size_t unfinished() const { return m_unfinished; }
    /// How much of the files `readAll` has read.
    double fraction() const { return m_fraction; }

private:
    std::uint64_t m_mostRows;
    FleetRowParser m_parser;
    std::unordered_set<std::string> m_runs;
    std::uint64_t m_rows = 0;
    std::uint64_t m_repeated = 0;
    std::size_t m_unfinished = 0;
    double m_fraction = 0;
};

/// What the method reads, by the built-in reader with its limit. `unfinished`: files that were being written.
Status readFleet(const FleetFolder &folder, FleetBoards &boards, std::size_t &unfinished, Progress &progress);

} // namespace jetscope
