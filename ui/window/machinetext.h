// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QString>

#include <string>

namespace jetscope {

/// The machine's counters of a live trace in a few words: "15W (2) · GPU 612 MHz · 46.5 °C · 5.70 W"; with "limited"
/// where something limits the clocks. Empty if nothing is known.
QString machineSummary(const Trace &trace, const std::string &powerMode);
/// All of them, a line each.
QString machineDetails(const Trace &trace, const std::string &powerMode);

} // namespace jetscope
