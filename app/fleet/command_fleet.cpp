// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/fleet/fleetoutput.h"
#include "app/gate/gateoutput.h"
#include "core/fleet/fleetreader.h"
#include "core/fleet/fleetrun.h"
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
        const Result<FleetRun> run = fleetRunOf(capture, {options.fleet.board, options.fleet.commit}, progress);
        if (!run.ok())
            return failed(run.error());
        const Result<bool> isNew = folder.value().add(run.value());
        if (!isNew.ok())
            return failed(isNew.error());
        ++(isNew.value() ? added : there);
        rows += isNew.value() ? run.value().rows.size() : 0;
    }
    if (options.json)
        return finishWith(jsonLine({{"added", added}, {"there", there}, {"rows", rows}}), Good);
    return finishWith(counted(added, "run") + " added, " + counted(rows, "row")
                          + (there > 0 ? "; " + counted(there, "run") + " there already" : "") + "\n",
                      Good);
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
    if (options.json)
        return finishWith(jsonLine({{"folders", found.folders},
                                    {"files", found.filesBefore},
                                    {"rows", found.rows},
                                    {"repeated", found.repeated}}),
                          Good);
    return finishWith(counted(found.filesBefore, "file") + " became " + std::to_string(found.folders) + ", "
                          + counted(found.rows, "row")
                          + (found.repeated > 0 ? "; " + counted(found.repeated, "row") + " that were there twice" : "")
                          + "\n",
                      Good);
}

Result<FleetComparison> compareFolder(const Options &options, FleetSelection a, FleetSelection b)
{
    FleetProgress progress;
    JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::open(options.operands[1]));
    FleetBoards boards(std::move(a), std::move(b), {options.fleet.metrics.begin(), options.fleet.metrics.end()});
    FleetReader reader;
    JETSCOPE_TRY(reader.readAll(
        folder, [&] { boards.clear(); },
        [&](const FleetRow &row, std::string_view) -> Status {
            boards.add(row);
            return progress.advance(0) ? Status() : cancelledError();
        }));
    FleetComparison comparison = compareFleet(boards);
    if (reader.unfinished() > 0)
        comparison.notes.push_back(counted(reader.unfinished(), "file")
                                   + " being written, or left by a program that was killed: not read");
    return comparison;
}

int fleetCompare(const Options &options)
{
    if (options.fleet.a.empty() || options.fleet.b.empty())
        return complain(sentence("a comparison needs two builds: write \"jetscope fleet compare DIR --a commit=OLD --b "
                                 "commit=NEW\""),
                        WrongUsage);
    Result<FleetSelection> a = FleetSelection::parse(options.fleet.a);
    Result<FleetSelection> b = FleetSelection::parse(options.fleet.b);
    for (const auto *side : {&a, &b})
        if (!side->ok())
            return complain(side->error(), WrongUsage);
    const Result<FleetComparison> comparison = compareFolder(options, std::move(a).value(), std::move(b).value());
    if (!comparison.ok())
        return wasCancelled(comparison.error())
            ? failed(comparison.error())
            : finishWithoutVerdict(options.gate, options.fleet.a, options.fleet.b, comparison.error());
    return finishGate(options.gate, gateOf(comparison.value()),
                      options.json ? jsonLine(fleetJson(comparison.value())) : fleetText(comparison.value()));
}

constexpr FleetAction kFleetActions[] = {
    {"add", fleetAdd, true, false},
    {"compact", fleetCompact, false, false},
    {"compare", fleetCompare, false, true},
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
                sentence("--a, --b, --metric and the files for a CI are for \"jetscope fleet compare\": leave "
                         "them out"),
                WrongUsage);
        return action.run(options);
    }
    return complain(
        sentence("there is no action " + quotedWords(options.operands[0]) + " of a fleet: take one of " + names),
        WrongUsage);
}

} // namespace jetscope
