// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/tracer.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/sources/sourcewatch.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// --record of what watches several sources: a lane for each, and marks for
/// their missing frames.
class WatchRecording {
public:
    /// `sources`: their addresses, in words.
    Status start(const std::string &path, const std::string &sources);
    /// What the threads recorded since the last call; without a recording it is
    /// dropped. Often enough that no ring of spans fills.
    void collect(Tracer &tracer);
    /// The missing frames of a source.
    void addLost(const SourceWatch &watch);
    /// The reason why the file lacks something.
    Status finish();

private:
    std::unique_ptr<TraceFileWriter> m_writer;
    std::size_t m_lanes = 0;
};

} // namespace jetscope
