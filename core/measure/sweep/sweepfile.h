// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/method/turns.h"
#include "core/measure/sweep/sweepplan.h"
#include "core/measure/sweep/sweepresult.h"
#include "core/system/database.h"
#include "core/tracefile/tracefilewriter.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace jetscope {

/// The conditions of a sweep, which stay the same when it is resumed.
struct SweepConditions {
    std::string deviceId;   ///< "soft:orin"
    std::string deviceName; ///< As in a capture.
    std::string source;     ///< Address without a size.
    bool paced = false;     ///< The source keeps its rate.
    std::uint64_t seed = 1;
    std::string madeBy; ///< "Jetscope 0.1.0"

    /// The figure that ranks the cells unless another one is asked for.
    Figure figure() const { return rankingFigure(paced); }
    bool operator==(const SweepConditions &) const = default;
};

/// The mean of one counter of the machine (clock, temperature, power, load) during a stretch.
struct StretchCounter {
    std::string name;
    std::string unit; ///< "Hz", "°C", "W", "%"
    double mean = 0;

    bool operator==(const StretchCounter &) const = default;
};

/// One stretch as it is kept in the file.
struct KeptStretch {
    CellTurn stretch;
    StretchFigures figures;
    std::vector<StretchCounter> counters;
    std::uint64_t hazards = 0; ///< Accesses that are errors or work by luck.
    std::int64_t startNs = 0;  ///< On the clock of that process.
    std::int64_t tookNs = 0;   ///< With the switch to the cell.
};

/// The whole content of a sweep's file but for the sample traces.
struct StoredSweep {
    SweepConditions conditions;
    SweepPlan plan;
    SweepResult result{0};
    std::map<std::string, std::string> remarks; ///< Further rows of the table `sweep`.
    std::vector<KeptStretch> stretches;         ///< Without their figures, which are in `result`.
    std::vector<std::size_t> sampled;           ///< Cells with a sample trace.
    std::vector<std::string> failures;          ///< By cell; empty if it did not fail.

    bool isComplete() const
    {
        const auto state = remarks.find("state");
        return state != remarks.end() && state->second == "complete";
    }
};

/// A sweep's results in a capture file (tables: resources/docs/formats.md): an empty trace, what was planned, and every
/// stretch as soon as it is measured, so that a sweep that ends for any reason loses one stretch at most. One thread.
class SweepFile {
public:
    /// Creates the file, which must not exist yet.
    static Result<SweepFile> create(const std::string &path, const TraceFileHeader &header,
                                    const SweepConditions &conditions, const SweepPlan &plan);
    /// Opens the file of a sweep to continue it.
    static Result<SweepFile> resume(const std::string &path);

    Status add(const KeptStretch &stretch);
    Status addFailure(std::size_t cell, std::string_view reason);
    /// A capture of one stretch of the cell, as the bytes of its file.
    Status addSample(std::size_t cell, std::span<const std::byte> capture);
    /// Sets a row of the table `sweep`, such as "state" or "command".
    Status setRemark(std::string_view key, std::string_view value);

private:
    explicit SweepFile(Database database) : m_database(std::move(database)) {}

    Database m_database;
};

/// Whether a capture file holds a sweep. False for files that cannot be read.
bool isSweepFile(const std::string &path);

/// Reads the file of a sweep. Damaged or hostile content is an error with a sentence.
Result<StoredSweep> readSweep(const std::string &path);

/// The bytes of a cell's sample capture. The error says that there is none.
Result<std::vector<std::byte>> readSweepSample(const std::string &path, std::size_t cell);

} // namespace jetscope
