// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/attach/attachrun.h"
#include "app/attach/probe.h"
#include "app/commandline/console.h"
#include "app/commandline/jsonvalues.h"
#include "app/fleet/fleetadding.h"
#include "core/system/newfile.h"

#include <cstdio>

namespace jetscope {

int attachCommand(const Options &given)
{
    if (given.attach.probe)
        return finishWith(attachProbeText(), Good);
    const Result<Options> with = withFleetCapture(given);
    if (!with.ok())
        return complain(with.error(), Failed);
    const Options &options = with.value();
    if (options.operands.empty())
        return complain(sentence("there is no program to inspect: write \"jetscope attach -- PROGRAM ARGUMENTS\""),
                        WrongUsage);
    if (options.attach.jsonPath == "-")
        return complain(sentence("\"--json -\" is not possible, because standard output is the program's: give a file"),
                        WrongUsage);
    std::optional<OutputFile> json;
    if (options.attach.jsonPath) {
        Result<OutputFile> created = OutputFile::create(*options.attach.jsonPath);
        if (!created.ok())
            return complain(created.error(), Failed);
        json.emplace(std::move(created).value());
    }
    const Result<AttachReport> run = runAttached(options);
    if (!run.ok())
        return complain(run.error(), Failed);
    const AttachReport &report = run.value();
    // Standard output is the program's.
    if (json) {
        json->write(jsonLine(attachJson(report)));
        if (const Status written = json->finish(); !written.ok())
            complain(written.error(), Failed);
    } else {
        std::fputs(attachText(report).c_str(), stderr);
    }
    return addToFleet(options, report.end->exitCode);
}

} // namespace jetscope
