// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/figuretable.h"
#include "core/fleet/fleetrun.h"
#include "core/settings/pipelineconfig.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace jetscope {

// What all files of runs have in common.

/// The rows of the table `device`.
using CaptureFacts = std::map<std::string, std::string>;

std::string factOf(const CaptureFacts &facts, const char *name, const char *otherwise = "");

/// The first digits of the SHA-256.
std::string hashOf(std::string_view text, std::size_t digits);

/// The SHA-256 of a file.
Result<std::string> sumOfFile(const std::string &path);

/// What must be equal for runs to be compared: where, what and how. How is measured does not count. `config` is null if
/// it is not known.
std::string configText(const CaptureFacts &facts, const std::string &device, const std::string &source,
                       const std::string &frameSize, const PipelineConfig *config);

/// Board, build, program and configuration; the run gets its name from them and from what it is: the sum of its file,
/// or which stretch of a sweep, whose file grows when it is resumed.
struct RunFacts {
    CaptureFacts facts;
    FleetLabels labels;
    std::string capture;
    std::string sum; ///< SHA-256 of the file.

    static Result<RunFacts> read(const std::string &capture, const FleetLabels &labels);
    FleetRow row(const std::string &config, std::string_view what) const;
};

/// Sets start and date of a row from Unix time; 0 or less is not known.
void setStart(FleetRow &row, std::int64_t unixNs);

/// How a figure is compared.
void setFigure(FleetRow &row, const FigureRow &figure);

} // namespace jetscope
