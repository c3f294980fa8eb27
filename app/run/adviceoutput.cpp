// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/adviceoutput.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"

#include <cmath>

namespace jetscope {

namespace {

JsonValue triedJson(const std::optional<TrialOutcome> &tried)
{
    if (!tried)
        return JsonValue();
    const bool measured = tried->isMeasured();
    const bool known = measured && std::isfinite(tried->noise);
    return JsonObject{{"ratio", measured ? JsonValue(tried->ratio) : JsonValue()},
                      {"noise", known ? JsonValue(tried->noise) : JsonValue()},
                      {"verdict", verdictName(tried->verdict)},
                      {"reason", jsonTextOrNull(measured ? std::string() : tried->reason)}};
}

/// Whether two values of one key can share a line because their data is the same.
bool isLike(const TriedCandidate &a, const TriedCandidate &b)
{
    return !a.tried && !b.tried && a.candidate.key == b.candidate.key && a.candidate.atMost == b.candidate.atMost
        && a.candidate.basis == b.candidate.basis && a.candidate.replaced == b.candidate.replaced;
}

std::string lineOf(const TriedCandidate &entry, const std::string &settings)
{
    const Candidate &candidate = entry.candidate;
    const std::string most =
        std::string(metricWords(candidate.metric)) + " at most " + fixedText(candidate.atMost * 100, 0) + " % shorter";
    return settings + ", " + (entry.tried ? "tried: " + outcomeWords(*entry.tried) : "untried") + " (" + most + "); "
        + candidate.basis;
}

std::string linesOf(std::span<const TriedCandidate> list, bool replaced, std::size_t labelWidth, std::size_t lineWidth)
{
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::string settings = list[i].candidate.setting();
        for (; i + 1 < list.size() && isLike(list[i], list[i + 1]); ++i)
            settings += " or " + list[i + 1].candidate.value;
        if (list[i].candidate.replaced == replaced)
            text +=
                hangingParagraph(replaced ? "Could try" : "Advice", lineOf(list[i], settings), labelWidth, lineWidth);
    }
    return text;
}

} // namespace

JsonArray adviceJson(std::span<const TriedCandidate> list)
{
    JsonArray array;
    for (const TriedCandidate &entry : list) {
        const Candidate &candidate = entry.candidate;
        array.push_back(JsonObject{{"key", candidate.key},
                                   {"value", candidate.value},
                                   {"metric", metricName(candidate.metric)},
                                   {"at_most", candidate.atMost},
                                   {"basis", candidate.basis},
                                   {"replaces", candidate.replaced},
                                   {"tried", triedJson(entry.tried)}});
    }
    return array;
}

std::string adviceText(std::span<const TriedCandidate> list, std::size_t labelWidth, std::size_t lineWidth)
{
    return linesOf(list, false, labelWidth, lineWidth) + linesOf(list, true, labelWidth, lineWidth);
}

} // namespace jetscope
