// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QString>

namespace jetscope {

/// A name without the numbers of threads, processes and contexts, which differ from run to run.
QString lastingName(const QString &name);

/// The process that a thread belongs to, from what an importer says of the lane; empty if it says nothing.
QString processOf(const LaneInfo &lane);
/// "GPU 0", by the lane's number of it, or from its name or detail; empty if none says it.
QString gpuOf(const LaneInfo &lane);

/// Who made a trace, without versions: what choices about lanes are remembered for.
QString producerOf(const TraceOrigin &origin);
/// Whether Jetscope recorded the trace itself.
bool isOwnTrace(const TraceOrigin &origin);

} // namespace jetscope
