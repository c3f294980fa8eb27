// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/ffmpegtypes.h"

#include <string>

namespace jetscope {

/// "H.264", "VP9"
std::string codecText(AVCodecID codec);

/// "progressive", "top field first"; empty if it is not known.
std::string fieldOrderText(AVFieldOrder order);

} // namespace jetscope
