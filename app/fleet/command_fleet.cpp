// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/help.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/fleet/fleetoutput.h"
#include "app/gate/gateoutput.h"
#include "core/fleet/fleetcaptures.h"
#include "core/fleet/fleetopening.h"
#include "core/fleet/fleetreport.h"
#include "core/fleet/fleetrun.h"
#include "core/fleet/fleetsql.h"
#include "core/fleet/reducedfleet.h"
#include "core/system/newfile.h"
#include "core/text/shorttext.h"

#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

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

FleetEngine engineOf(const Options &options)
{
    return options.fleet.engine == "built-in" ? FleetEngine::BuiltIn
        : options.fleet.engine == "duckdb"    ? FleetEngine::DuckDb
                                              : FleetEngine::Best;
}

/// Parquet of the files of days, as far as DuckDB is there.
Result<std::size_t> packFleet(const Options &options, const FleetFolder &folder)
{
    JETSCOPE_TRY_ASSIGN(const bool byDuckDb, isByDuckDb(engineOf(options)));
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

Result<FleetBoards> sidesOf(const Options &options)
{
    JETSCOPE_TRY_ASSIGN(FleetSelection a, FleetSelection::parse(options.fleet.a));
    JETSCOPE_TRY_ASSIGN(FleetSelection b, FleetSelection::parse(options.fleet.b));
    return FleetBoards(std::move(a), std::move(b), {options.fleet.metrics.begin(), options.fleet.metrics.end()});
}

/// Whether DIR is no folder, but what `reduce` printed.
bool isReduced(const std::string &path)
{
    std::error_code unknown;
    return path == "-" || std::filesystem::is_regular_file(path, unknown);
}

Result<FleetAnswer> compareFolder(const Options &options)
{
    JETSCOPE_TRY_ASSIGN(FleetBoards boards, sidesOf(options));
    std::size_t unfinished = 0;
    if (isReduced(options.operands[1])) {
        JETSCOPE_TRY_ASSIGN(unfinished, readReduced(options.operands[1], boards));
    } else {
        JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::open(options.operands[1]));
        FleetProgress progress;
        JETSCOPE_TRY(readBoards(folder, engineOf(options), boards, unfinished, progress));
    }
    return answerOf(std::move(boards), unfinished);
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

/// One share of a folder, for an engine that gives each of its workers one.
Status printReduced(const Options &options)
{
    const auto print = [](std::string_view line) { return jetscope::print(std::string(line)); };
    JETSCOPE_TRY_ASSIGN(const FleetPart part, FleetPart::parse(options.fleet.part.value_or("0/1")));
    JETSCOPE_TRY_ASSIGN(FleetBoards boards, sidesOf(options));
    JETSCOPE_TRY_ASSIGN(const FleetFolder whole, FleetFolder::open(options.operands[1]));
    const FleetFolder folder = whole.part(part);
    JETSCOPE_TRY_ASSIGN(const FleetListing listing, folder.list());
    JETSCOPE_TRY_ASSIGN(const bool byDuckDb, isByDuckDb(engineOf(options)));
    if (!byDuckDb || listing.files.empty()) {
        std::size_t unfinished = 0;
        FleetProgress progress;
        JETSCOPE_TRY(readFleet(folder, boards, unfinished, progress));
        return writeReduced(boards, part, unfinished, print);
    }
    JETSCOPE_TRY_ASSIGN(DuckDb database, DuckDb::open(folder.path()));
    JETSCOPE_TRY(print(reducedBegin(boards, part, listing.unfinished)));
    JETSCOPE_TRY(reduceFleet(database, folder, std::as_const(boards),
                             [&](std::string_view json) { return print(std::string(json) + "\n"); }));
    return print(reducedEnd(part));
}

int fleetReduce(const Options &options)
{
    if (const Status sides = checkSides(options); !sides.ok())
        return complain(sides.error(), WrongUsage);
    if (const Result<FleetPart> part = FleetPart::parse(options.fleet.part.value_or("0/1")); !part.ok())
        return complain(part.error(), WrongUsage);
    const Status done = printReduced(options);
    return done.ok() ? Good : complain(wasCancelled(done.error()) ? sentence("interrupted") : done.error(), NoVerdict);
}

/// The statements of `reduce` for an engine that has the table `runs`, an object a line.
int fleetSql(const Options &options)
{
    if (const Status sides = checkSides(options); !sides.ok())
        return complain(sides.error(), WrongUsage);
    const Result<FleetBoards> boards = sidesOf(options);
    if (!boards.ok())
        return failed(boards.error());
    const std::string begin = reducedBegin(boards.value(), {}, 0);
    const std::string end = reducedEnd({});
    std::string text = jsonLine({{"name", "begin"}, {"line", begin.substr(0, begin.size() - 1)}});
    std::string columns;
    for (const FleetField &field : fleetFields())
        columns += (columns.empty() ? "" : ", ") + std::string(field.name)
            + (field.sqlType == "VARCHAR" ? " STRING" : " " + std::string(field.sqlType));
    text += jsonLine({{"name", "columns"}, {"sql", columns}});
    for (const FleetStatement &statement : fleetStatements(boards.value()))
        text += jsonLine({{"name", statement.name}, {"sql", statement.sql}});
    return finishWith(text + jsonLine({{"name", "end"}, {"line", end.substr(0, end.size() - 1)}}), Good);
}

/// Brings a capture as BOARD-RUN.jscope into a folder; one that is there already stays.
Result<std::string> bring(const std::string &from, const RunCapture &capture, const std::string &to)
{
    std::error_code error;
    std::filesystem::create_directories(to, error);
    const std::string path = to + "/" + nameInPath(capture.board) + "-" + capture.run + ".jscope";
    const auto copy = [&](const std::string &place) -> Status {
        std::filesystem::copy_file(from, place, std::filesystem::copy_options::overwrite_existing, error);
        return error ? Status(cannotCreate(path, error.value())) : Status();
    };
    JETSCOPE_TRY(replaceFile(path, copy));
    return path;
}

/// Every run is looked for, whatever became of those before.
int fleetSpans(const Options &options)
{
    if (filesOf(options).empty())
        return complain(sentence("there is no run: write \"jetscope fleet spans DIR RUN…\""), WrongUsage);
    FleetProgress progress;
    const Result<FleetFolder> folder = FleetFolder::open(options.operands[1]);
    if (!folder.ok())
        return failed(folder.error());
    const auto names = filesOf(options);
    const Result<std::vector<RunCapture>> captures =
        capturesOfRuns(folder.value(), {names.begin(), names.end()}, progress);
    if (!captures.ok())
        return failed(captures.error());
    JsonArray rows;
    std::string text;
    ExitCode code = Good;
    for (const RunCapture &capture : captures.value()) {
        Result<std::string> path = findCapture(folder.value(), capture);
        if (path.ok() && options.reportPath)
            path = bring(path.value(), capture, *options.reportPath);
        JsonObject row{{"run", capture.run}, {"board", capture.board}, {"commit", capture.commit}};
        row[path.ok() ? "path" : "missing"] = path.ok() ? path.value() : path.error().message();
        rows.push_back(row);
        text += path.ok() ? path.value() + "\n" : "";
        if (!path.ok()) {
            complain(path.error(), Failed);
            code = Failed;
        }
    }
    return finishWith(options.json ? jsonLine({{"captures", rows}}) : text, code);
}

constexpr FleetAction kFleetActions[] = {
    {"add", fleetAdd, true, false},     {"compact", fleetCompact, false, false}, {"compare", fleetCompare, false, true},
    {"query", fleetQuery, true, false}, {"reduce", fleetReduce, false, true},    {"report", fleetReport, false, true},
    {"spans", fleetSpans, true, false}, {"sql", fleetSql, false, true},
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
                sentence("--a, --b, --metric and the files for a CI are for \"jetscope fleet compare\", report and "
                         "reduce: leave them out"),
                WrongUsage);
        return action.run(options);
    }
    return complain(
        sentence("there is no action " + quotedWords(options.operands[0]) + " of a fleet: take one of " + names),
        WrongUsage);
}

} // namespace jetscope
