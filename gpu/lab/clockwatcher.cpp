// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/lab/clockwatcher.h"

#include "core/time/clock.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::int64_t kWatcherMs = 1'000'000;
constexpr std::int64_t kSearchEvery = 150 * kWatcherMs;
constexpr std::int64_t kPictureEvery = 250 * kWatcherMs;
constexpr std::size_t kMostSightings = 4096;
constexpr int kSeenWidth = 320;

bool isAlike(const LumaView &a, const LumaView &b)
{
    return a.pitch == b.pitch && a.step == b.step && a.width == b.width && a.height == b.height;
}

} // namespace

ClockWatcher::ClockWatcher() : m_thread([this] { search(); }) {}

ClockWatcher::~ClockWatcher()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void ClockWatcher::arrived(const CapturedFrame &frame, const ImageLayout &layout, const std::byte *bytes)
{
    const std::int64_t nowNs = jetscope::nowNs();
    if (!(layout == m_layout)) {
        m_layout = layout;
        m_reader.reset();
    }
    ClockReading reading;
    if (bytes)
        reading = look(lumaOf(layout, bytes), nowNs);
    const std::lock_guard lock(m_mutex);
    m_trouble = bytes ? "" : "the frames lie in buffers of the camera's own: take another memory kind";
    if (m_sightings.size() < kMostSightings)
        m_sightings.push_back({frame.index, frame.captureNs, nowNs, reading});
}

ClockReading ClockWatcher::look(const LumaView &picture, std::int64_t nowNs)
{
    ClockReading reading;
    {
        const std::lock_guard lock(m_mutex);
        if (m_found && isAlike(m_like, picture)) {
            m_reader = std::move(m_found->reader);
            reading.sight = m_found->sight == ClockSight::Read ? ClockSight::NotFound : m_found->sight;
        } else if (!m_reader) {
            reading.sight = m_seen.sight == ClockSight::Several ? ClockSight::Several : ClockSight::NotFound;
        }
        m_found.reset();
    }
    if (m_reader)
        reading = m_reader->read(picture);
    if (m_reader && reading.sight == ClockSight::NotFound)
        m_reader.reset();
    giveToSearch(picture, nowNs);
    return reading;
}

void ClockWatcher::giveToSearch(const LumaView &picture, std::int64_t nowNs)
{
    {
        const std::lock_guard lock(m_mutex);
        const bool isDue = nowNs - m_givenNs >= (m_reader ? kPictureEvery : kSearchEvery);
        if (m_toSearch || !isDue || (m_reader && !m_pictures))
            return;
    }
    m_givenNs = nowNs;
    LumaPicture copy = reduced(picture, 1);
    {
        const std::lock_guard lock(m_mutex);
        m_toSearch = std::move(copy);
        m_like = picture;
    }
    m_wake.notify_all();
}

void ClockWatcher::search()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_ends || m_toSearch; });
        if (m_ends)
            return;
        const LumaPicture copy = *m_toSearch;
        const LumaView like = m_like;
        lock.unlock();
        FoundClock found = findClock(copy, like);
        const int factor = std::max(1, copy.width / kSeenWidth);
        ClockSeen seen{reduced(copy.view(), factor), static_cast<double>(factor), found.reader, found.sight};
        lock.lock();
        m_seen = std::move(seen);
        m_found = std::move(found);
        m_toSearch.reset();
    }
}

std::vector<FrameSighting> ClockWatcher::take()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_sightings, {});
}

ClockSeen ClockWatcher::seen() const
{
    const std::lock_guard lock(m_mutex);
    return m_seen;
}

std::string ClockWatcher::trouble() const
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

void ClockWatcher::wantPictures(bool wanted)
{
    const std::lock_guard lock(m_mutex);
    m_pictures = wanted;
}

} // namespace jetscope
