// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetboards.h"
#include "core/fleet/fleetfolder.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

// Lines of JSON between the engine that read the rows and the method. Each part of a folder gives its own, and the
// lines of all parts, one behind the other in any order, are those of the folder.

/// Gives each line, with its end, to `take`. The lines say at their begin for which sides they are, and at their end
/// that they are whole.
Status writeReduced(const FleetBoards &boards, const FleetPart &part, std::size_t unfinished,
                    const std::function<Status(std::string_view line)> &take);
/// The first line, and the last one, of a part whose other lines come from elsewhere.
std::string reducedBegin(const FleetBoards &boards, const FleetPart &part, std::size_t unfinished);
std::string reducedEnd(const FleetPart &part);

/// Fills boards from such lines. Not thread-safe.
class ReducedReader {
public:
    explicit ReducedReader(FleetBoards &boards);
    ~ReducedReader();
    ReducedReader(const ReducedReader &) = delete;
    ReducedReader &operator=(const ReducedReader &) = delete;

    /// An error if the line is none, or is of other sides than the boards.
    Status take(std::string_view line) { return take(line, {}, {}); }
    /// `a` and `b`: values of a board that came beside its line, which then has none.
    Status take(std::string_view line, std::span<const double> a, std::span<const double> b);
    /// An error unless every part was there once, and whole.
    Status finish() const;
    /// Files that were not read, because they were being written.
    std::size_t unfinished() const { return m_unfinished; }

private:
    struct Parts;

    FleetBoards &m_boards;
    std::unique_ptr<Parts> m_parts;
    std::size_t m_count = 0; ///< Of parts, as they say; 0: none was there.
    std::set<std::size_t> m_begun;
    std::set<std::size_t> m_ended;
    std::size_t m_unfinished = 0;
};

/// The lines of a file, or of standard input if `path` is "-".
Result<std::size_t> readReduced(const std::string &path, FleetBoards &boards);

} // namespace jetscope
