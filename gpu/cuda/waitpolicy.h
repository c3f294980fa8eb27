// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"

namespace jetscope {

/// Sets and reads the cudaDeviceSchedule flags of the current device, which apply to the whole process.
Status writeWaitPolicy(WaitPolicy policy);
Result<WaitPolicy> readWaitPolicy();

} // namespace jetscope
