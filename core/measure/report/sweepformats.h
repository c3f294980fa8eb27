// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/report/sweepreport.h"

#include <string>

namespace jetscope {

/// A self-contained page. Call readSweepSamples before, for the pictures.
std::string sweepHtml(const SweepReport &report);
/// Banner, verdict and table, for an issue or a chat.
std::string sweepMarkdown(const SweepReport &report);
/// One line for each combination with all metrics (columns: resources/docs/formats.md).
std::string sweepCsv(const SweepReport &report);

/// "± 0.02 ms"; empty if the noise is unknown.
std::string noiseText(Figure metric, double noise);
/// How the default combination compares with the best, or that it was not measured; empty without figures.
std::string standardSentence(const SweepReport &report, const SweepWorkload &workload);
/// Device and conditions as label and text, for the banner of every format.
std::vector<std::pair<std::string, std::string>> sweepBanner(const SweepReport &report);

/// One table of memory kinds and sync modes for each combination of the other settings. Numbers of reasons refer to
/// `leftOutHtml`.
std::string heatMapsHtml(const SweepReport &report, const SweepWorkload &workload);

/// The numbered reasons why combinations were left out.
std::string leftOutHtml(const SweepReport &report);

} // namespace jetscope
