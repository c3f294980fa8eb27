// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/verify/verifyreport.h"

#include <string>

namespace jetscope {

/// The page that `verify` prints: what was verified, then the rows that failed, are not possible, and passed.
std::string verifyText(const VerifyReport &report);

} // namespace jetscope
