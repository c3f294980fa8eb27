// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/video/framepicture.h"

#include <cstddef>
#include <deque>

namespace jetscope {

/// The newest pictures in full size, as many as fit a limit: whoever clicks on the running timeline means one of them.
/// Pictures are shared, not copied. UI thread.
class RecentPictures {
public:
    static constexpr qsizetype kMostBytes = 64 << 20;

    /// Of a newer frame than those before; a null image is left out.
    void add(std::uint32_t frame, const QImage &image);
    /// Null when it is not held.
    QImage find(std::uint32_t frame) const;
    void clear();
    std::size_t count() const { return m_pictures.size(); }

private:
    std::deque<FramePicture> m_pictures;
    qsizetype m_bytes = 0;
};

} // namespace jetscope
