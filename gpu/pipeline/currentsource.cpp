// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/currentsource.h"

#include <chrono>
#include <utility>

namespace jetscope {

void CurrentSource::start(std::unique_ptr<FrameSource> source, std::shared_ptr<FramePool> pool, bool paused)
{
    auto capture = std::make_shared<CaptureThread>(std::move(source), std::move(pool), m_tracer, m_wake);
    capture->setPaused(paused);
    {
        const std::lock_guard lock(m_mutex);
        capture->wantPictures(m_picturesWanted);
        capture->watch(m_watch);
        std::swap(m_capture, capture);
    }
    keepLost(capture);
    if (capture)
        for (LostFrames &each : capture->queuedAsLost("the source was changed before the pipeline took it"))
            m_lostBefore.push_back(std::move(each));
} // Closes the former source.

void CurrentSource::stop()
{
    std::shared_ptr<CaptureThread> capture;
    {
        const std::lock_guard lock(m_mutex);
        capture = std::move(m_capture);
    }
    keepLost(capture);
} // Closes the source.

void CurrentSource::keepLost(const std::shared_ptr<CaptureThread> &closing)
{
    if (!closing)
        return;
    for (LostFrames &each : closing->takeLost())
        m_lostBefore.push_back(std::move(each));
}

std::vector<LostFrames> CurrentSource::takeLost()
{
    std::vector<LostFrames> lost = std::exchange(m_lostBefore, {});
    if (m_capture)
        for (LostFrames &each : m_capture->takeLost())
            lost.push_back(std::move(each));
    return lost;
}

void CurrentSource::noteUnusable(const CapturedFrame &captured)
{
    m_lostBefore.push_back({captured.index, 1, LossCause::Unwanted, captured.captureNs,
                            "its buffer belonged to the pipeline before the change"});
}

void CurrentSource::wantPictures(bool wanted)
{
    const std::lock_guard lock(m_mutex);
    m_picturesWanted = wanted;
    if (m_capture)
        m_capture->wantPictures(wanted);
}

void CurrentSource::watch(std::shared_ptr<InputWatch> watch)
{
    const std::lock_guard lock(m_mutex);
    m_watch = std::move(watch);
    if (m_capture)
        m_capture->watch(m_watch);
}

std::shared_ptr<InputPicture> CurrentSource::pictureOf(std::uint64_t sourceIndex) const
{
    const std::lock_guard lock(m_mutex);
    return m_capture ? m_capture->pictureOf(sourceIndex) : nullptr;
}

std::vector<OpenCamera> CurrentSource::cameras() const
{
    const std::lock_guard lock(m_mutex);
    return m_capture ? m_capture->cameras() : std::vector<OpenCamera>();
}

void SourceLoader::forget()
{
    m_next.reset();
    m_forgets = m_opening.valid();
}

void SourceLoader::load(std::string uri)
{
    if (m_opening.valid())
        m_next = std::move(uri);
    else
        start(std::move(uri));
}

void SourceLoader::start(std::string uri)
{
    m_uri = std::move(uri);
    m_opening = std::async(std::launch::async, [this, address = m_uri] {
        Result<std::unique_ptr<FrameSource>> source = m_open(address);
        m_wake();
        return source;
    });
}

bool SourceLoader::isReady() const
{
    return m_opening.valid() && m_opening.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::optional<SourceLoader::Loaded> SourceLoader::take()
{
    if (!isReady())
        return std::nullopt;
    Loaded loaded{m_uri, m_opening.get()};
    const bool isForgotten = std::exchange(m_forgets, false);
    if (!m_next)
        return isForgotten ? std::nullopt : std::optional(std::move(loaded));
    start(std::move(*std::exchange(m_next, std::nullopt)));
    return std::nullopt; // A newer address was asked for meanwhile.
}

} // namespace jetscope
