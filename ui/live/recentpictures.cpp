// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/recentpictures.h"

#include <algorithm>

namespace jetscope {

void RecentPictures::add(std::uint32_t frame, const QImage &image)
{
    if (image.isNull())
        return;
    m_pictures.push_back({frame, image});
    m_bytes += image.sizeInBytes();
    while (m_bytes > kMaxBytes && m_pictures.size() > 1) {
        m_bytes -= m_pictures.front().image.sizeInBytes();
        m_pictures.pop_front();
    }
}

QImage RecentPictures::find(std::uint32_t frame) const
{
    const auto found = std::find_if(m_pictures.rbegin(), m_pictures.rend(),
                                    [frame](const FramePicture &picture) { return picture.frame == frame; });
    return found == m_pictures.rend() ? QImage() : found->image;
}

void RecentPictures::clear()
{
    m_pictures.clear();
    m_bytes = 0;
}

} // namespace jetscope
