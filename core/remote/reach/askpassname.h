// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace jetscope {

/// The name under which ssh starts this program to ask the user (ssh(1), SSH_ASKPASS): a link to it. No variable of the
/// environment, which others than ssh could inherit.
inline constexpr std::string_view kAskPassName = "jetscope-askpass";

} // namespace jetscope
