// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "app/commandline/options.h"
#include "core/measure/compare/capturecomparison.h"
#include "core/measure/compare/sweepcomparison.h"
#include "core/progress.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace jetscope {

/// A hazard that a capture has, however often.
struct CaptureHazard {
    std::string file;
    TraceMark mark;
    std::uint64_t count = 1;
};

/// Two sides of captures with notes about their files.
struct ComparedCaptures {
    std::vector<CaptureFigures> a;
    std::vector<CaptureFigures> b;
    std::vector<std::string> notes;
    std::vector<CaptureHazard> hazardsOfB;
};

struct ComparedSweeps {
    StoredSweep a;
    StoredSweep b;
};

/// Why files cannot be compared.
struct CompareRefusal {
    Error error;
    bool wrongUsage = false;
};

using ComparedFiles = std::variant<ComparedCaptures, ComparedSweeps>;

/// Reads both sides; captures one after the other, so that only one trace at a time is in memory.
std::optional<CompareRefusal> readSides(const Options &options, Progress &progress, ComparedFiles &files);

/// The object of `compare --json` (keys: resources/docs/json.md).
JsonObject compareJson(const ComparedCaptures &captures, const CaptureComparison &comparison);
JsonObject compareJson(const Options &options, const SweepComparison &comparison);

/// The comparison as a text: the result in a sentence, what was compared, and a table of the rows that matter most.
std::string compareText(const ComparedCaptures &captures, const CaptureComparison &comparison);
std::string compareText(const Options &options, const SweepComparison &comparison);

} // namespace jetscope
