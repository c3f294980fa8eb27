// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/optiontable.h"

#include <string>
#include <string_view>

namespace jetscope {

// The names that an option takes, for its help and its errors.

std::string metricNames();
std::string sceneNames();

// How options are taken whose value is checked in a way of its own. Each is the `apply` of a row of the table of
// options: it changes `options`, or says which values the option takes.

Status setFrom(Options &options, std::string_view name, const OptionValues &values);
Status setFleetMetrics(Options &options, std::string_view name, const OptionValues &values);
Status setEngine(Options &options, std::string_view name, const OptionValues &values);
Status setLogOffset(Options &options, std::string_view name, const OptionValues &values);
Status setLogInterval(Options &options, std::string_view name, const OptionValues &values);
Status setFailOnWorse(Options &options, std::string_view name, const OptionValues &values);
Status setMostSpans(Options &options, std::string_view name, const OptionValues &values);
Status setScreenshot(Options &options, std::string_view name, const OptionValues &values);
Status setInterval(Options &options, std::string_view name, const OptionValues &values);
Status setTopCount(Options &options, std::string_view name, const OptionValues &values);
Status setScreen(Options &options, std::string_view name, const OptionValues &values);
Status setScene(Options &options, std::string_view name, const OptionValues &values);
Status setTime(Options &options, std::string_view name, const OptionValues &values);
Status setOutPath(Options &options, std::string_view name, const OptionValues &values);
Status setMetric(Options &options, std::string_view name, const OptionValues &values);
Status setSweepList(Options &options, std::string_view name, const OptionValues &values);
Status setPipelineSetting(Options &options, std::string_view name, const OptionValues &values);
Status addChange(Options &options, std::string_view name, const OptionValues &values);
Status setFrameWish(Options &options, std::string_view name, const OptionValues &values);
Status addHost(Options &options, std::string_view name, const OptionValues &values);

} // namespace jetscope
