// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/measure/probesource.h"
#include "core/measure/probe/probetable.h"

#include <optional>
#include <string>

namespace jetscope {

/// What `probe` prints: the device, the figures with their noise, what they say in words, and which memory kinds they
/// advise for a source, or for several uses if none is named.
std::string probeText(const ProbeTable &table, const std::optional<ProbeSource> &source);

} // namespace jetscope
