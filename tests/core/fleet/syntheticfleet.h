// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetboards.h"
#include "core/fleet/fleetfolder.h"
#include "core/fleet/fleetrow.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace jetscope::test {

/// Boards of several strata that ran an old and a new build, with the noise that such fleets have: boards differ by a
/// tenth, runs by some percent with a heavy tail, and each build moves each board a little.
struct SyntheticFleet {
    int boards = 500;
    int strata = 8;
    int runs = 5; ///< Of each build on each board.
    double boardSpread = 0.1;
    double runNoise = 0.02;
    double outliers = 0.02; ///< Share of runs that a disturbance makes up to 1.5 times as long.
    double buildNoise = 0.004;
    std::uint32_t seed = 1;
    /// By stratum and by board: what the new build multiplies.
    std::map<int, double> slowerStrata = {};
    std::map<int, double> slowerBoards = {};

    static constexpr const char *kMetrics[] = {"period",  "frame-p50", "frame-p99", "latency",
                                               "blocked", "cpu-use",   "energy",    "bytes-copied"};

    int stratumOf(int board) const { return board % strata; }
    static std::string boardName(int board) { return "board" + std::to_string(board); }
    static std::string powerMode(int stratum) { return std::to_string(10 + 5 * stratum) + "W"; }

    FleetRow rowOf(int board, const std::string &commit, int run) const
    {
        FleetRow row;
        row.board = boardName(board);
        row.run = row.board + commit + std::to_string(run);
        row.soc = "tegra234";
        row.jetpack = "6.2.1";
        row.date = "2026-11-25";
        row.start = "2026-11-25T08:00:00Z";
        row.commit = commit;
        row.source = "v4l2:/dev/video0";
        row.config = "source=v4l2:/dev/video0;memory=pinned";
        row.configHash = "0123456789ab";
        row.powerMode = powerMode(stratumOf(board));
        row.clocksLocked = true;
        row.throttled = false;
        row.unit = "ms";
        row.direction = kLowerIsBetter;
        row.scale = kByRatio;
        row.compared = true;
        row.n = 300;
        return row;
    }

    /// Calls `take` with each row.
    void rows(const std::function<void(const FleetRow &)> &take) const
    {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> share(0, 1);
        for (int board = 0; board < boards; ++board) {
            const double level = 10 * std::exp(boardSpread * normal(random));
            const auto planted = [&](const std::map<int, double> &where, int key) {
                const auto found = where.find(key);
                return found == where.end() ? 1.0 : found->second;
            };
            for (const char *commit : {"old", "new"}) {
                double build = std::exp(buildNoise * normal(random));
                if (std::string(commit) == "new")
                    build *= planted(slowerStrata, stratumOf(board)) * planted(slowerBoards, board);
                for (int run = 0; run < runs; ++run) {
                    FleetRow row = rowOf(board, commit, run);
                    const double disturbed = share(random) < outliers ? 1 + 0.5 * share(random) : 1;
                    const double ofRun = std::exp(runNoise * normal(random)) * disturbed;
                    for (const char *metric : kMetrics) {
                        row.metric = metric;
                        row.value = level * build * ofRun * std::exp(0.2 * runNoise * normal(random));
                        take(row);
                    }
                }
            }
        }
    }

    /// Into a folder, run by run, or all runs of a board by a build as one file, which must be of one day; `change` is
    /// given each row before. False: a run could not be added.
    bool addTo(const FleetFolder &folder, const std::function<void(FleetRow &)> &change = {}, bool isByRun = true) const
    {
        FleetRun run;
        bool good = true;
        const auto isNext = [&](const FleetRow &row) {
            const FleetRow &first = run.rows.front();
            return isByRun ? first.run != row.run : first.board != row.board || first.commit != row.commit;
        };
        const auto put = [&] {
            good = good && (run.rows.empty() || folder.add(run).ok());
            run.rows.clear();
        };
        rows([&](const FleetRow &row) {
            if (!run.rows.empty() && isNext(row))
                put();
            run.rows.push_back(row);
            if (change)
                change(run.rows.back());
        });
        put();
        return good;
    }

    FleetBoards reduced() const
    {
        FleetBoards all(FleetSelection::parse("commit=old").value(), FleetSelection::parse("commit=new").value());
        rows([&](const FleetRow &row) { all.add(row); });
        return all;
    }
};

} // namespace jetscope::test
