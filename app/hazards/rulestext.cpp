// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/hazards/rulestext.h"

#include "app/commandline/textlayout.h"
#include "core/enumtable.h"

#include <array>

namespace jetscope {

namespace {

constexpr auto kLevelTexts =
    enumWords<HazardLevel>({"error: documented to fail or to give wrong results",
                            "luck: works on some devices and drivers, but no document promises it",
                            "cost: legal but slow", "note: explains a property of the device"});

constexpr std::size_t kRuleIdWidth = 5;
constexpr std::size_t kRuleTitleColumn = 12;
constexpr std::size_t kRuleLabelWidth = 12;
constexpr std::size_t kRulesWidth = 110;

/// Rules whose names have the same letter.
struct Family {
    char letter;
    std::string_view heading;
};

constexpr auto kRuleFamilies = std::to_array<Family>({
    {'O', "Order of accesses"},
    {'A', "Memory"},
    {'B', "Streams and waits"},
    {'C', "EGLImage"},
    {'D', "EGLSync"},
    {'E', "EGLStream"},
    {'F', "cuDLA"},
    {'G', "VPI"},
    {'H', "Measurements"},
});

std::string_view levelText(HazardLevel level)
{
    return kLevelTexts[static_cast<std::size_t>(level)];
}

std::string coverageText(const RuleCoverage &coverage)
{
    switch (coverage.state) {
    case RuleCoverage::State::Checked:
        return "checked";
    case RuleCoverage::State::CannotCheck:
        return "cannot be checked here: " + std::string(coverage.why);
    case RuleCoverage::State::DoesNotApply:
        return "does not apply: " + std::string(coverage.why);
    }
    return "";
}

std::string listRow(const Rule &rule, const std::optional<DeviceFacts> &facts)
{
    const std::string head = "  " + padded(rule.name, kRuleIdWidth) + std::string(nameOf(rule.level));
    std::string text = hangingParagraph(head, rule.title, kRuleTitleColumn + 2, kRulesWidth);
    if (facts)
        text += hangingParagraph("", coverageText(rule.coverage(*facts)), kRuleTitleColumn + 4, kRulesWidth);
    return text;
}

std::string allRules(const std::optional<DeviceFacts> &facts)
{
    std::string text;
    for (const Family &family : kRuleFamilies) {
        text += (text.empty() ? "" : "\n") + std::string(1, family.letter) + ": " + std::string(family.heading) + "\n";
        for (const Rule &rule : rules())
            if (rule.name.front() == family.letter)
                text += listRow(rule, facts);
    }
    if (facts) {
        const CoverageCounts counts = coverageOf(*facts);
        text += "\nOf " + std::to_string(rules().size()) + " rules " + std::to_string(counts.checked)
            + " are checked on " + facts->id + ", " + std::to_string(counts.cannotCheck) + " cannot be checked, "
            + std::to_string(counts.doesNotApply) + " do not apply.\n";
    }
    return text;
}

std::string oneRule(const Rule &rule, const std::optional<DeviceFacts> &facts)
{
    const auto row = [](std::string_view label, std::string_view value) {
        return hangingParagraph("  " + std::string(label), value, kRuleLabelWidth + 2, kRulesWidth);
    };
    std::string text = std::string(rule.name) + "  " + std::string(rule.title) + "\n"
        + row("Level", levelText(rule.level))
        + row("Condition", rule.condition.empty() ? "none: holds on every device" : rule.condition)
        + row("Rule", rule.sentence) + row("Fix", rule.fix) + row("Source", rule.source);
    if (facts)
        text += row("Device", facts->id + ": " + coverageText(rule.coverage(*facts)));
    return text;
}

} // namespace

std::string rulesText(const RulesReport &report)
{
    return report.only ? oneRule(ruleOf(*report.only), report.facts) : allRules(report.facts);
}

} // namespace jetscope
