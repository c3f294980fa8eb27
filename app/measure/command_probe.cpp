// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/help.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "app/measure/measuring.h"
#include "app/measure/probeoutput.h"
#include "app/measure/probetext.h"
#include "core/measure/probe/keptprobes.h"
#include "core/measure/probe/probejson.h"
#include "core/system/newfile.h"
#include "gpu/measure/probesteps.h"

#include <array>
#include <ctime>
#include <optional>

namespace jetscope {

namespace {

std::string utcNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

int printProbe(const Options &options, const ProbeTable &table, const std::optional<ProbeSource> &source, int code)
{
    return finishWith(options.json ? jsonLine(probeOutputJson(table, source)) : probeText(table, source),
                      static_cast<ExitCode>(code));
}

/// What a user reads or takes along names the board that the command runs on. The kept table does not: it is found by
/// the name of the device.
ProbeTable withBoard(ProbeTable table)
{
    table.device.name = deviceWithBoard(table.device.name);
    return table;
}

/// Writes the table where it is kept and where the user wants it.
int store(const ProbeTable &table, std::optional<OutputFile> &file)
{
    int code = Good;
    if (file) {
        file->write(probeJson(withBoard(table)));
        if (const Status written = file->finish(); !written.ok())
            code = complain(written.error(), Failed);
    }
    if (const Status kept = keepProbe(table, userDataFolder()); !kept.ok())
        complain(kept.error().text);
    return code;
}

int probeDevice(const Options &options, const std::string &deviceId, const std::optional<ProbeSource> &source)
{
    const Interrupt interrupt;
    std::optional<OutputFile> file; // Created first, so that nothing is measured in vain; removed unless complete.
    if (options.probePath) {
        Result<OutputFile> created = OutputFile::create(*options.probePath);
        if (!created.ok())
            return complain(created.error(), Failed);
        file.emplace(std::move(created).value());
    }
    const Result<OpenBench> open = openBench(deviceId);
    if (!open.ok())
        return complain(open.error(), Failed);
    ProbeBench &bench = *open.value().bench;
    Rounds rounds(probeSteps(bench), roundsMethod(options, RoundsMethod().most));
    const bool interrupted = runRounds(rounds, *open.value().device, interrupt, options.sweep.progress);
    if (!rounds.isEnough())
        return tooFewRounds(rounds, interrupted);
    ProbeTable table = probeTable(bench, rounds);
    table.date = utcNow();
    table.madeBy = std::string("Jetscope ") + versionNumber();
    if (interrupted)
        complain("interrupted after " + counted(rounds.completeRounds(), "round") + "; the table is not kept");
    return printProbe(options, withBoard(table), source, interrupted ? Good : store(table, file));
}

} // namespace

int probeCommand(const Options &options)
{
    std::optional<ProbeSource> source; // Opened first, so that nothing is measured in vain.
    if (options.source) {
        Result<ProbeSource> opened = probeSource(*options.source);
        if (!opened.ok())
            return complain(opened.error(), Failed);
        source = std::move(opened).value();
    }
    if (options.tablePath) {
        if (options.deviceId || options.probePath || options.seconds)
            return complain(sentence("--from explains a table and measures nothing; leave out --device, --out and "
                                     "--time"),
                            WrongUsage);
        const Result<ProbeTable> table = readProbe(*options.tablePath);
        return table.ok() ? printProbe(options, table.value(), source, Good) : complain(table.error(), Failed);
    }
    if (options.deviceId)
        if (const Status checked = checkDevice(*options.deviceId, listDevices()); !checked.ok())
            return complain(checked.error(), WrongUsage);
    return probeDevice(options, options.deviceId.value_or(bestDeviceId()), source);
}

} // namespace jetscope
