// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A fleet of synthetic boards: adding its runs, compacting them, and judging the build, by the built-in reader and by
// DuckDB's library where it is found. See README.md.
#include "core/fleet/fleetmethod.h"
#include "core/fleet/fleetreader.h"
#include "core/fleet/fleetsql.h"
#include "core/system/temporaryfolder.h"
#include "tests/core/fleet/syntheticfleet.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sys/resource.h>

using namespace jetscope;
using test::SyntheticFleet;

namespace {

double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Of all threads: on a machine where other programs run it says more than the time that passed.
double processorSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

/// The time that passes, and that of the processors.
struct Lap {
    double seconds = 0;
    double processors = 0;

    static Lap now() { return {secondsNow(), processorSeconds()}; }
    Lap since() const { return {secondsNow() - seconds, processorSeconds() - processors}; }
    void add(const Lap &other)
    {
        seconds += other.seconds;
        processors += other.processors;
    }
};

void say(const char *what, const Lap &lap, std::uint64_t rows)
{
    std::printf("%-28s %8.2f s  %10.0f rows/s  processors %6.2f s  %10.0f rows/s  peak %.0f MB\n", what, lap.seconds,
                static_cast<double>(rows) / lap.seconds, lap.processors, static_cast<double>(rows) / lap.processors,
                peakMegabytes());
    std::fflush(stdout);
}

/// The runs of a board by a build as one file; generating the rows is not timed.
Status addAll(const FleetFolder &folder, const SyntheticFleet &fleet, Lap &lap)
{
    FleetRun run;
    Status status;
    const auto put = [&] {
        const Lap before = Lap::now();
        if (status.ok() && !run.rows.empty())
            if (const Result<bool> added = folder.add(run); !added.ok())
                status = added.error();
        lap.add(before.since());
        run.rows.clear();
    };
    fleet.rows([&](const FleetRow &row) {
        if (!run.rows.empty() && (run.rows.front().board != row.board || run.rows.front().commit != row.commit))
            put();
        run.rows.push_back(row);
    });
    put();
    return status;
}

/// Its verdict in words, which must be the same of all engines.
template <class Read>
Result<std::string> judge(const char *name, std::uint64_t rows, Read read)
{
    FleetBoards boards(FleetSelection::parse("commit=old").value(), FleetSelection::parse("commit=new").value());
    const Lap before = Lap::now();
    JETSCOPE_TRY(read(boards));
    const std::string words = fleetWords(compareFleet(boards));
    say(name, before.since(), rows);
    return words;
}

Status run(std::uint64_t wanted)
{
    JETSCOPE_TRY_ASSIGN(const TemporaryFolder place, TemporaryFolder::create());
    JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::create(place.path() + "/fleet"));
    SyntheticFleet fleet;
    fleet.slowerStrata = {{3, 1.02}};
    fleet.runs = static_cast<int>(wanted / (500 * 2 * std::size(SyntheticFleet::kMetrics)));
    const std::uint64_t rows =
        std::uint64_t{1000} * static_cast<std::uint64_t>(fleet.runs) * std::size(SyntheticFleet::kMetrics);
    std::printf("%llu rows of 500 boards, %d runs of each build\n", static_cast<unsigned long long>(rows), fleet.runs);
    Lap adding;
    JETSCOPE_TRY(addAll(folder, fleet, adding));
    say("add, 1,000 files", adding, rows);
    NoProgress progress;
    Lap before = Lap::now();
    JETSCOPE_TRY_ASSIGN(const FleetCompaction done, folder.compact(progress));
    say("compact", before.since(), done.rows);
    JETSCOPE_TRY_ASSIGN(const std::string own, judge("compare, built-in reader", rows, [&](FleetBoards &boards) {
                            FleetReader reader(FleetReader::kNoLimit);
                            return reader.readAll(
                                folder, [] {},
                                [&](const FleetRow &row, std::string_view) -> Status {
                                    boards.add(row);
                                    return {};
                                });
                        }));
    std::printf("%s\n", own.c_str());
    if (const Result<std::string> version = DuckDb::version(); !version.ok()) {
        std::printf("DuckDB: %s\n", version.error().text.c_str());
        return {};
    }
    for (const bool isParquet : {false, true}) {
        JETSCOPE_TRY_ASSIGN(DuckDb database, DuckDb::open(folder.path()));
        if (isParquet) {
            before = Lap::now();
            JETSCOPE_TRY_ASSIGN(const std::size_t files, writeParquet(database, folder));
            say("Parquet by DuckDB", before.since(), files > 0 ? rows : 0);
        }
        JETSCOPE_TRY_ASSIGN(const std::string words,
                            judge(isParquet ? "compare, DuckDB, Parquet" : "compare, DuckDB, JSON", rows,
                                  [&](FleetBoards &boards) { return reduceFleet(database, folder, boards); }));
        if (words != own)
            return sentence("DuckDB's verdict differs: " + words);
    }
    return {};
}

/// The statement that makes a day of the fleet: 500 boards in eight strata, 8 metrics, the new build 2 % slower in one
/// stratum. Every row has values of its own.
std::string dayOf(std::uint64_t day, std::uint64_t rows)
{
    const std::string first = std::to_string(day * rows);
    std::string metrics;
    for (const char *metric : SyntheticFleet::kMetrics)
        metrics += (metrics.empty() ? "" : ", ") + sqlText(metric);
    std::string columns;
    const std::map<std::string_view, std::string> made = {
        {"run", "'run' || (i // 8)"},
        {"board", "'board' || (i // 8 % 500)"},
        {"soc", "'tegra234'"},
        {"jetpack", "'6.2.1'"},
        {"date", "'" + std::to_string(2000 + day) + "-11-25'"},
        {"commit", "CASE WHEN i // 4000 % 2 = 0 THEN 'old' ELSE 'new' END"},
        {"config_hash", "'0123456789ab'"},
        {"power_mode", "(10 + 5 * (i // 8 % 500 % 8)) || 'W'"},
        {"clocks_locked", "true"},
        {"throttled", "false"},
        {"metric", "([" + metrics + "])[i % 8 + 1]"},
        {"unit", "'ms'"},
        {"direction", "'lower'"},
        {"scale", "'ratio'"},
        {"compared", "true"},
        {"least", "0.0"},
        {"n", "300.0"},
        {"value",
         "(10 + hash(i // 8 % 500) % 1000 / 500.0) * (1 + (hash(i) % 10000 + hash(i + 7) % 10000) / 500000.0)"
         " * CASE WHEN i // 4000 % 2 = 1 AND i // 8 % 500 % 8 = 3 THEN 1.02 ELSE 1 END"}};
    for (const FleetField &field : fleetFields()) {
        const auto found = made.find(field.name);
        columns += (columns.empty() ? "" : ", ")
            + (found != made.end()              ? found->second
                   : field.sqlType == "VARCHAR" ? "''"
                                                : "NULL")
            + "::" + std::string(field.sqlType) + " AS " + std::string(field.name);
    }
    return "SELECT " + columns + " FROM (SELECT range::BIGINT AS i FROM range(" + first + ", "
        + std::to_string((day + 1) * rows) + "))";
}

/// Days as Parquet, beside a file of lines each, which has one row only: that is not read.
Status generate(const std::string &path, std::uint64_t rows)
{
    constexpr std::uint64_t kDays = 20;
    JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::create(path));
    for (std::uint64_t day = 0; day < kDays; ++day) {
        SyntheticFleet fleet;
        fleet.boards = 1;
        fleet.runs = 1;
        FleetRow row = fleet.rowOf(0, "old", 0);
        row.date = std::to_string(2000 + day) + "-11-25";
        row.metric = "period";
        row.value = 1;
        row.run = "day-" + std::to_string(day);
        JETSCOPE_TRY_ASSIGN(const bool isNew, folder.add({{row}, {}}));
        static_cast<void>(isNew);
    }
    JETSCOPE_TRY_ASSIGN(const FleetListing listing, folder.list());
    JETSCOPE_TRY_ASSIGN(DuckDb database, DuckDb::open(path));
    for (std::uint64_t day = 0; day < kDays; ++day) {
        const std::string packed = folder.parquetOf(listing.files[day]);
        std::filesystem::create_directories(std::filesystem::path(packed).parent_path());
        JETSCOPE_TRY(database.run("COPY (" + dayOf(day, rows / kDays) + ") TO " + sqlText(packed)
                                  + " (FORMAT parquet, COMPRESSION zstd)"));
    }
    return {};
}

/// Many rows as Parquet in a folder that stays; it is made if it is not there.
Status runGenerated(const std::string &path, std::uint64_t rows)
{
    if (!std::filesystem::exists(path)) {
        const Lap before = Lap::now();
        JETSCOPE_TRY(generate(path, rows));
        say("generated by DuckDB", before.since(), rows);
    }
    JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::open(path));
    JETSCOPE_TRY_ASSIGN(DuckDb database, DuckDb::open(path));
    JETSCOPE_TRY_ASSIGN(const std::string words, judge("compare, DuckDB, Parquet", rows, [&](FleetBoards &boards) {
                            return reduceFleet(database, folder, boards);
                        }));
    std::printf("%s\n", words.c_str());
    return {};
}

} // namespace

int main(int argc, char **argv)
{
    const std::string first = argc > 1 ? argv[1] : "";
    const Status done = argc > 2 ? runGenerated(first, std::strtoull(argv[2], nullptr, 10))
                                 : run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000);
    if (!done.ok())
        std::fprintf(stderr, "bench_fleet: %s\n", done.error().message().c_str());
    return done.ok() ? 0 : 1;
}
