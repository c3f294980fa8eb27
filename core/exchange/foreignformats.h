// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace jetscope {

/// A kind of file that Jetscope does not read, but knows by its first bytes: the error says what it is and what gives a
/// trace that can be read.
struct ForeignFormat {
    std::string_view name;   ///< "a Perfetto trace (protobuf)".
    std::string_view remedy; ///< What to do instead.
    /// Whether the first bytes of a file, unpacked, are of this kind.
    bool (*matches)(std::string_view beginning);
};

/// Empty if the file is of no known foreign kind. A trace that can be read is never one.
const ForeignFormat *foreignFormatOf(std::string_view beginning);

/// "PATH is NAME, which Jetscope does not read: REMEDY".
Error refusal(const std::string &path, const ForeignFormat &format);

} // namespace jetscope
