// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"
#include "core/measure/report/devicebanner.h"
#include "core/measure/sweep/sweepfile.h"
#include "core/measure/sweep/sweepsummary.h"
#include "core/settings/devicefacts.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// The cells that do the same work: frame size, and what the table of settings calls work. Cells of different workloads
/// are never compared with each other: a smaller frame is always faster.
struct SweepWorkload {
    std::string title;    ///< "1280x720, gaussian5+sobel, CPU work canny"; empty if the sweep has one workload only.
    SweepSummary summary; ///< Of its cells, with a best cell and ties of its own.
    std::vector<std::size_t> leftOut; ///< Its combinations that were left out: places in SweepPlan::leftOut.
    /// The cell with the settings that `run` takes when none is given; empty if it was not measured.
    std::optional<std::size_t> standard;
    /// The slowest cell with figures (or that with the lowest share); empty if it is the best one, too.
    std::optional<std::size_t> worst;

    const SweepRow *leader() const; ///< The first of the ties; without a verdict the first row with figures.
    std::string verdict() const;    ///< As `jetscope sweep` prints it.
};

/// The cells of a sweep by workload, each ranked among themselves; in the order of the plan.
std::vector<SweepWorkload> workloadsOf(const StoredSweep &sweep, std::optional<Figure> metric = {});

/// Pictures of frame times and timelines are made of the first workloads only.
inline constexpr std::size_t kMaxWorkloadsInPictures = 4;

/// Everything that the report of a sweep shows, in any format.
struct SweepReport {
    std::string path;
    Figure metric = Figure::Period;
    StoredSweep sweep;
    DeviceRows device;
    std::vector<SweepWorkload> workloads;
    std::vector<Figure> metrics;                ///< Metrics with a value in at least one cell.
    std::map<std::string, std::size_t> reasons; ///< Numbers of the reasons in SweepPlan::reasons, from 1.
    std::string standardWords;            ///< "pinned, eglimage, eglsync": settings of `run` that the sweep varies.
    std::map<std::size_t, Trace> samples; ///< Traces of the cells with a timeline picture.
    std::map<std::size_t, std::string> sampleProblems; ///< Why a cell's trace cannot be shown.

    std::string date() const;    ///< Of the first stretch; empty if unknown.
    std::string method() const;  ///< Sentences that explain how the figures were made.
    std::string command() const; ///< Repeats the sweep.
    bool isComplete() const { return sweep.isComplete(); }
};

/// Reads a sweep for a report, ranked by the figure of its conditions unless another one is given. An error is one
/// sentence with the remedy.
Result<SweepReport> readSweepReport(const std::string &path, std::optional<Figure> metric = {});

/// Adds samples of the cells that the HTML report shows in pictures.
void readSweepSamples(SweepReport &report);

/// The trace of a cell's sample capture. The error says that there is none, or that it is damaged.
Result<OpenedTrace> openSweepSample(const std::string &path, std::size_t cell, OpenProgress &progress);

/// The command line that repeats a sweep into another file: made from its cells, because a text in a file from
/// elsewhere must not be offered for execution.
std::string sweepCommandOf(const StoredSweep &sweep, const DeviceFacts &facts);

/// The command line of a run with the settings of a cell.
std::string runCommandOf(const StoredSweep &sweep, std::size_t cell);

} // namespace jetscope
