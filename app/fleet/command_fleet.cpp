// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/help.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/fleet/fleetoutput.h"
#include "app/gate/gateoutput.h"
#include "core/fleet/fleetreader.h"
#include "core/fleet/fleetreport.h"
#include "core/fleet/fleetrun.h"
#include "core/fleet/fleetsql.h"
#include "core/system/newfile.h"
#include "core/text/shorttext.h"

#include <span>

namespace jetscope {

namespace {

class FleetProgress : public Progress {
public:
    bool advance(double) override { return !m_interrupt.requested(); }

private:
    Interrupt m_interrupt;
};

struct FleetAction {
    std::string_view name;
    int (*run)(const Options &options);
    bool takesFiles = false; ///< Behind DIR.
    bool isComparison = false;
};

std::span<const std::string> filesOf(const Options &options)
{
    return std::span(options.operands).subspan(2);
}

int failed(const Error &error)
{
    return complain(wasCancelled(error) ? sentence("interrupted") : error, Failed);
}

/// What was added before an error stays: a file is whole or not there.
int fleetAdd(const Options &options)
{
    if (filesOf(options).empty())
        return complain(sentence("there is no capture to add: write \"jetscope fleet add DIR CAPTURE…\""), WrongUsage);
    FleetProgress progress;
    const Result<FleetFolder> folder = FleetFolder::create(options.operands[1]);
    if (!folder.ok())
        return failed(folder.error());
    std::size_t added = 0;
    std::size_t there = 0;
    std::size_t rows = 0;
    for (const std::string &capture : filesOf(options)) {
        const Result<std::vector<FleetRun>> runs =
            fleetRunsOf(capture, {options.fleet.board, options.fleet.commit}, progress);
        if (!runs.ok())
            return failed(runs.error());
        for (const FleetRun &run : runs.value()) {
            const Result<bool> isNew = folder.value().add(run);
            if (!isNew.ok())
                return failed(isNew.error());
            ++(isNew.value() ? added : there);
            rows += isNew.value() ? run.rows.size() : 0;
        }
    }
    if (options.json)
        return finishWith(jsonLine({{"added", added}, {"there", there}, {"rows", rows}}), Good);
    return finishWith(counted(added, "run") + " added, " + counted(rows, "row")
                          + (there > 0 ? "; " + counted(there, "run") + " there already" : "") + "\n",
                      Good);
}

/// Whether DuckDB reads the folder; an error if it is asked for and cannot.
Result<bool> takesDuckDb(const Options &options)
{
    if (options.fleet.engine == "built-in")
        return false;
    const Result<std::string> version = DuckDb::version();
    if (!version.ok() && options.fleet.engine == "duckdb")
        return version.error();
    return version.ok();
}

/// Parquet of the files of days, as far as DuckDB is there.
Result<std::size_t> packFleet(const Options &options, const FleetFolder &folder)
{
    JETSCOPE_TRY_ASSIGN(const bool byDuckDb, takesDuckDb(options));
    if (!byDuckDb)
        return std::size_t{0};
    JETSCOPE_TRY_ASSIGN(DuckDb database, DuckDb::open(folder.path()));
    return writeParquet(database, folder);
}

int fleetCompact(const Options &options)
{
    FleetProgress progress;
    const Result<FleetFolder> folder = FleetFolder::open(options.operands[1]);
    if (!folder.ok())
        return failed(folder.error());
    const Result<FleetCompaction> done = folder.value().compact(progress);
    if (!done.ok())
        return failed(done.error());
    const FleetCompaction &found = done.value();
    const Result<std::size_t> parquet = packFleet(options, folder.value());
    if (!parquet.ok())
        return failed(parquet.error());
    if (options.json)
        return finishWith(jsonLine({{"folders", found.folders},
                                    {"files", found.filesBefore},
                                    {"rows", found.rows},
                                    {"repeated", found.repeated},
                                    {"parquet", parquet.value()}}),
                          Good);
    return finishWith(counted(found.filesBefore, "file") + " became " + std::to_string(found.folders) + ", "
                          + counted(found.rows, "row")
                          + (found.repeated > 0 ? "; " + counted(found.repeated, "row") + " that were there twice" : "")
                          + (parquet.value() > 0 ? "; " + counted(parquet.value(), "file") + " of Parquet" : "") + "\n",
                      Good);
}

Status readBoards(const Options &options, const FleetFolder &folder, FleetBoards &boards, std::size_t &unfinished)
{
    JETSCOPE_TRY_ASSIGN(const bool byDuckDb, takesDuckDb(options));
    if (byDuckDb) {
        JETSCOPE_TRY_ASSIGN(const FleetListing listing, folder.list());
        unfinished = listing.unfinished;
        JETSCOPE_TRY_ASSIGN(DuckDb database, DuckDb::open(folder.path()));
        return reduceFleet(database, folder, boards);
    }
    FleetProgress progress;
    FleetReader reader;
    JETSCOPE_TRY(reader.readAll(
        folder, [&] { boards.clear(); },
        [&](const FleetRow &row, std::string_view) -> Status {
            boards.add(row);
            return progress.advance(0) ? Status() : cancelledError();
        }));
    unfinished = reader.unfinished();
    return {};
}

struct FleetAnswer {
    FleetBoards boards;
    FleetComparison comparison;
};

Result<FleetAnswer> compareFolder(const Options &options)
{
    JETSCOPE_TRY_ASSIGN(FleetSelection a, FleetSelection::parse(options.fleet.a));
    JETSCOPE_TRY_ASSIGN(FleetSelection b, FleetSelection::parse(options.fleet.b));
    JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::open(options.operands[1]));
    FleetBoards boards(std::move(a), std::move(b), {options.fleet.metrics.begin(), options.fleet.metrics.end()});
    std::size_t unfinished = 0;
    JETSCOPE_TRY(readBoards(options, folder, boards, unfinished));
    FleetComparison comparison = compareFleet(boards);
    if (unfinished > 0)
        comparison.notes.push_back(counted(unfinished, "file")
                                   + " being written, or left by a program that was killed: not read");
    return FleetAnswer{std::move(boards), std::move(comparison)};
}

int fleetQuery(const Options &options)
{
    if (options.operands.size() != 3)
        return complain(sentence("a query needs one SELECT: write \"jetscope fleet query DIR SQL\""), WrongUsage);
    const auto print = [](std::string_view row) { return jetscope::print(std::string(row) + "\n"); };
    const auto query = [&]() -> Status {
        JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::open(options.operands[1]));
        JETSCOPE_TRY_ASSIGN(DuckDb database, DuckDb::open(folder.path()));
        return queryFleet(database, folder, options.operands[2], print);
    };
    const Status done = query();
    return done.ok() ? Good : failed(done.error());
}

/// An error of usage if the sides are not given, or select nothing that rows have.
Status checkSides(const Options &options)
{
    if (options.fleet.a.empty() || options.fleet.b.empty())
        return sentence("a comparison needs two builds: add --a commit=OLD --b commit=NEW");
    for (const std::string &side : {options.fleet.a, options.fleet.b})
        if (const Result<FleetSelection> selection = FleetSelection::parse(side); !selection.ok())
            return selection.error();
    return {};
}

int fleetCompare(const Options &options)
{
    if (const Status sides = checkSides(options); !sides.ok())
        return complain(sides.error(), WrongUsage);
    const Result<FleetAnswer> answer = compareFolder(options);
    if (!answer.ok())
        return wasCancelled(answer.error())
            ? failed(answer.error())
            : finishWithoutVerdict(options.gate, options.fleet.a, options.fleet.b, answer.error());
    const FleetComparison &comparison = answer.value().comparison;
    return finishGate(options.gate, gateOf(comparison),
                      options.json ? jsonLine(fleetJson(comparison)) : fleetText(comparison));
}

/// A page of what a comparison found; whatever it is, the page is good.
int fleetReport(const Options &options)
{
    if (const Status sides = checkSides(options); !sides.ok())
        return complain(sides.error(), WrongUsage);
    if (!options.reportPath)
        return complain(sentence("a page needs a file: add --out FILE.html"), WrongUsage);
    const auto write = [&]() -> Status {
        JETSCOPE_TRY_ASSIGN(const FleetAnswer answer, compareFolder(options));
        JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(*options.reportPath));
        file.write(fleetHtml(answer.boards, answer.comparison, std::string("Jetscope ") + versionNumber()));
        return file.finish();
    };
    if (const Status written = write(); !written.ok())
        return failed(written.error());
    return finishWith(options.json ? jsonLine({{"out", *options.reportPath}}) : std::string(), Good);
}

constexpr FleetAction kFleetActions[] = {
    {"add", fleetAdd, true, false},     {"compact", fleetCompact, false, false}, {"compare", fleetCompare, false, true},
    {"query", fleetQuery, true, false}, {"report", fleetReport, false, true},
};

} // namespace

int fleetCommand(const Options &options)
{
    std::string names;
    for (const FleetAction &action : kFleetActions) {
        if (action.name != options.operands[0]) {
            names += (names.empty() ? "" : ", ") + std::string(action.name);
            continue;
        }
        const bool isOfComparison = !options.fleet.a.empty() || !options.fleet.b.empty() || options.gate.isWanted()
            || !options.fleet.metrics.empty();
        if (!action.takesFiles && options.operands.size() > 2)
            return complain(sentence(quotedWords(options.operands[2]) + " is one word too many: \"jetscope fleet "
                                     + std::string(action.name) + " DIR\" takes no files"),
                            WrongUsage);
        if (!action.isComparison && isOfComparison)
            return complain(
                sentence("--a, --b, --metric and the files for a CI are for \"jetscope fleet compare\" and \"jetscope "
                         "fleet report\": leave them out"),
                WrongUsage);
        return action.run(options);
    }
    return complain(
        sentence("there is no action " + quotedWords(options.operands[0]) + " of a fleet: take one of " + names),
        WrongUsage);
}

} // namespace jetscope
