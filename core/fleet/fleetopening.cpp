// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetopening.h"

#include "core/fleet/fleetsql.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <map>
#include <utility>

namespace jetscope {

Result<bool> isByDuckDb(FleetEngine engine)
{
    if (engine == FleetEngine::BuiltIn)
        return false;
    const Result<std::string> version = DuckDb::version();
    if (!version.ok() && engine == FleetEngine::DuckDb)
        return version.error();
    return version.ok();
}

Status readBoards(const FleetFolder &folder, FleetEngine engine, FleetBoards &boards, std::size_t &unfinished,
                  Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(const bool byDuckDb, isByDuckDb(engine));
    if (!byDuckDb)
        return readFleet(folder, boards, unfinished, progress);
    JETSCOPE_TRY_ASSIGN(const FleetListing listing, folder.list());
    unfinished = listing.unfinished;
    JETSCOPE_TRY_ASSIGN(DuckDb database, DuckDb::open(folder.path()));
    return reduceFleet(database, folder, boards);
}

FleetAnswer answerOf(FleetBoards boards, std::size_t unfinished)
{
    FleetComparison comparison = compareFleet(boards);
    if (unfinished > 0)
        comparison.notes.push_back(counted(unfinished, "file")
                                   + " being written, or left by a program that was killed: not read");
    return {std::move(boards), std::move(comparison)};
}

Result<std::vector<FleetBuild>> buildsOf(const FleetFolder &folder, Progress &progress)
{
    std::map<std::string, std::string> last; // Start, by commit.
    FleetReader reader(FleetReader::kNoLimit);
    JETSCOPE_TRY(reader.readAll(
        folder, [&] { last.clear(); },
        [&](const FleetRow &row, std::string_view) -> Status {
            std::string &start = last[row.commit];
            start = std::max(start, row.start);
            return progress.advance(reader.fraction()) ? Status() : cancelledError();
        }));
    std::vector<FleetBuild> builds;
    for (const auto &[commit, start] : last)
        builds.push_back({commit, start});
    std::stable_sort(builds.begin(), builds.end(),
                     [](const FleetBuild &a, const FleetBuild &b) { return a.lastStart < b.lastStart; });
    return builds;
}

} // namespace jetscope
