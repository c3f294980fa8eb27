// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>
#include <utility>

namespace jetscope {

/// An error of Jetscope itself, without a failed system call.
inline Error plainError(std::string sentence)
{
    return Error{{}, 0, std::move(sentence)};
}

} // namespace jetscope
