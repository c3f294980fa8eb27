// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verifyreport.h"

#include "core/enumtable.h"

#include <algorithm>

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

} // namespace

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
