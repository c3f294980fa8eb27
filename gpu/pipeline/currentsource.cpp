// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/currentsource.h"

#include <utility>

namespace jetscope {

void CurrentSource::start(std::unique_ptr<FrameSource> source, std::shared_ptr<FramePool> pool, bool paused)
{
    m_droppedBefore = dropped();
    auto capture = std::make_shared<CaptureThread>(std::move(source), std::move(pool), m_tracer, m_wake);
    capture->setPaused(paused);
    {
        const std::lock_guard lock(m_mutex);
        capture->wantPictures(m_picturesWanted);
        std::swap(m_capture, capture);
    }
} // Closes the former source.

void CurrentSource::stop()
{
    m_droppedBefore = dropped();
    std::shared_ptr<CaptureThread> capture;
    {
        const std::lock_guard lock(m_mutex);
        capture = std::move(m_capture);
    }
} // Closes the source.

void CurrentSource::wantPictures(bool wanted)
{
    const std::lock_guard lock(m_mutex);
    m_picturesWanted = wanted;
    if (m_capture)
        m_capture->wantPictures(wanted);
}

std::shared_ptr<InputPicture> CurrentSource::pictureOf(std::uint64_t sourceIndex) const
{
    const std::lock_guard lock(m_mutex);
    return m_capture ? m_capture->pictureOf(sourceIndex) : nullptr;
}

} // namespace jetscope
