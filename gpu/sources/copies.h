// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/devicefacts.h"
#include "gpu/sources/framesource.h"

#include <string>
#include <vector>

namespace jetscope {

/// Each copy that a frame takes on its way from the memory that camera or decoder fill to the GPU, in words: what the
/// source does, and then what the memory kind does on this device.
std::vector<std::string> copiesToGpu(const SourceState &source, MemoryKind memory, const DeviceFacts &facts);

/// "2 copies on the way to the GPU: …; …".
std::string copiesSentence(const std::vector<std::string> &copies);

} // namespace jetscope
