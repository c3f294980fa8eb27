// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/choices.h"
#include "core/settings/devicefacts.h"
#include "gpu/sources/framesource.h"

#include <string>
#include <vector>

namespace jetscope {

/// Describes each copy of a frame between the memory that the camera or decoder fills and the GPU: first the copies of
/// the source, then those of the memory kind on this device.
std::vector<std::string> copiesToGpu(const SourceState &source, MemoryKind memory, const DeviceFacts &facts);

/// "2 copies on the way to the GPU: …; …".
std::string copiesSentence(const std::vector<std::string> &copies);

} // namespace jetscope
