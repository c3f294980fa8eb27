// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

// What a comparison says to a CI: one report, from which each of its files is made. Pure functions.

enum class GateVerdict : std::uint8_t {
    Better,
    Worse,
    Unchanged, ///< Not shown to differ.
    None,      ///< GateRow::reason says why.
};
std::string_view gateWord(GateVerdict verdict);

/// A figure of one group: of two sides of captures, of a stratum of boards, of a combination of a sweep.
struct GateRow {
    std::string group; ///< May be empty.
    std::string metric;
    std::string label;
    std::string unit;
    bool higherIsBetter = false;
    std::optional<double> a;
    std::optional<double> b;
    std::string texts[2]{}; ///< Of a and b, with unit.
    std::string change;     ///< "+0.510 ms (+5.1 %)"
    std::string range;      ///< "+0.430 to +0.590 ms"
    GateVerdict verdict = GateVerdict::None;
    std::string reason{};
};

/// A broken rule for shared memory.
struct GateHazard {
    std::string rule; ///< "A1"
    std::string title;
    std::string text;
    std::string fix;
    std::string level;   ///< As rules.h names it.
    std::string capture; ///< Where it was seen.
    std::string file;    ///< Of the source, if it is known.
    std::uint64_t line = 0;
    std::uint64_t count = 1;
};

struct GateReport {
    std::string words; ///< The result in a sentence or some; never empty.
    std::string nameA;
    std::string nameB;
    std::vector<GateRow> rows;
    std::vector<GateHazard> hazards;
    std::vector<std::string> notes;
    std::string worse;     ///< What is worse, for a sentence; empty if nothing is.
    std::string noVerdict; ///< Why there is none; otherwise empty.
    std::string accepted;  ///< Why what is worse is accepted; otherwise empty.

    /// 0 not worse, 1 worse, 3 no verdict.
    int exitCode() const;
    /// One line, also when all is well.
    std::string line() const;
};
inline constexpr int kNoVerdictCode = 3;

/// Markdown for the summary of a job.
std::string gateSummary(const GateReport &report);
/// JUnit's XML: a case a row. A row without a verdict is skipped with its reason.
std::string gateJunit(const GateReport &report);
/// A JSON list of {name, unit, value, range} of B, for programs that keep a history. Only of figures of which less is
/// better, because such a list has one direction.
std::string gateBenchmark(const GateReport &report);
/// Text of Prometheus, for the collector of text files of node_exporter.
std::string gatePrometheus(const GateReport &report);
/// SARIF 2.1.0 of the hazards.
std::string gateSarif(const GateReport &report, std::string_view version);

/// Looks for "FILE:LINE" in a text and fills in file and line.
void findPlace(GateHazard &hazard, std::string_view text);

} // namespace jetscope
