// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/fleet/fleetadding.h"

#include "app/commandline/console.h"
#include "core/fleet/fleetrun.h"
#include "core/system/newfile.h"
#include "core/time/clock.h"

#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace jetscope {

Result<Options> withFleetCapture(const Options &options)
{
    Options with = options;
    if (!options.fleet.folder)
        return with;
    JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::create(*options.fleet.folder));
    if (options.recordPath || options.command == Command::Sweep)
        return with;
    const std::string captures = folder.path() + "/captures";
    std::error_code error;
    std::filesystem::create_directories(captures, error);
    if (error)
        return cannotCreate(captures, error.value());
    // Of several boards that share the folder, two may have the same number of a process.
    with.recordPath =
        captures + "/run-" + std::to_string(nowNs() + wallClockOffsetNs()) + "-" + std::to_string(getpid()) + ".jscope";
    return with;
}

int addToFleet(const Options &options, int code)
{
    if (!options.fleet.folder)
        return code;
    const std::string &path = options.recordPath ? *options.recordPath : options.sweep.outPath.value();
    NoProgress progress;
    const auto add = [&]() -> Status {
        JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::create(*options.fleet.folder));
        JETSCOPE_TRY_ASSIGN(const std::vector<FleetRun> runs,
                            fleetRunsOf(path, {options.fleet.board, options.fleet.commit}, progress));
        for (const FleetRun &run : runs) {
            JETSCOPE_TRY_ASSIGN(const bool isNew, folder.add(run));
            static_cast<void>(isNew);
        }
        return {};
    };
    if (const Status added = add(); !added.ok()) {
        complain("the run was not added to the fleet: " + added.error().message());
        return code == Good ? static_cast<int>(Failed) : code;
    }
    return code;
}

} // namespace jetscope
