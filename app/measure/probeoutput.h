// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "app/measure/probesource.h"
#include "core/measure/probe/probetable.h"

#include <optional>

namespace jetscope {

/// The object that `probe --json` prints: the table in its format, with `findings`, `advice` and `source`.
JsonObject probeOutputJson(const ProbeTable &table, const std::optional<ProbeSource> &source);

} // namespace jetscope
