// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcewatch.h"

#include "core/recording/tracer.h"
#include "gpu/sources/sourceuri.h"

#include <algorithm>
#include <utility>

namespace jetscope {

SourceWatch::SourceWatch(std::unique_ptr<FrameSource> source, std::string lane, std::optional<std::size_t> mostFrames,
                         Beside beside)
    : m_source(std::move(source)),
      m_lane(std::move(lane)),
      m_mostFrames(mostFrames),
      m_beside(beside),
      m_log(std::make_shared<CameraLog>(m_source->info().uri, std::max(mostFrames.value_or(0), CameraLog::kMostFrames)))
{
}

SourceWatch::~SourceWatch()
{
    cancel();
    if (m_thread.joinable())
        m_thread.join();
}

void SourceWatch::start(Tracer &tracer)
{
    m_thread = std::thread([this, &tracer] { work(tracer); });
}

void SourceWatch::cancel()
{
    m_source->cancel();
    setTap(nullptr);
}

void SourceWatch::work(Tracer &tracer)
{
    const Result<SourceUri> uri = parseSourceUri(m_source->info().uri);
    const ThreadRecorder recorder(tracer, m_beside == Beside::Pipeline ? LaneRole::Tool : LaneRole::Capture, m_lane,
                                  uri.ok() ? "thread · " + uri.value().scheme : std::string("thread"));
    std::vector<std::byte> picture(m_source->info().layout.bytes);
    while (!m_mostFrames || m_log->count() < *m_mostFrames) {
        Result<std::optional<CapturedFrame>> read = m_source->read(picture.data());
        if (!read.ok())
            return end(read.error());
        if (!read.value())
            break;
        CapturedFrame &captured = *read.value();
        m_log->add({captured.index, captured.captureNs, captured.stamp}, captured.lost);
        if (const std::shared_ptr<FrameTap> to = tap())
            to->push(std::move(captured), picture);
    }
    end(std::nullopt);
}

void SourceWatch::end(std::optional<Error> error)
{
    const std::lock_guard lock(m_mutex);
    m_error = std::move(error);
    m_ended = true;
    if (m_tap)
        m_tap->end(m_error);
}

std::string SourceWatch::trouble() const
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_error)
            return m_error->message();
    }
    return m_source->state().trouble;
}

std::shared_ptr<FrameTap> SourceWatch::tap() const
{
    const std::lock_guard lock(m_mutex);
    return m_tap;
}

void SourceWatch::setTap(std::shared_ptr<FrameTap> tap)
{
    const std::lock_guard lock(m_mutex);
    if (m_tap)
        m_tap->cancel();
    m_tap = std::move(tap);
    if (m_tap && m_ended)
        m_tap->end(m_error);
}

void SourceWatch::removeTap(const FrameTap *tap)
{
    const std::lock_guard lock(m_mutex);
    if (m_tap.get() == tap)
        m_tap.reset();
}

} // namespace jetscope
