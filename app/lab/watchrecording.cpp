// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/lab/watchrecording.h"

#include "app/commandline/devicechoice.h"
#include "app/commandline/help.h"
#include "app/commandline/recordingwatch.h"
#include "core/time/clock.h"

#include <utility>

namespace jetscope {

Status WatchRecording::start(const std::string &path, const std::string &sources)
{
    JETSCOPE_TRY(makeRoomForCapture(path));
    const TraceOrigin origin{
        deviceWithBoard("no device"), sources, std::string("Jetscope ") + versionNumber(), {}, wallClockOffsetNs()};
    JETSCOPE_TRY_ASSIGN(m_writer, TraceFileWriter::create(path, TraceFileHeader{origin, {}}));
    return {};
}

void WatchRecording::collect(Tracer &tracer)
{
    TraceUpdate update;
    tracer.collect(update.spans);
    update.lanes = tracer.lanes(m_lanes);
    m_lanes += update.lanes.size();
    if (m_writer)
        m_writer->take(update);
}

void WatchRecording::addLost(const SourceWatch &watch)
{
    if (!m_writer)
        return;
    for (const LostFrames &lost : watch.log()->contents().lost) {
        TraceMark mark;
        mark.kind = TraceMark::Kind::Drop;
        mark.timeNs = lost.timeNs;
        mark.text = std::to_string(lost.count) + (lost.count == 1 ? " frame of " : " frames of ") + watch.info().uri
            + " missing: " + std::string(rowOf(lost.cause).says);
        mark.lost = {lost};
        m_writer->add(std::move(mark));
    }
}

Status WatchRecording::finish()
{
    if (!m_writer)
        return {};
    const Status stopped = m_writer->stop();
    m_writer.reset();
    return stopped;
}

} // namespace jetscope
