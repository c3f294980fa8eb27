// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace jetscope {

/// A UTF-8 text in which large letters are small: those of Latin, Greek and Cyrillic that have one small letter. What
/// is no UTF-8 stays as it is. For searches that do not distinguish them, on machines with and without a window.
std::string foldedText(std::string_view text);

} // namespace jetscope
