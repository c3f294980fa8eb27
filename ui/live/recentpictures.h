// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/live/framepicture.h"

#include <cstddef>
#include <deque>

namespace jetscope {

/// The newest pictures in full size, limited by total size. They show the frame when the user clicks on the running
/// timeline. Images are shared, not copied. UI thread.
class RecentPictures {
public:
    static constexpr qsizetype kMaxBytes = 64 << 20;

    /// `frame` must be newer than all before; null images are ignored.
    void add(std::uint32_t frame, const QImage &image);
    /// Null if the frame is not stored.
    QImage find(std::uint32_t frame) const;
    void clear();
    std::size_t count() const { return m_pictures.size(); }

private:
    std::deque<FramePicture> m_pictures;
    qsizetype m_bytes = 0;
};

} // namespace jetscope
