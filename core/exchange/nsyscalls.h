// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/nsysschema.h"
#include "core/recording/span.h"

#include <string_view>

namespace jetscope {

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
std::string_view withoutCallVersion(std::string_view name);

/// What a call of a thread is on the timeline: a wait, or work of the CPU.
Category nsysCallCategory(NsysUse use, std::string_view name);

} // namespace jetscope
