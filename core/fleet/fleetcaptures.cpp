// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetcaptures.h"

#include "core/fleet/runfacts.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

namespace jetscope {

namespace {

constexpr std::size_t kRunsNamed = 3; ///< In an error.

RunCapture captureOf(const FleetRow &row)
{
    return {row.run, row.board, row.commit, row.capture, row.captureSha256};
}

/// "a, b, c and others".
std::string wordsOfRuns(const std::set<std::string> &runs)
{
    if (runs.empty())
        return "none";
    std::vector<std::string> named(runs.begin(), runs.end());
    named.resize(std::min(named.size(), kRunsNamed));
    return joined(named, ", ") + (runs.size() > kRunsNamed ? " and others" : "");
}

/// The rows of a folder; `forget` is called when they come again.
Status eachRow(const FleetFolder &folder, Progress &progress, const std::function<void()> &forget,
               const std::function<void(const FleetRow &row)> &take)
{
    FleetReader reader(FleetReader::kNoLimit);
    return reader.readAll(folder, forget, [&](const FleetRow &row, std::string_view) -> Status {
        take(row);
        return progress.advance(reader.fraction()) ? Status() : cancelledError();
    });
}

/// Where a capture may be: as it was when the run was added, or moved into the folder of the fleet.
std::array<std::string, 2> placesOf(const FleetFolder &folder, const RunCapture &capture)
{
    return {capture.path, folder.path() + "/captures/" + std::filesystem::path(capture.path).filename().string()};
}

bool isThere(const std::string &path)
{
    std::error_code unknown;
    return std::filesystem::is_regular_file(path, unknown);
}

Error missingCapture(const FleetFolder &folder, const RunCapture &capture)
{
    if (capture.path.empty())
        return sentence("run " + capture.run + " of " + capture.board + " was added without its capture");
    const auto [added, own] = placesOf(folder, capture);
    return sentence("the capture of run " + capture.run + " is missing: neither " + added + " nor " + own
                    + " is there");
}

/// Runs with their values of a metric.
struct ValuedRuns {
    std::vector<std::pair<double, RunCapture>> runs;

    void add(const FleetRow &row) { runs.emplace_back(row.value, captureOf(row)); }
    /// The one in the middle; of two the lower one.
    std::optional<RunCapture> middle()
    {
        if (runs.empty())
            return std::nullopt;
        const auto at = runs.begin() + static_cast<std::ptrdiff_t>((runs.size() - 1) / 2);
        std::nth_element(runs.begin(), at, runs.end(), [](const auto &x, const auto &y) {
            return x.first != y.first ? x.first < y.first : x.second.run < y.second.run;
        });
        return at->second;
    }
};

} // namespace

Result<std::vector<RunCapture>> capturesOfRuns(const FleetFolder &folder, const std::vector<std::string> &runs,
                                               Progress &progress)
{
    std::vector<RunCapture> found(runs.size());
    std::size_t twice = runs.size(); // The first that several runs begin with.
    std::set<std::string> some;      // To name them if one is not found.
    JETSCOPE_TRY(eachRow(
        folder, progress,
        [&] {
            found.assign(runs.size(), {});
            twice = runs.size();
            some.clear();
        },
        [&](const FleetRow &row) {
            if (some.size() <= kRunsNamed)
                some.insert(row.run);
            for (std::size_t i = 0; i < runs.size(); ++i) {
                if (!row.run.starts_with(runs[i]) || found[i].run == row.run)
                    continue;
                if (found[i].run.empty() || row.run == runs[i])
                    found[i] = captureOf(row);
                else if (found[i].run != runs[i])
                    twice = std::min(twice, i);
            }
        }));
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (found[i].run.empty())
            return sentence("the folder has no run " + quotedWords(runs[i]) + ": it has " + wordsOfRuns(some));
    if (twice < runs.size())
        return sentence("several runs begin with " + quotedWords(runs[twice]) + ": write more of the name");
    return found;
}

Status checkCapture(const FleetFolder &folder, const RunCapture &capture)
{
    const auto places = placesOf(folder, capture);
    return std::any_of(places.begin(), places.end(), isThere) ? Status() : Status(missingCapture(folder, capture));
}

Result<std::string> findCapture(const FleetFolder &folder, const RunCapture &capture)
{
    std::string changed;
    for (const std::string &path : placesOf(folder, capture)) {
        if (!isThere(path))
            continue;
        JETSCOPE_TRY_ASSIGN(const std::string sum, sumOfFile(path));
        if (sum == capture.sha256)
            return path;
        changed = path;
    }
    if (!changed.empty())
        return sentence("the capture of run " + capture.run + " has changed since it was added: " + changed);
    return missingCapture(folder, capture);
}

Result<CapturePair> capturesOf(const FleetFolder &folder, const FleetComparison &comparison, const FleetResult &result,
                               const std::string &board, Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(const FleetSelection a, FleetSelection::parse(comparison.nameA));
    JETSCOPE_TRY_ASSIGN(const FleetSelection b, FleetSelection::parse(comparison.nameB));
    ValuedRuns left;
    ValuedRuns right;
    JETSCOPE_TRY(eachRow(
        folder, progress, [&] { left.runs.clear(), right.runs.clear(); },
        [&](const FleetRow &row) {
            if (row.metric != result.metric || stateOf(row) > RunState::CountsUnknown
                || Stratum{row.soc, row.jetpack, row.powerMode, row.configHash} != result.stratum)
                return;
            if (board.empty() ? a.matches(row) : b.matches(row) && row.board != board)
                left.add(row);
            if (b.matches(row) && (board.empty() || row.board == board))
                right.add(row);
        }));
    const std::optional<RunCapture> first = left.middle();
    const std::optional<RunCapture> second = right.middle();
    if (!first || !second)
        return sentence("the folder no longer has these runs: compare again");
    return CapturePair{*first, *second};
}

} // namespace jetscope
