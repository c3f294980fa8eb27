// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// What a user can do where a file cannot be opened because of EMFILE or ENFILE.
inline constexpr const char *kNoFurtherFile =
    "no further file may be opened; allow more (\"ulimit -n\"), or close other programs";

} // namespace jetscope
