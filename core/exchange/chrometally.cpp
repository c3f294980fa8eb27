// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chrometally.h"

#include "core/text/shorttext.h"

#include <algorithm>
#include <iterator>

namespace jetscope {

namespace {

using Fate = ChromeTally::Fate;

struct FateRow {
    Fate fate;
    std::string_view shownAs;
    std::string_view reason;
};

constexpr FateRow kFateRows[] = {
    {Fate::Span, "spans", {}},
    {Fate::Mark, "marks", {}},
    {Fate::Value, "values of counters", {}},
    {Fate::Name, "names of lanes and counters", {}},
    {Fate::Arrow, "arrows", {}},
    {Fate::Frame, "frames", {}},
    {Fate::Damaged, {}, "they are no valid JSON, or no objects"},
    {Fate::CutShort, {}, "the file ends within them"},
    {Fate::TooLarge, {}, "they take more than 64 MB"},
    {Fate::Empty, {}, "they are empty"},
    {Fate::OtherKind, {}, "nothing of their kind is shown"},
    {Fate::WrongTime, {}, "their time is no number of microseconds"},
    {Fate::FarTime, {}, "their time cannot be: it is 0 or far outside that of all others"},
    {Fate::WrongDuration, {}, "their duration is no number of microseconds from 0 on"},
    {Fate::WrongFigures, {}, "their figures are wrong"},
    {Fate::NoNumber, {}, "their value is no number"},
    {Fate::UnusedName, {}, "they say nothing that is shown"},
    {Fate::NothingBegan, {}, "they end spans that have no beginning"},
    {Fate::WithoutSpan, {}, "they touch no span"},
    {Fate::Loose, {}, "the other end of their arrow is not in the file, or touches no span"},
    {Fate::TooManyThreads, {}, "there are more than 10000 threads"},
    {Fate::TooManyCounters, {}, "there are more than 65535 counters"},
    {Fate::TooManyMarks, {}, "no more than 100000 marks are kept, the newest"},
    {Fate::TooManyArrows, {}, "there are too many arrows"},
    {Fate::TooDeep, {}, "they overlap 256 others"},
    {Fate::Older, {}, "they are older than what is kept: raise the limit of spans"},
};

struct PhaseRow {
    char phase;
    std::string_view kind;
};

constexpr PhaseRow kPhaseRows[] = {
    {'X', "X events (spans)"},
    {'B', "B events (begin of spans)"},
    {'E', "E events (end of spans)"},
    {'b', "b events (begin, asynchronous)"},
    {'e', "e events (end, asynchronous)"},
    {'n', "n events (moments, asynchronous)"},
    {'C', "C events (counters)"},
    {'M', "M events (metadata)"},
    {'s', "s events (begin of arrows)"},
    {'t', "t events (steps of arrows)"},
    {'f', "f events (end of arrows)"},
    {'i', "i events (marks)"},
    {'I', "I events (marks)"},
    {'P', "P events (samples)"},
    {'N', "N events (objects)"},
    {'O', "O events (objects)"},
    {'D', "D events (objects)"},
    {'v', "v events (memory)"},
    {'V', "V events (memory)"},
    {'c', "c events (clocks)"},
};

std::string kindOf(char phase)
{
    if (phase == ChromeTally::kNoPhase)
        return "events";
    const auto *const known = std::find_if(std::begin(kPhaseRows), std::end(kPhaseRows),
                                           [phase](const PhaseRow &row) { return row.phase == phase; });
    if (known != std::end(kPhaseRows))
        return std::string(known->kind);
    const bool visible = phase > ' ' && phase <= '~';
    return visible ? std::string(1, phase) + " events" : "events of an unknown kind";
}

} // namespace

void ChromeTally::add(char phase, Fate fate, std::uint64_t number, std::string_view token)
{
    constexpr std::size_t kShown = 40;
    add(phase, fate);
    std::string &example = m_examples[static_cast<std::size_t>(fate)];
    if (example.empty())
        example = "event " + std::to_string(number) + ": "
            + (token.empty() ? std::string("none") : std::string(shortText(token, kShown)));
}

std::uint64_t ChromeTally::move(char phase, Fate from, Fate to, std::uint64_t events)
{
    const std::uint64_t moved = std::min(events, at(phase, from));
    at(phase, from) -= moved;
    at(phase, to) += moved;
    return moved;
}

void ChromeTally::addUnusedName(std::string_view name)
{
    constexpr std::size_t kMaxNames = 6;
    constexpr std::size_t kMaxBytes = 40;
    const std::string_view shown = shortText(name, kMaxBytes);
    if (m_unusedNames.size() < kMaxNames
        && std::find(m_unusedNames.begin(), m_unusedNames.end(), shown) == m_unusedNames.end())
        m_unusedNames.emplace_back(shown);
}

std::uint64_t ChromeTally::count(Fate fate) const
{
    std::uint64_t sum = 0;
    for (const auto &counts : m_counts)
        sum += counts[static_cast<std::size_t>(fate)];
    return sum;
}

std::string ChromeTally::reasonOf(Fate fate) const
{
    std::string reason(kFateRows[static_cast<std::size_t>(fate)].reason);
    const std::string &first = example(fate);
    if (!first.empty())
        reason += " (the first is " + first + ")";
    if (fate == Fate::UnusedName && !m_unusedNames.empty()) {
        std::string names;
        for (const std::string &name : m_unusedNames)
            names += (names.empty() ? "" : ", ") + name;
        reason += " (" + names + ")";
    }
    return reason;
}

ImportAccount ChromeTally::account(std::uint64_t read) const
{
    static_assert(std::size(kFateRows) == kFates);
    ImportAccount account;
    account.setRead(read);
    for (std::size_t phase = 0; phase < kPhases; ++phase)
        for (const FateRow &row : kFateRows) {
            const std::uint64_t events = m_counts[phase][static_cast<std::size_t>(row.fate)];
            if (events == 0)
                continue;
            const std::string kind = kindOf(static_cast<char>(phase));
            account.count(row.reason.empty() ? account.rowShown(kind, row.shownAs)
                                             : account.rowLeftOut(kind, reasonOf(row.fate)),
                          events);
        }
    return account;
}

} // namespace jetscope
