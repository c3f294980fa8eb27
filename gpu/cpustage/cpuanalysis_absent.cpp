// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cpustage/cpuanalysis.h"

namespace jetscope {

Capability cpuStageCapability()
{
    return Capability::no("this build has no CPU stage: build with OpenCV's core and imgproc (-DJETSCOPE_OPENCV=ON)");
}

std::unique_ptr<CpuAnalysis> makeCpuAnalysis()
{
    return nullptr;
}

} // namespace jetscope
