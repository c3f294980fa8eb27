// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/runtracefile.h"

#include "app/commandline/devicechoice.h"
#include "app/commandline/help.h"
#include "app/commandline/recordingwatch.h"
#include "core/system/newfile.h"
#include "core/time/clock.h"

#include <utility>

namespace jetscope {

Status RunTraceFile::start(const Options &options, const std::string &sourceUri, const DeviceFacts &facts,
                           const PipelineConfig &config)
{
    if (!options.recordPath)
        return {};
    m_path = *options.recordPath;
    JETSCOPE_TRY(makeRoomForCapture(m_path));
    const TraceOrigin origin{
        deviceWithBoard(facts.name), sourceUri, std::string("Jetscope ") + versionNumber(), {}, wallClockOffsetNs()};
    JETSCOPE_TRY_ASSIGN(m_writer, TraceFileWriter::create(m_path, traceFileHeader(origin, facts, config)));
    return {};
}

void RunTraceFile::look()
{
    if (m_writer)
        m_watch.look(*m_writer);
}

void RunTraceFile::sayProblem()
{
    if (!m_problem.empty())
        m_watch.sayFailure(m_problem);
}

void RunTraceFile::finish()
{
    if (!m_writer)
        return;
    const Status stopped = m_writer->stop();
    const RecordingProgress progress = m_writer->progress();
    if (!stopped.ok())
        m_problem = endedEarly(stopped.error().text);
    else if (progress.lost > 0)
        m_problem = lacksValues(progress.lost, progress) + ": the rest is in " + m_path;
    m_writer.reset();
}

void RunTraceFile::abandon()
{
    if (!m_writer)
        return;
    m_writer.reset();
    removeNewFile(m_path);
}

} // namespace jetscope
