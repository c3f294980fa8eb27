// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// The version and a hash of the program's sources: "0.1.0-3f2a91c4d07b". Programs of one id for different processors
/// understand each other.
const char *buildId();

} // namespace jetscope
