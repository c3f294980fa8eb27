// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

namespace jetscope {

/// How two pictures differ. Glyph edges come out a little different with every version of FreeType, so a few pixels
/// may; a moved or missing part is far beyond that.
struct ImageDifference {
    bool sameSize = false;
    double share = 1; ///< Of pixels that differ visibly.
    QImage picture;   ///< Differing pixels in red over the paled actual picture.

    static constexpr int kVisible = 40; ///< Of 255, in any channel.
    static constexpr double kAllowed = 0.004;

    bool acceptable() const { return sameSize && share <= kAllowed; }
};

ImageDifference compareImages(const QImage &actual, const QImage &reference);

} // namespace jetscope
