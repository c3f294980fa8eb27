// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/report/sweepreport.h"

#include <string>

namespace jetscope {

/// One table of memory kinds and sync modes for each combination of the other settings. Numbers of reasons refer to
/// `leftOutHtml`.
std::string heatMapsHtml(const SweepReport &report, const SweepWorkload &workload);

/// The numbered reasons why combinations were left out.
std::string leftOutHtml(const SweepReport &report);

} // namespace jetscope
