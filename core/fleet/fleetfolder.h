// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framefigures.h"
#include "core/fleet/fleetrow.h"
#include "core/progress.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// One run on one board: a row for each metric, and its frames.
struct FleetRun {
    std::vector<FleetRow> rows; ///< Not empty; all have the same facts of the run.
    std::vector<FrameFigures> frames;
};

/// How the names of files begin that are made of those of a day.
inline constexpr std::string_view kFleetDayPrefix = "day-";

/// A value in the name of a folder or file, as Hive writes it.
std::string nameInPath(std::string_view value);

/// The folder of the fleet that a path is, or that the path of a file of rows lies in; empty if there is none.
std::string fleetOfPath(const std::string &path);

/// A file with rows.
struct FleetFile {
    std::string path;
    std::string soc; ///< Of its folder.
    std::string jetpack;
    std::string date;
};

/// What is in a folder of a fleet.
struct FleetListing {
    std::vector<FleetFile> files; ///< By path.
    std::size_t unfinished = 0;   ///< Being written, or left by a writer that was killed: not read.
};

/// A share of the days of a folder, for one of several workers.
struct FleetPart {
    std::size_t index = 0;
    std::size_t count = 1;

    /// "0/4" to "3/4".
    static Result<FleetPart> parse(std::string_view text);
};

struct FleetCompaction {
    std::size_t folders = 0; ///< Of days that became one file.
    std::size_t filesBefore = 0;
    std::uint64_t rows = 0;
    std::uint64_t repeated = 0; ///< Rows of runs that were there twice; one is kept.
};

/// A folder with the runs of many boards, as other programs read it, too:
/// runs/schema=1/soc=…/jetpack=…/date=…/BOARD-RUN.jsonl.gz, and frames/… alike. A file has its name only when it is
/// whole, and is never changed, so that any number of programs may add and read at once.
class FleetFolder {
public:
    /// Makes the folder if it is not there. One with other things in it is refused.
    static Result<FleetFolder> create(const std::string &path);
    /// It must be there.
    static Result<FleetFolder> open(const std::string &path);

    const std::string &path() const { return m_path; }
    /// The same folder, of which `list` names a share only. A day, and with it a run, is in one part.
    FleetFolder part(const FleetPart &part) const;
    /// False if this run is there already.
    Result<bool> add(const FleetRun &run) const;
    /// Files of other schemas, and folders that are no part of the layout, are errors.
    Result<FleetListing> list() const;
    /// Where the rows of a file are in Parquet, if they are: parquet/… beside runs/…
    std::string parquetOf(const FleetFile &file) const;
    /// Makes one file of the files of each day. What a crash or a second compaction leaves twice is read once.
    Result<FleetCompaction> compact(Progress &progress) const;

private:
    explicit FleetFolder(std::string path) : m_path(std::move(path)) {}

    std::string m_path;
    FleetPart m_part;
};

} // namespace jetscope
