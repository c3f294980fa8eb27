// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run/runreport.h"
#include "gpu/pipeline/pipeline.h"

#include <vector>

namespace jetscope {

/// Adds a violation to the rows: same rule and same words are one row with a count.
void addHazard(std::vector<HazardRow> &rows, const PipelineNotice &violation);

/// Only errors change an exit code.
bool hasErrors(const std::vector<HazardRow> &rows);

} // namespace jetscope
