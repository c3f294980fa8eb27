// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cpustage/opencvanalysis.h"

namespace jetscope {

Capability cpuStageCapability()
{
    return Capability::yes();
}

std::unique_ptr<CpuAnalysis> makeCpuAnalysis()
{
    return makeOpenCvAnalysis();
}

} // namespace jetscope
