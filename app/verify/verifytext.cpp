// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/verify/verifytext.h"

#include "app/commandline/textlayout.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kVerifyWidth = 110;
constexpr std::size_t kVerifyIdWidth = 26;
constexpr std::size_t kVerifyLabelWidth = 12;

std::string machineText(const VerifiedMachine &machine)
{
    std::string text;
    for (const auto &[label, value] : describeMachine(machine))
        text += hangingParagraph(label, value, kVerifyLabelWidth, kVerifyWidth);
    return text;
}

std::vector<const VerifyRow *> rowsOf(const VerifyReport &report, VerifyOutcome outcome)
{
    std::vector<const VerifyRow *> rows;
    for (const VerifyRow &row : report.rows)
        if (row.result.outcome == outcome)
            rows.push_back(&row);
    return rows;
}

std::string section(const char *title, std::size_t count)
{
    return "\n" + std::string(title) + ": " + std::to_string(count) + "\n";
}

std::string indented(const std::string &text)
{
    return hangingParagraph("", text, kVerifyIdWidth, kVerifyWidth);
}

std::string failedText(const VerifyRow &row)
{
    std::string text = hangingParagraph("  " + row.id, row.proves + ".", kVerifyIdWidth, kVerifyWidth)
        + indented("Document: " + row.document + ": " + row.says + ".")
        + indented("What came: " + row.result.reason + ".");
    for (const VerifyFact &fact : row.result.facts)
        if (fact.agrees == Agreement::No && row.result.reason.find(fact.found) == std::string::npos)
            text += indented(fact.what + ": documented is " + fact.documented + ", found was " + fact.found + ".");
    return text;
}

/// Each reason once, with the rows that have it.
std::string absentText(const std::vector<const VerifyRow *> &rows)
{
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
    for (const VerifyRow *row : rows) {
        auto same = std::find_if(reasons.begin(), reasons.end(),
                                 [&](const auto &other) { return other.first == row->result.reason; });
        if (same == reasons.end())
            same = reasons.insert(reasons.end(), {row->result.reason, {}});
        same->second.push_back(row->id);
    }
    std::string text;
    for (const auto &[reason, ids] : reasons)
        text += hangingParagraph("  ", joined(ids, ", ") + ": " + reason + ".", 4, kVerifyWidth);
    return text;
}

/// What no document decides, or the figures do not.
std::string openText(const std::vector<const VerifyRow *> &rows)
{
    std::string text;
    for (const VerifyRow *row : rows)
        for (const VerifyFact &fact : row->result.facts)
            if (fact.agrees == Agreement::Open)
                text +=
                    hangingParagraph("  " + row->id, fact.what + ": " + fact.found + ".", kVerifyIdWidth, kVerifyWidth);
    return text;
}

} // namespace

std::string verifyText(const VerifyReport &report)
{
    std::string text = machineText(report.machine);
    const auto failures = rowsOf(report, VerifyOutcome::Failed);
    text += section("Failed", failures.size());
    for (const VerifyRow *row : failures)
        text += failedText(*row);
    const auto absent = rowsOf(report, VerifyOutcome::NotPossible);
    text += section("Not possible here", absent.size()) + absentText(absent);
    const auto good = rowsOf(report, VerifyOutcome::Passed);
    text += section("Passed", good.size());
    std::vector<std::string> ids;
    std::transform(good.begin(), good.end(), std::back_inserter(ids), [](const VerifyRow *row) { return row->id; });
    if (!ids.empty())
        text += hangingParagraph("  ", joined(ids, ", "), 4, kVerifyWidth);
    if (const std::string open = openText(good); !open.empty())
        text += "\nFound, and decided by no document or not by the figures:\n" + open;
    return text;
}

} // namespace jetscope
