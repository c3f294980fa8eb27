// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <string_view>

namespace jetscope {

/// What the labels meant before files held purposes: the only place where the text of a name decides. The names of API
/// calls in it are those of other programs' traces, too, whose purposes core/exchange guesses by it.
Purpose purposeOfLabel(std::string_view label, Category category);

/// LaneInfo::emulated of a lane in a file that does not hold it.
bool isEmulatedByDetail(std::string_view detail);

} // namespace jetscope
