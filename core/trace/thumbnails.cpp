// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/thumbnails.h"

#include <algorithm>

namespace jetscope {

namespace {

bool isTakenBefore(const Thumbnail &thumbnail, std::int64_t ns)
{
    return thumbnail.timeNs < ns;
}

/// Distance of two arbitrary times, without overflow.
std::uint64_t distance(std::int64_t a, std::int64_t b)
{
    const auto difference = static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
    return a < b ? 0 - difference : difference;
}

} // namespace

void ThumbnailList::add(Thumbnail thumbnail)
{
    m_bytes += thumbnail.encoded.size();
    const auto place = std::lower_bound(m_thumbnails.begin(), m_thumbnails.end(), thumbnail.timeNs, isTakenBefore);
    m_thumbnails.insert(place, std::move(thumbnail));
    while (m_bytes > kMaxBytes)
        dropOldest();
}

void ThumbnailList::dropBefore(std::int64_t ns)
{
    while (!m_thumbnails.empty() && m_thumbnails.front().timeNs < ns)
        dropOldest();
}

void ThumbnailList::dropOldest()
{
    m_bytes -= m_thumbnails.front().encoded.size();
    m_thumbnails.pop_front();
    ++m_discarded;
}

const Thumbnail *ThumbnailList::nearest(std::int64_t ns) const
{
    if (m_thumbnails.empty())
        return nullptr;
    const auto after = std::lower_bound(m_thumbnails.begin(), m_thumbnails.end(), ns, isTakenBefore);
    if (after == m_thumbnails.begin())
        return &*after;
    const auto before = after - 1;
    return after == m_thumbnails.end() || distance(before->timeNs, ns) <= distance(after->timeNs, ns) ? &*before
                                                                                                      : &*after;
}

} // namespace jetscope
