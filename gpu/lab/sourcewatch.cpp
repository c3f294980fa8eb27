// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/lab/sourcewatch.h"

#include "core/recording/tracer.h"
#include "core/time/clock.h"

#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMostLossesKept = 4096;

} // namespace

SourceWatch::SourceWatch(std::unique_ptr<FrameSource> source, std::string lane, std::size_t mostFrames, Tracer &tracer)
    : m_source(std::move(source)),
      m_mostFrames(mostFrames),
      m_thread([this, &tracer, name = std::move(lane)] { work(tracer, name); })
{
}

SourceWatch::~SourceWatch()
{
    cancel();
    m_thread.join();
}

void SourceWatch::cancel()
{
    m_source->cancel();
}

void SourceWatch::work(Tracer &tracer, const std::string &lane)
{
    const ThreadRecorder recorder(tracer, LaneRole::Capture, lane, "thread");
    std::vector<std::byte> picture(m_source->info().layout.bytes);
    while (m_count < m_mostFrames) {
        Result<std::optional<CapturedFrame>> read = m_source->read(picture.data());
        if (!read.ok()) {
            const std::lock_guard lock(m_mutex);
            m_error = read.error();
            break;
        }
        if (!read.value())
            break;
        note(std::move(*read.value()));
    }
    m_ended = true;
}

void SourceWatch::note(CapturedFrame captured)
{
    const std::int64_t ns = captured.stamp.arrivalNs != 0 ? captured.stamp.arrivalNs : nowNs();
    const std::lock_guard lock(m_mutex);
    if (const std::uint64_t next = m_frames.empty() ? captured.index : m_frames.back().index + 1; captured.index > next)
        for (LostFrames &lost : accountedFor(next, captured.index - next, captured.lost, captured.captureNs))
            append(m_lost, std::move(lost), kMostLossesKept);
    m_frames.push_back({captured.index, captured.captureNs, ns});
    m_stamps.push_back({captured.index, captured.stamp});
    if (m_stamps.back().stamp.arrivalNs == 0)
        m_stamps.back().stamp.arrivalNs = ns;
    m_count = m_frames.size();
}

std::vector<CameraFrame> SourceWatch::frames() const
{
    const std::lock_guard lock(m_mutex);
    return m_frames;
}

std::vector<StampedFrame> SourceWatch::stamps() const
{
    const std::lock_guard lock(m_mutex);
    return m_stamps;
}

std::vector<LostFrames> SourceWatch::lost() const
{
    const std::lock_guard lock(m_mutex);
    return m_lost;
}

std::optional<Error> SourceWatch::error() const
{
    const std::lock_guard lock(m_mutex);
    return m_error;
}

} // namespace jetscope
