// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/runrecording.h"

#include "app/help.h"
#include "app/textlayout.h"
#include "core/clock.h"
#include "core/newfile.h"

#include <chrono>

namespace jetscope {

namespace {

std::optional<TraceMark::Kind> markKindOf(PipelineNotice::Kind kind)
{
    switch (kind) {
    case PipelineNotice::Kind::Switched:
        return TraceMark::Kind::Switch;
    case PipelineNotice::Kind::Dropped:
        return TraceMark::Kind::Drop;
    case PipelineNotice::Kind::Violation:
        return TraceMark::Kind::Hazard;
    case PipelineNotice::Kind::Refused:
    case PipelineNotice::Kind::Ended:
    case PipelineNotice::Kind::Failed:
        break;
    }
    return std::nullopt;
}

std::int64_t wallClockOffsetNs()
{
    const auto unixTime = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(unixTime).count() - nowNs();
}

} // namespace

void recordNews(CaptureWriter &writer, PipelineNews news)
{
    writer.setLanes(std::move(news.lanes));
    writer.setCounters(std::move(news.counters));
    writer.setLostBefore(news.spansLost);
    writer.add(std::move(news.spans));
    writer.add(std::move(news.figures));
    writer.add(std::move(news.samples));
    for (PipelineNotice &notice : news.notices)
        if (const auto kind = markKindOf(notice.kind))
            writer.add(TraceMark{*kind, notice.timeNs, notice.frame, std::move(notice.text), std::move(notice.rule),
                                 std::move(notice.fix)});
}

Status RunRecording::start(const Options &options, const std::string &sourceUri, const DeviceFacts &facts,
                           const PipelineConfig &config)
{
    if (!options.recordPath)
        return {};
    m_path = *options.recordPath;
    const TraceOrigin origin{
        facts.name, sourceUri, std::string("Jetscope ") + versionNumber(), {}, wallClockOffsetNs()};
    Result<std::unique_ptr<CaptureWriter>> writer = CaptureWriter::create(m_path, captureBanner(origin, facts, config));
    if (!writer.ok())
        return writer.error();
    m_writer = std::move(writer).value();
    return {};
}

void RunRecording::finish()
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

void RunRecording::abandon()
{
    if (!m_writer)
        return;
    m_writer.reset();
    removeNewFile(m_path);
}

} // namespace jetscope
