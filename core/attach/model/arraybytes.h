// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>
#include <optional>

namespace jetscope {

/// The memory of the CUDA array that a call made, by its descriptor, without what the driver adds to align it. 0 if the
/// program gives it memory by itself (sparse arrays and those with deferred mapping); empty for a format that is not
/// known.
std::optional<std::uint64_t> arrayBytes(const AttachEvent &event);

} // namespace jetscope
