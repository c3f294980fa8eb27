// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/hazards/rulesjson.h"

#include "app/commandline/jsonvalues.h"

#include <QJsonArray>

namespace jetscope {

namespace {

QJsonObject coverageJson(const RuleCoverage &coverage)
{
    const char *state = coverage.state == RuleCoverage::State::Checked ? "checked"
        : coverage.state == RuleCoverage::State::CannotCheck           ? "cannot_check"
                                                                       : "does_not_apply";
    return {{"state", state}, {"reason", jsonTextOrNull(coverage.why)}};
}

QJsonObject ruleJson(const Rule &rule, const std::optional<DeviceFacts> &facts)
{
    QJsonObject json{{"id", jsonText(rule.name)},           {"level", jsonText(nameOf(rule.level))},
                     {"title", jsonText(rule.title)},       {"condition", jsonTextOrNull(rule.condition)},
                     {"sentence", jsonText(rule.sentence)}, {"fix", jsonText(rule.fix)},
                     {"source", jsonText(rule.source)}};
    if (facts)
        json["coverage"] = coverageJson(rule.coverage(*facts));
    return json;
}

} // namespace

QJsonObject rulesJson(const RulesReport &report)
{
    QJsonArray rows;
    for (const Rule &rule : rules())
        if (!report.only || *report.only == rule.id)
            rows.append(ruleJson(rule, report.facts));
    QJsonObject json{{"rules", rows}};
    if (report.facts) {
        const CoverageCounts counts = coverageOf(*report.facts);
        json["device"] = jsonText(report.facts->id);
        json["checked"] = counts.checked;
        json["cannot_check"] = counts.cannotCheck;
        json["does_not_apply"] = counts.doesNotApply;
    }
    return json;
}

} // namespace jetscope
