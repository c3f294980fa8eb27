// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run/runreport.h"
#include "gpu/pipeline/pipeline.h"

#include <vector>

namespace jetscope {

/// Adds a violation to the rows: violations with the same rule and text share a row with a count.
void addHazard(std::vector<HazardRow> &rows, const PipelineNotice &violation);

/// Whether a row is an error; only errors change the exit code.
bool hasErrors(const std::vector<HazardRow> &rows);

} // namespace jetscope
