// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepresult.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

/// The figures of a stretch as they are kept in a file, little-endian: for each metric a count and so many 64-bit
/// numbers, then frame times and latencies as a count and so many 32-bit numbers, then the pooled overlap as seven
/// 64-bit integers. Figures that sweeps did not measure at first follow, each as its name and its
/// batch figures.
std::vector<std::byte> bytesOf(const StretchFigures &figures);

/// Empty if the bytes are not exactly one stretch. Files are not trusted.
std::optional<StretchFigures> stretchOf(std::span<const std::byte> bytes);

} // namespace jetscope
