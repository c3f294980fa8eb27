// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/kernelstamps.h"
#include "gpu/gputime/gputimesource.h"

#include <memory>

namespace jetscope {

/// `kind` is the name of the pairs: Stamped on the software iGPU, whose events are stamps, otherwise Events.
Result<std::unique_ptr<GpuTimeSource>> newEventPairs(GpuTime kind, Device &device);
Result<std::unique_ptr<GpuTimeSource>> newStampedTimes(std::unique_ptr<KernelStamps> stamps);
Result<std::unique_ptr<GpuTimeSource>> newCuptiTimes(Device &device);
std::unique_ptr<GpuTimeSource> newBounds();

} // namespace jetscope
