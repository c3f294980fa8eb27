// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verifyreport.h"

#include "core/enumtable.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <iterator>

namespace jetscope {

namespace {

constexpr auto kVerifyOutcomes = enumWords<VerifyOutcome>({"passed", "failed", "not possible"});
constexpr auto kAgreements = enumWords<Agreement>({"yes", "no", "open"});

template <class T, class Words>
std::optional<T> valueOfWord(const Words &words, std::string_view word)
{
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
        return std::nullopt;
    return static_cast<T>(found - words.begin());
}

std::string listed(const std::vector<std::string> &parts)
{
    std::vector<std::string> known;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(known), [](const auto &part) { return !part.empty(); });
    return joined(known, " · ");
}

std::string labelled(const char *before, const std::string &text)
{
    return text.empty() ? std::string() : before + text;
}

} // namespace

std::vector<std::pair<std::string, std::string>> describeMachine(const VerifiedMachine &machine)
{
    std::vector<std::pair<std::string, std::string>> parts = {
        {"Board",
         listed({machine.board, machine.module, machine.chip, labelled("L4T ", machine.l4t),
                 labelled("JetPack ", machine.jetpack)})},
        {"Device",
         listed({machine.device, labelled("compute capability ", machine.capability),
                 labelled("driver ", machine.driver), labelled("runtime ", machine.runtime)})},
        {"Display", machine.display},
        {"System", listed({machine.architecture, labelled("kernel ", machine.kernel)})},
        {"Made by", listed({machine.madeBy, machine.date})}};
    std::erase_if(parts, [](const auto &part) { return part.second.empty(); });
    return parts;
}

std::string_view nameOf(VerifyOutcome outcome)
{
    return kVerifyOutcomes[static_cast<std::size_t>(outcome)];
}

std::optional<VerifyOutcome> verifyOutcomeOf(std::string_view name)
{
    return valueOfWord<VerifyOutcome>(kVerifyOutcomes, name);
}

std::string_view nameOf(Agreement agreement)
{
    return kAgreements[static_cast<std::size_t>(agreement)];
}

std::optional<Agreement> agreementOf(std::string_view name)
{
    return valueOfWord<Agreement>(kAgreements, name);
}

VerifyResult passed()
{
    return {VerifyOutcome::Passed, {}, {}};
}

VerifyResult failed(std::string reason)
{
    return {VerifyOutcome::Failed, std::move(reason), {}};
}

VerifyResult notPossible(std::string reason)
{
    return {VerifyOutcome::NotPossible, std::move(reason), {}};
}

VerifyResult judged(std::vector<VerifyFact> facts)
{
    VerifyResult result = passed();
    for (const VerifyFact &fact : facts)
        if (fact.agrees == Agreement::No && result.outcome == VerifyOutcome::Passed)
            result = failed(fact.what + ": documented is " + fact.documented + ", found was " + fact.found);
    result.facts = std::move(facts);
    return result;
}

std::size_t VerifyReport::count(VerifyOutcome outcome) const
{
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [outcome](const VerifyRow &row) { return row.result.outcome == outcome; }));
}

} // namespace jetscope
