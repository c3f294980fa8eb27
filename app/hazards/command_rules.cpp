// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/plainerror.h"
#include "app/commandline/textlayout.h"
#include "app/hazards/rulesjson.h"
#include "app/hazards/rulestext.h"

namespace jetscope {

namespace {

Result<DeviceFacts> openedFacts(const std::string &deviceId)
{
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<EglDisplay> display, openHeadlessDisplay(deviceId));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Device> device, openDevice(deviceId, display));
    return device->facts();
}

} // namespace

int rulesCommand(const Options &options)
{
    RulesReport report;
    if (!options.operands.empty()) {
        report.only = ruleNamed(options.operands[0]);
        if (!report.only)
            return complain(
                plainError("there is no rule " + quotedWords(options.operands[0]) + ": \"jetscope rules\" lists them"),
                WrongUsage);
    }
    if (options.deviceId) {
        if (const Status checked = checkDevice(*options.deviceId, listDevices()); !checked.ok())
            return complain(checked.error(), WrongUsage);
        const Result<DeviceFacts> facts = openedFacts(*options.deviceId);
        if (!facts.ok())
            return complain(facts.error(), Failed);
        report.facts = facts.value();
    }
    return finishWith(options.json ? jsonLine(rulesJson(report)) : rulesText(report), Good);
}

} // namespace jetscope
