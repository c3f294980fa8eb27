// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/attach/judge/hangwatch.h"
#include "core/attach/read/tasktracker.h"

#include <string>
#include <vector>

namespace jetscope {

/// What `attach --hangs` found.
struct HangReport {
    double afterSeconds = 0;
    std::string library; ///< Of the instrumented driver; empty without it.
    std::string refusal; ///< Why the driver names no kernel; empty if it does.
    std::vector<Hang> hangs;
    std::vector<TrackedKernel> kernels; ///< As the driver's task tracker named them.
    std::string capture;                ///< What was written; empty if there was nothing to write.
    std::string failure;                ///< Why it was not written.
};

/// Sentences without a full stop. Names of threads and kernels are the program's: any bytes.
std::string hangWords(const Hang &hang);
std::string kernelWords(const TrackedKernel &kernel);

JsonObject hangsJson(const HangReport &report);
/// A few lines for a terminal.
std::string hangsText(const HangReport &report);

} // namespace jetscope
