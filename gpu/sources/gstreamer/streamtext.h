// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/sourceuri.h"

#include <string>

namespace jetscope {

/// The pipeline that a URI stands for, up to where its pictures come out; an error when the URI is none, or an element is missing.
Result<std::string> pipelineTextOf(const SourceUri &uri);

/// A URL as it may be shown: without the password in it.
std::string withoutPassword(const std::string &url);

} // namespace jetscope
