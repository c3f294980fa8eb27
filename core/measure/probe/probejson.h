// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probetable.h"
#include "core/result.h"

#include <string>
#include <string_view>

namespace jetscope {

/// The table as one JSON object, as resources/docs/formats.md describes it; ends with a line break.
std::string probeJson(const ProbeTable &table);

/// Reads such an object. Files are not trusted: the error is one sentence that names the first mistake. Unknown members
/// of the object are ignored; unknown keys of figures are an error, so that a misspelt one does not go unnoticed.
Result<ProbeTable> probeOf(std::string_view json);

/// Reads a file of at most a megabyte.
Result<ProbeTable> readProbe(const std::string &path);
/// Writes a new file; never replaces one.
Status writeProbe(const ProbeTable &table, const std::string &path);

} // namespace jetscope
