// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probetable.h"

#include <QString>

namespace jetscope {

/// What a probe found, as a list, or that nothing is beyond the noise.
QString probeFindingsHtml(const ProbeTable &table);

/// What a probe says of its device, as rich text: in words, which memory kind for which use, and the rates of the
/// memory kinds. The text of files in it is escaped. A pure function.
QString probeHtml(const ProbeTable &table);

} // namespace jetscope
