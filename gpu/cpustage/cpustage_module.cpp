// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cpustage/opencvanalysis.h"

extern "C" const jetscope::CpuStageModule jetscopeModule{{JETSCOPE_VERSION}, jetscope::makeOpenCvAnalysis};
