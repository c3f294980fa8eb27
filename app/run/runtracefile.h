// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "app/commandline/recordingwatch.h"
#include "core/tracefile/tracefilewriter.h"
#include "gpu/pipeline/pipeline.h"

#include <memory>
#include <string>

namespace jetscope {

/// --record of `run`; does nothing if no file was requested.
class RunTraceFile {
public:
    Status start(const Options &options, const std::string &sourceUri, const DeviceFacts &facts,
                 const PipelineConfig &config);
    TraceFileWriter *writer() const { return m_writer.get(); } ///< Null if nothing is recorded.
    /// Tells the user at once what disturbs the recording. Call often.
    void look();
    void finish();
    /// Removes the file, because the run did not start.
    void abandon();
    /// What is missing in the file and why; otherwise empty.
    const std::string &problem() const { return m_problem; }
    /// Prints the problem, if there is one, unless `look` has.
    void sayProblem();

private:
    std::string m_path;
    std::unique_ptr<TraceFileWriter> m_writer;
    std::string m_problem;
    RecordingWatch m_watch;
};

} // namespace jetscope
