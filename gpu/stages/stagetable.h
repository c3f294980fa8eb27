// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/devicefacts.h"
#include "core/settings/filters.h"
#include "gpu/stages/stage.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// What is behind "scheme:" in the name of a stage: "/home/me/libmine.so" and {"strength", "3"}.
struct StageAddress {
    std::string path;
    std::vector<std::pair<std::string, std::string>> options; ///< In the order of the text.

    /// An error for options that are not "key=value&key=value" or that give a key twice.
    static Result<StageAddress> parse(std::string_view text);
};

/// A stage that was loaded, or why it was not: then both capabilities of the row say so and there is no code.
struct LoadedStage {
    FilterRow row;
    std::unique_ptr<Stage> code;
};

/// A stage that cannot run anywhere, with the reason.
LoadedStage unusableStage(std::string label, const std::string &reason);

/// Loads the stages that a chain names ("gaussian5,stage:PATH?key=value") and adds a row for each that is not there
/// yet. A stage that cannot be used gets a row with the reason. An error: the text is malformed, or the table is full.
/// This runs code of the user: call it only with what the user asks for now, never with text from a capture or from
/// remembered settings. Time and thread are addFilter's.
Status addStages(std::string_view chain);

/// Loads one stage while pipelines run, as the user adds it in the window or changes its options: one that was refused
/// before is tried again. The error says why it cannot be used. Takes as long as a trial; any thread, not that of a
/// window or a pipeline.
Result<Filter> loadStage(const std::string &name);

/// Whether a device and this build can have stages of a scheme ("cu") at all, before a file of one is chosen. Files are
/// looked for and none is loaded: any thread that may read.
Capability canHaveStages(std::string_view scheme, const DeviceFacts &facts);

/// Stage::rehearse for the device with these facts; an error also if the device cannot have the stage. Any thread, as
/// loadStage.
Status rehearseStage(Filter filter, const DeviceFacts &facts);

} // namespace jetscope
