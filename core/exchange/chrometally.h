// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/enumtable.h"
#include "core/trace/importaccount.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// What became of each event of a Chrome trace, by phase. Counting takes one increment, so that it costs nothing beside
/// reading the event; the account is made at the end. Not thread-safe.
class ChromeTally {
public:
    enum class Fate : std::uint8_t {
        // Shown.
        Span,
        Mark,
        Value,
        Name,
        Arrow,
        Frame,
        // Left out.
        Damaged,
        CutShort,
        TooLarge,
        Empty,
        OtherKind,
        WrongTime,
        FarTime,
        WrongDuration,
        WrongFigures,
        NoNumber,
        UnusedName,
        NothingBegan,
        WithoutSpan,
        Loose,
        TooManyThreads,
        TooManyCounters,
        TooManyMarks,
        TooManyArrows,
        TooDeep,
        Older,
    };

    /// For events that were not read as far as their phase.
    static constexpr char kNoPhase = '\0';

    void add(char phase, Fate fate, std::uint64_t events = 1) { at(phase, fate) += events; }
    /// Counts the event and keeps the first one of this fate as an example.
    void add(char phase, Fate fate, std::uint64_t number, std::string_view token);
    /// Says which event is an example of this fate.
    void setExample(Fate fate, std::string text) { m_examples[static_cast<std::size_t>(fate)] = std::move(text); }
    /// What was counted as shown and did not come to be. Moves no more than there are and returns how many.
    std::uint64_t move(char phase, Fate from, Fate to, std::uint64_t events = 1);
    /// Keeps a name of metadata that is not shown, for the reason.
    void addUnusedName(std::string_view name);

    std::uint64_t count(Fate fate) const;
    const std::string &example(Fate fate) const { return m_examples[static_cast<std::size_t>(fate)]; }

    ImportAccount account(std::uint64_t read) const;

private:
    static constexpr std::size_t kPhases = 128;
    static constexpr std::size_t kFates = enumCount<Fate>();

    std::uint64_t &at(char phase, Fate fate)
    {
        return m_counts[static_cast<unsigned char>(phase) % kPhases][static_cast<std::size_t>(fate)];
    }
    std::string reasonOf(Fate fate) const;

    std::array<std::array<std::uint64_t, kFates>, kPhases> m_counts{};
    std::array<std::string, kFates> m_examples;
    std::vector<std::string> m_unusedNames;
};

} // namespace jetscope
