// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/result.h"

namespace jetscope {

/// Sets and reads the cudaDeviceSchedule flags of the current device, which apply to the whole process.
Status writeWaitPolicy(WaitPolicy policy);
Result<WaitPolicy> readWaitPolicy();

} // namespace jetscope
