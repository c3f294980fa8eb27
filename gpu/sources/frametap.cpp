// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/frametap.h"

#include "core/lab/driverrecord.h"
#include "core/recording/tracer.h"
#include "core/time/clock.h"

#include <cstring>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

template <class Value>
void putBefore(std::vector<Value> &values, std::vector<Value> &&earlier)
{
    values.insert(values.begin(), std::make_move_iterator(earlier.begin()), std::make_move_iterator(earlier.end()));
}

} // namespace

void FrameTap::push(CapturedFrame captured, std::vector<std::byte> &picture)
{
    std::unique_lock lock(m_mutex);
    if (m_readNs == 0) {
        m_readNs = nowNs();
        captured.lost.clear(); // What is missing before its first frame was not for this reader.
    }
    if (m_live && m_frames.size() >= kDepth)
        dropOldest();
    m_changed.wait(lock, [this] { return m_cancelled || m_frames.size() < kDepth; });
    if (m_cancelled)
        return;
    putBefore(captured.lost, std::exchange(m_lost, {}));
    putBefore(captured.gaps, std::exchange(m_gaps, {}));
    m_frames.push_back({std::move(captured), std::move(picture)});
    picture.clear();
    if (!m_spare.empty()) {
        picture = std::move(m_spare.back());
        m_spare.pop_back();
    }
    picture.resize(m_bytes);
    lock.unlock();
    m_changed.notify_all();
}

/// With the mutex locked. What was told with it is told with the next one.
void FrameTap::dropOldest()
{
    Frame oldest = std::move(m_frames.front());
    m_frames.pop_front();
    m_spare.push_back(std::move(oldest.picture));
    std::vector<LostFrames> lost = std::move(oldest.captured.lost);
    lost.push_back({oldest.captured.index, 1, LossCause::LateDequeue, nowNs(), lateWords(nowNs() - m_readNs, {})});
    putBefore(m_frames.empty() ? m_lost : m_frames.front().captured.lost, std::move(lost));
    putBefore(m_frames.empty() ? m_gaps : m_frames.front().captured.gaps, std::move(oldest.captured.gaps));
}

void FrameTap::end(std::optional<Error> error)
{
    {
        const std::lock_guard lock(m_mutex);
        m_ended = true;
        m_error = std::move(error);
    }
    m_changed.notify_all();
}

void FrameTap::cancel()
{
    {
        const std::lock_guard lock(m_mutex);
        m_cancelled = true;
    }
    m_changed.notify_all();
}

std::optional<FrameTap::Frame> FrameTap::next()
{
    static const NameId kWait = internName("wait for the camera", Category::WaitInput, Purpose::Input);
    const SpanScope span(kWait);
    std::unique_lock lock(m_mutex);
    m_readNs = nowNs();
    m_changed.wait(lock, [this] { return m_cancelled || m_ended || !m_frames.empty(); });
    if (m_cancelled || m_frames.empty())
        return std::nullopt;
    Frame frame = std::move(m_frames.front());
    m_frames.pop_front();
    m_readNs = nowNs();
    return frame;
}

Result<std::optional<CapturedFrame>> FrameTap::read(std::byte *into)
{
    std::optional<Frame> frame = next();
    if (!frame) {
        const std::lock_guard lock(m_mutex);
        return m_error && !m_cancelled ? Result<std::optional<CapturedFrame>>(*m_error)
                                       : std::optional<CapturedFrame>();
    }
    m_changed.notify_all();
    static const NameId kCopy = internName("copy from the camera's thread", Category::Capture);
    {
        SpanScope span(kCopy);
        span.setBytes(m_bytes);
        std::memcpy(into, frame->picture.data(), m_bytes);
    }
    const std::lock_guard lock(m_mutex);
    m_spare.push_back(std::move(frame->picture));
    return std::optional(std::move(frame->captured));
}

} // namespace jetscope
