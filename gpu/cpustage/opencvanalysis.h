// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/module.h"
#include "gpu/cpustage/cpuanalysis.h"

#include <memory>

namespace jetscope {

std::unique_ptr<CpuAnalysis> makeOpenCvAnalysis();

/// What the module gives to the program.
struct CpuStageModule : ModuleHead {
    std::unique_ptr<CpuAnalysis> (*make)();
};

} // namespace jetscope
