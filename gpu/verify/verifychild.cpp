// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The process of one check.
#include "core/platform/cudaversion.h"
#include "core/verify/verifyjson.h"
#include "gpu/cupti/childprocess.h"
#include "gpu/verify/verifyrun.h"
#include "gpu/verify/verifywords.h"

#include <sys/utsname.h>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr unsigned kMostCheckSeconds = 120;

std::string textOfCapability(const DeviceFacts &facts)
{
    return std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor);
}

int answer(const std::function<std::string()> &make)
{
    const ChildReport report(kMostCheckSeconds);
    if (!report.canWrite())
        return 1;
    _exit(report.write(make()) ? 0 : 1); // What drivers do when they are unloaded is no part of the check.
}

} // namespace

VerifiedMachine describeMachine(const VerifyWorld &world)
{
    VerifiedMachine machine;
    Result<std::shared_ptr<EglDisplay>> display = world.openDisplay(world.deviceId);
    const std::shared_ptr<EglDisplay> opened = display.ok() ? display.value() : nullptr;
    if (opened)
        machine.display = opened->glVersion() + " on " + opened->renderer();
    const Result<std::unique_ptr<Device>> device = world.openDevice(world.deviceId, opened);
    machine.device = world.deviceId;
    if (!device.ok())
        return machine;
    const DeviceFacts &facts = device.value()->facts();
    machine.device += ", " + facts.name;
    machine.capability = textOfCapability(facts);
    if (facts.driverVersion)
        machine.driver = "CUDA " + cudaVersionText(*facts.driverVersion);
    if (facts.runtimeVersion)
        machine.runtime = "CUDA " + cudaVersionText(*facts.runtimeVersion);
    return machine;
}

std::optional<int> verifyRowIfAsked(int argc, char **argv, void (*prepare)(VerifyWorld &world))
{
    if (argc != 6 || argv[1] != kVerifyWord) {
        ownVerifyCommand() = {"/proc/self/exe", std::string(kVerifyWord)};
        return std::nullopt;
    }
    endWithParent();
    VerifyWorld world;
    world.deviceId = argv[3];
    world.root = argv[4];
    world.loadable = argv[5];
    if (prepare)
        prepare(world);
    if (argv[2] == kVerifyMachineWord)
        return answer([&] { return verifiedMachineJson(describeMachine(world)); });
    const VerifyCheck *const check = verifyCheck(argv[2]);
    if (!check)
        return 2;
    return answer([&] { return verifyResultJson(runCheck(*check, world)); });
}

} // namespace jetscope
