// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/runtracefile.h"

#include "app/help.h"
#include "app/textlayout.h"
#include "core/newfile.h"
#include "core/time/clock.h"
#include "gpu/pipeline/pipelinerecording.h"

namespace jetscope {

void recordUpdate(TraceFileWriter &writer, const PipelineUpdate &update)
{
    recordValues(writer, update);
    for (const PipelineNotice &notice : update.notices)
        if (auto mark = markOf(notice))
            writer.add(std::move(*mark));
}

Status RunTraceFile::start(const Options &options, const std::string &sourceUri, const DeviceFacts &facts,
                           const PipelineConfig &config)
{
    if (!options.recordPath)
        return {};
    m_path = *options.recordPath;
    const TraceOrigin origin{
        facts.name, sourceUri, std::string("Jetscope ") + versionNumber(), {}, wallClockOffsetNs()};
    JETSCOPE_TRY_ASSIGN(m_writer, TraceFileWriter::create(m_path, traceFileHeader(origin, facts, config)));
    return {};
}

void RunTraceFile::finish()
{
    if (!m_writer)
        return;
    const Status stopped = m_writer->stop();
    const std::uint64_t lost = m_writer->progress().lost;
    if (!stopped.ok())
        m_problem = "the recording ended early: " + stopped.error().text;
    else if (lost > 0)
        m_problem = "the recording lacks " + counted(lost, "value")
            + ", because the machine was too busy: the rest is in " + m_path;
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
