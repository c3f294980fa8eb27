// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "app/hazards/rulestext.h"

namespace jetscope {

namespace {

JsonObject coverageJson(const RuleCoverage &coverage)
{
    const char *state = coverage.state == RuleCoverage::State::Checked ? "checked"
        : coverage.state == RuleCoverage::State::CannotCheck           ? "cannot_check"
                                                                       : "does_not_apply";
    return {{"state", state}, {"reason", jsonTextOrNull(coverage.why)}};
}

JsonObject ruleJson(const Rule &rule, const std::optional<DeviceFacts> &facts)
{
    JsonObject json{{"id", rule.name},           {"level", nameOf(rule.level)},
                    {"title", rule.title},       {"condition", jsonTextOrNull(rule.condition)},
                    {"sentence", rule.sentence}, {"fix", rule.fix},
                    {"source", rule.source}};
    if (facts)
        json["coverage"] = coverageJson(rule.coverage(*facts));
    return json;
}

/// The object that `rules --json` prints.
JsonObject rulesJson(const RulesReport &report)
{
    JsonArray rows;
    for (const Rule &rule : rules())
        if (!report.only || *report.only == rule.id)
            rows.push_back(ruleJson(rule, report.facts));
    JsonObject json{{"rules", rows}};
    if (report.facts) {
        const CoverageCounts counts = coverageOf(*report.facts);
        json["device"] = report.facts->id;
        json["checked"] = counts.checked;
        json["cannot_check"] = counts.cannotCheck;
        json["does_not_apply"] = counts.doesNotApply;
    }
    return json;
}

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
                sentence("there is no rule " + quotedWords(options.operands[0]) + ": \"jetscope rules\" lists them"),
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
